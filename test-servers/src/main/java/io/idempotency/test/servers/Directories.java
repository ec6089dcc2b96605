package io.idempotency.test.servers;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.Comparator;
import java.util.stream.Stream;

/** Directories that live as long as a server. */
final class Directories {

    private Directories() {}

    static Path create(String prefix) {
        try {
            return Files.createTempDirectory(prefix);
        } catch (IOException e) {
            throw new UncheckedIOException("Could not create a directory for " + prefix, e);
        }
    }

    /** Copies what is in one directory into another, which is empty; owners and permissions stay. */
    static void copy(Path from, Path into) {
        try (Stream<Path> below = Files.walk(from)) {
            for (Path each : below.skip(1).toList()) {
                Files.copy(each, into.resolve(from.relativize(each)), StandardCopyOption.COPY_ATTRIBUTES);
            }
        } catch (IOException e) {
            throw new UncheckedIOException("Could not copy " + from, e);
        }
    }

    static void delete(Path path) {
        if (Files.notExists(path)) {
            return;
        }
        try (Stream<Path> below = Files.walk(path)) {
            for (Path each : below.sorted(Comparator.reverseOrder()).toList()) {
                Files.deleteIfExists(each);
            }
        } catch (IOException e) {
            throw new UncheckedIOException("Could not delete " + path, e);
        }
    }
}
