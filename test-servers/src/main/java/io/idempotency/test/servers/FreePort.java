package io.idempotency.test.servers;

import io.micronaut.core.io.socket.SocketUtils;

/** A port that nobody listens on. */
public final class FreePort {

    private FreePort() {}

    /** Below those that systems give to connections, one of which could take it before it is listened on. */
    public static int next() {
        return SocketUtils.findAvailableTcpPort(15_000, 30_000);
    }
}
