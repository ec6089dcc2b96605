package io.idempotency.demo;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.List;

/**
 * The demo's classes as a JVM leaves them for the next one, which starts with half of the work then. Made by one start before all
 * others; a JVM that cannot use it, or finds that the jar has changed, goes without.
 */
final class DemoArchive {

    private static final Object LOCK = new Object();

    private DemoArchive() {}

    /** The options that use it. */
    static List<String> options(Path jar) throws IOException {
        Path archive = jar.resolveSibling("demo-" + Runtime.version().feature() + "-"
                + Files.getLastModifiedTime(jar).toMillis() + ".jsa");
        synchronized (LOCK) { // a lock of a file is the whole JVM's
            try (FileChannel channel = FileChannel.open(
                            jar.resolveSibling("archive.lock"), StandardOpenOption.CREATE, StandardOpenOption.WRITE);
                    FileLock held = channel.lock()) {
                if (held.isValid() && Files.notExists(archive)) {
                    make(archive);
                }
            }
        }
        return List.of("-XX:SharedArchiveFile=" + archive);
    }

    private static void make(Path archive) throws IOException {
        Path fresh = archive.resolveSibling("fresh.jsa");
        Path folder = Files.createTempDirectory(archive.getParent(), "archive");
        try (DemoProcess demo = DemoProcess.startWith(List.of("-XX:ArchiveClassesAtExit=" + fresh), folder)) {
            demo.shop().get("/payments");
        }
        if (Files.exists(fresh)) {
            Files.move(fresh, archive, StandardCopyOption.ATOMIC_MOVE);
        }
    }
}
