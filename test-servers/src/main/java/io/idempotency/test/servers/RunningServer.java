package io.idempotency.test.servers;

/** What a started server can be told, whether it is a container or a process of the host. */
interface RunningServer extends AutoCloseable {

    String host();

    int port();

    void kill();

    void pause();

    void resume();

    void restart();

    @Override
    void close();
}
