package io.idempotency.integration.campaign;

import io.idempotency.test.servers.FaultProxy;
import io.idempotency.test.servers.TestServer;
import java.util.EnumSet;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/** The network between nodes and one server, and the server's process. */
final class Network implements AutoCloseable {

    /** Longer than a lease. */
    private static final int STANDS_STILL_MILLIS = 5_000;

    private static final int MOMENT_MILLIS = 200;

    static final Set<Fault> FAULTS = EnumSet.of(
            Fault.STORE_KILLED,
            Fault.STORE_STOPPED,
            Fault.STORE_RESTARTED,
            Fault.CONNECTIONS_RESET,
            Fault.REPLIES_RESET,
            Fault.REPLIES_LOST,
            Fault.STALLED);

    private final TestServer server;
    private final FaultProxy proxy;
    private final Random random;

    Network(TestServer server, Random random) {
        this.server = server;
        this.proxy = FaultProxy.to(server.host(), server.port());
        this.random = random;
    }

    int port() {
        return proxy.port();
    }

    void happen(Fault fault) {
        switch (fault) {
            case STORE_KILLED -> {
                server.kill();
                pause(STANDS_STILL_MILLIS);
                server.restart();
            }
            case STORE_STOPPED -> {
                server.pause();
                pause(STANDS_STILL_MILLIS);
                server.resume();
            }
            case STORE_RESTARTED -> server.restart();
            case CONNECTIONS_RESET -> proxy.reset();
            case REPLIES_RESET -> {
                proxy.resetOnReply();
                pause(MOMENT_MILLIS);
                proxy.pass();
            }
            case REPLIES_LOST -> {
                proxy.dropReplies();
                pause(STANDS_STILL_MILLIS);
                proxy.pass();
            }
            case STALLED -> {
                proxy.stall();
                pause(STANDS_STILL_MILLIS);
                proxy.pass();
            }
            default -> throw new IllegalArgumentException(fault + " is no fault of a network or a server");
        }
    }

    /** At most so long, by the seed. */
    void pause(int atMostMillis) {
        LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(random.nextInt(atMostMillis)));
    }

    @Override
    public void close() {
        proxy.close();
    }
}
