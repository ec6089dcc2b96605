package io.idempotency.test.servers;

import java.io.IOException;
import java.net.Socket;
import java.util.concurrent.TimeUnit;

/** One client's connection through a {@link FaultProxy}, pumped by a thread in each direction. */
final class ProxiedConnection {

    @FunctionalInterface
    interface Work {
        void run() throws IOException, InterruptedException;
    }

    private final FaultProxy proxy;
    private final Socket client;
    private final Socket server;
    private volatile boolean outOfStep;
    private volatile boolean silent;

    ProxiedConnection(FaultProxy proxy, Socket client, Socket server) throws IOException {
        this.proxy = proxy;
        this.client = client;
        this.server = server;
        client.setTcpNoDelay(true);
        server.setTcpNoDelay(true);
    }

    void start() {
        inBackground(() -> pump(client, server, false));
        inBackground(() -> pump(server, client, true));
    }

    /** A socket that breaks ends its thread: the other side is told by a reset. */
    static void inBackground(Work work) {
        Thread thread = new Thread(
                () -> {
                    try {
                        work.run();
                    } catch (IOException | InterruptedException ended) {
                        Thread.currentThread().interrupt();
                    }
                },
                "fault-proxy");
        thread.setDaemon(true);
        thread.start();
    }

    private void pump(Socket from, Socket to, boolean replies) throws InterruptedException {
        byte[] buffer = new byte[65_536];
        try {
            for (int read = from.getInputStream().read(buffer);
                    read >= 0;
                    read = from.getInputStream().read(buffer)) {
                if (!replies) {
                    proxy.requested(buffer, read);
                }
                TimeUnit.NANOSECONDS.sleep(proxy.latency().toNanos());
                FaultProxy.Mode mode = proxy.modeOnceMoving();
                if (silent || (replies && mode == FaultProxy.Mode.DROP_REPLIES)) {
                    outOfStep = true;
                } else if (replies && mode == FaultProxy.Mode.RESET_ON_REPLY) {
                    reset();
                } else {
                    to.getOutputStream().write(buffer, 0, read);
                }
            }
            to.shutdownOutput();
            closeIfOver();
        } catch (IOException broken) {
            reset();
        }
    }

    private void closeIfOver() throws IOException {
        if (client.isOutputShutdown() && server.isOutputShutdown()) {
            client.close();
            server.close();
            proxy.forget(this);
        }
    }

    void silence() {
        silent = true;
    }

    void resetIfOutOfStep() {
        if (outOfStep) {
            reset();
        }
    }

    void reset() {
        reset(client);
        reset(server);
        proxy.forget(this);
    }

    static void reset(Socket socket) {
        try (socket) {
            socket.setSoLinger(true, 0);
        } catch (IOException alreadyClosed) {
            // which is what was wanted
        }
    }
}
