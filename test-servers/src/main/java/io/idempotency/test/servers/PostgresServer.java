package io.idempotency.test.servers;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * A PostgreSQL server for tests.
 *
 * <p>In a container the image is {@code postgres:17}, or the system property {@code idempotency.test.postgres.image}; on
 * the host the version is that of the artifact on the class path. It does not call fsync, but nothing committed is lost
 * by {@link #kill()}.
 */
public final class PostgresServer extends SqlServer {

    private static final String USER = "postgres";

    /** Started by the first test that asks, ended with the JVM. */
    private static final class Shared {
        static final PostgresServer SERVER = start();
    }

    /** Where its data is; null in a container. */
    private final @Nullable Path data;

    private PostgresServer(RunningServer server, @Nullable Path data) {
        super(server, "jdbc:postgresql://", "postgres", USER);
        this.data = data;
    }

    /**
     * The one server of this JVM: for tests that do it no harm. Do not close it.
     *
     * @return started by the first call
     */
    public static PostgresServer shared() {
        return Shared.SERVER;
    }

    /**
     * Starts a server, in a container where Docker is usable.
     *
     * @param settings configuration parameters, for instance {@code synchronous_commit=off}
     * @return ready to be connected to
     */
    public static PostgresServer start(String... settings) {
        if (!Docker.usable()) {
            return onHost(settings);
        }
        String image = System.getProperty("idempotency.test.postgres.image", "postgres:17");
        return new PostgresServer(ContainerServer.postgres(image, PASSWORD, options(settings)), null);
    }

    /**
     * Starts a server as a process of the host, for tests that restart it.
     *
     * @param settings configuration parameters, for instance {@code synchronous_commit=off}
     * @return ready to be connected to
     */
    public static PostgresServer onHost(String... settings) {
        Path data = Directories.create("idempotency-postgres");
        List<String> asUser = Host.unprivileged();
        Host.handOver(data, asUser);
        Host.run(Host.concat(asUser, initdb(bin(), data)));
        return launch(asUser, data, settings);
    }

    private static PostgresServer launch(List<String> asUser, Path data, String... settings) {
        int port = FreePort.next();
        List<String> command = Host.concat(postgres(bin(), data, port), options(settings));
        // SIGINT ends connections; SIGTERM would wait for them
        return new PostgresServer(
                new HostServer(new HostServer.Launch(
                        asUser, command, data, port, "database system is ready to accept", "INT")),
                data);
    }

    private static Path bin() {
        return Binaries.postgres().resolve("bin");
    }

    /**
     * Starts a standby that follows this server, which has to be a process of the host and is killed and started again for it. It
     * becomes a primary by {@code SELECT pg_promote()}.
     *
     * @param settings configuration parameters of the standby
     * @return read-only
     */
    public PostgresServer standby(String... settings) {
        Path copy = Directories.create("idempotency-postgres");
        List<String> asUser = Host.unprivileged();
        Host.handOver(copy, asUser);
        kill();
        Directories.copy(Objects.requireNonNull(data), copy);
        Directories.delete(copy.resolve("postmaster.pid"));
        becomeStandby(copy);
        restart();
        String primary = "primary_conninfo=host=" + host() + " port=" + port() + " user=" + USER;
        return launch(
                asUser, copy, Host.concat(List.of(primary), List.of(settings)).toArray(String[]::new));
    }

    /** Starts it again as a standby, which {@code SELECT pg_promote()} makes a primary on a timeline of its own. */
    public void restartAsStandby() {
        kill();
        becomeStandby(Objects.requireNonNull(data));
        restart();
    }

    private static void becomeStandby(Path data) {
        try {
            Files.createFile(data.resolve("standby.signal"));
        } catch (IOException e) {
            throw new UncheckedIOException("Could not write to " + data, e);
        }
    }

    private static List<String> initdb(Path bin, Path data) {
        String program = bin.resolve("initdb").toString();
        return List.of(
                program, "-A", "trust", "-U", USER, "-D", data.toString(), "-E", "UTF8", "--locale=C", "--no-sync");
    }

    private static List<String> postgres(Path bin, Path data, int port) {
        String program = bin.resolve("postgres").toString();
        List<String> places = List.of(program, "-D", data.toString(), "-p", Integer.toString(port));
        return Host.concat(places, options("listen_addresses=127.0.0.1", "unix_socket_directories="));
    }

    private static List<String> options(String... settings) {
        List<String> options = new ArrayList<>();
        for (String setting : Host.concat(
                List.of("fsync=off", "full_page_writes=off", "max_connections=200", "timezone=UTC"),
                List.of(settings))) {
            options.addAll(List.of("-c", setting));
        }
        return options;
    }
}
