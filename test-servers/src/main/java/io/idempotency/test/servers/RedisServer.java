package io.idempotency.test.servers;

import java.nio.file.Path;
import java.util.List;

/**
 * A Redis server for tests. Unless told otherwise
 * it persists nothing.
 *
 * <p>In a container the image is {@code redis:8}, or the system property {@code idempotency.test.redis.image}; on the host
 * the program is Redis 7.0, or what the system property {@code idempotency.test.redis.program} names: another version, or
 * Valkey.
 */
public final class RedisServer extends TestServer {

    private static final List<String> NOT_PERSISTENT = List.of("--save", "", "--appendonly", "no");

    /** Started by the first test that asks, ended with the JVM. */
    private static final class Shared {
        static final RedisServer SERVER = start();
    }

    private RedisServer(RunningServer server) {
        super(server);
    }

    /**
     * The one server of this JVM: for tests that do it no harm. Do not close it.
     *
     * @return started by the first call
     */
    public static RedisServer shared() {
        return Shared.SERVER;
    }

    /**
     * Starts a server, in a container where Docker is usable.
     *
     * @param arguments of the server program, for instance {@code "--appendonly", "yes"}
     * @return ready to be connected to
     */
    public static RedisServer start(String... arguments) {
        if (System.getProperty("idempotency.test.redis.program") != null || !Docker.usable()) {
            return onHost(arguments);
        }
        String image = System.getProperty("idempotency.test.redis.image", "redis:8");
        return new RedisServer(ContainerServer.redis(image, Host.concat(NOT_PERSISTENT, List.of(arguments))));
    }

    /**
     * Starts a server as a process of the host, for tests that restart it.
     *
     * @param arguments of the server program, for instance {@code "--appendonly", "yes"}
     * @return ready to be connected to
     */
    public static RedisServer onHost(String... arguments) {
        return onHost(FreePort.next(), List.of(arguments));
    }

    /**
     * The program that {@link #onHost} starts.
     *
     * @return its path
     */
    public static String program() {
        String given = System.getProperty("idempotency.test.redis.program");
        return given == null ? Binaries.redis().toString() : given;
    }

    static RedisServer onHost(int port, List<String> arguments) {
        String program = program();
        Path directory = Directories.create("idempotency-redis");
        List<String> place = List.of(
                program, "--port", Integer.toString(port), "--bind", "127.0.0.1", "--dir", directory.toString());
        List<String> command = Host.concat(Host.concat(place, NOT_PERSISTENT), arguments);
        return new RedisServer(new HostServer(
                new HostServer.Launch(List.of(), command, directory, port, "Ready to accept connections", "TERM")));
    }

    /**
     * How clients reach it.
     *
     * @return for instance {@code redis://127.0.0.1:40123}
     */
    public String uri() {
        return "redis://" + host() + ":" + port();
    }
}
