package io.idempotency.test.servers;

/**
 * A server that a test started. Thread-safe. It ends when it is closed, at the latest with this JVM.
 */
public abstract sealed class TestServer implements AutoCloseable permits SqlServer, RedisServer {

    private final RunningServer server;

    TestServer(RunningServer server) {
        this.server = server;
    }

    /**
     * Where it listens.
     *
     * @return an address or a name
     */
    public final String host() {
        return server.host();
    }

    /**
     * Where it listens.
     *
     * @return the port
     */
    public final int port() {
        return server.port();
    }

    /** Ends it by SIGKILL, as a crash does; what it wrote to its directory stays for {@link #restart()}. */
    public final void kill() {
        server.kill();
    }

    /** Stops it from doing anything, without breaking a connection (SIGSTOP). */
    public final void pause() {
        server.pause();
    }

    /** Lets it go on after {@link #pause()}. */
    public final void resume() {
        server.resume();
    }

    /**
     * Starts it again on the same directory and port, after an orderly stop unless it was killed.
     *
     * @throws UnsupportedOperationException in a container: start the server with {@code onHost} instead
     */
    public final void restart() {
        server.restart();
    }

    @Override
    public final void close() {
        server.close();
    }
}
