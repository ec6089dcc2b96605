package io.idempotency.test.servers;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;

/**
 * A MariaDB server for tests.
 *
 * <p>In a container the image is {@code mariadb:11.4}, or the system property {@code idempotency.test.mariadb.image}.
 */
public final class MariaDbServer extends SqlServer {

    private static final String DATABASE = "test";
    private static final String SET_UP = """
            CREATE DATABASE IF NOT EXISTS test;
            CREATE USER IF NOT EXISTS 'root'@'127.0.0.1';
            GRANT ALL ON *.* TO 'root'@'127.0.0.1' WITH GRANT OPTION;
            ALTER USER 'root'@'127.0.0.1' IDENTIFIED BY 'test';
            """;

    /** Started by the first test that asks, ended with the JVM. */
    private static final class Shared {
        static final MariaDbServer SERVER = start("max-connections=300");
    }

    private MariaDbServer(RunningServer server) {
        super(server, "jdbc:mariadb://", DATABASE, "root");
    }

    /**
     * The one server of this JVM: for tests that do it no harm. Do not close it.
     *
     * @return started by the first call
     */
    public static MariaDbServer shared() {
        return Shared.SERVER;
    }

    /**
     * Starts a server, in a container where Docker is usable.
     *
     * @param settings of the server, for instance {@code max-connections=20}
     * @return ready to be connected to
     */
    public static MariaDbServer start(String... settings) {
        if (!Docker.usable()) {
            return onHost(settings);
        }
        String image = System.getProperty("idempotency.test.mariadb.image", "mariadb:11.4");
        return new MariaDbServer(ContainerServer.mariaDb(image, DATABASE, PASSWORD, options(settings)));
    }

    /**
     * Starts a server as a process of the host, for tests that restart it.
     *
     * @param settings of the server, for instance {@code max-connections=20}
     * @return ready to be connected to
     */
    public static MariaDbServer onHost(String... settings) {
        Path home = Binaries.mariaDb();
        Path data = Directories.create("idempotency-mariadb");
        Directories.copy(empty(home), data);
        int port = FreePort.next();
        List<String> command = Host.concat(mariadbd(home, data, port), options(settings));
        return new MariaDbServer(
                new HostServer(new HostServer.Launch(List.of(), command, data, port, "ready for connections", "TERM")));
    }

    /** An empty data directory, made once on this machine, because that takes longer than all else; each server has a copy. */
    private static Path empty(Path home) {
        String options =
                Integer.toHexString(String.join(" ", install(home, home)).hashCode());
        return Binaries.once(
                home.resolveSibling(home.getFileName() + "-empty-" + options), fresh -> Host.run(install(home, fresh)));
    }

    private static List<String> install(Path home, Path data) {
        String program = home.resolve("scripts/mariadb-install-db").toString();
        List<String> how = List.of("--auth-root-authentication-method=normal", "--skip-test-db", "--force");
        return Host.concat(Host.concat(List.of(program), places(home, data)), how);
    }

    private static List<String> mariadbd(Path home, Path data, int port) {
        String program = home.resolve("bin/mariadbd").toString();
        List<String> network = List.of(
                "--port=" + port,
                "--bind-address=127.0.0.1",
                "--socket=" + data.resolve("socket"),
                // looking for the primes of a certificate at each start takes up to 20 seconds of a processor
                "--skip-ssl",
                "--init-file=" + setUp(data));
        return Host.concat(Host.concat(List.of(program), places(home, data)), network);
    }

    /**
     * It runs as whoever runs the tests, which it does only when told so. It does not call fsync, but nothing committed
     * is lost by SIGKILL.
     */
    private static List<String> places(Path home, Path data) {
        return List.of(
                "--no-defaults",
                "--basedir=" + home,
                "--datadir=" + data,
                "--user=" + System.getProperty("user.name"),
                "--skip-name-resolve",
                "--innodb-flush-method=nosync",
                "--innodb-log-file-size=16M");
    }

    private static Path setUp(Path data) {
        try {
            return Files.writeString(data.resolve("set-up.sql"), SET_UP);
        } catch (IOException e) {
            throw new UncheckedIOException("Could not write to " + data, e);
        }
    }

    private static List<String> options(String... settings) {
        return Stream.of(settings).map(setting -> "--" + setting).toList();
    }
}
