package io.idempotency.test.servers;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * A TCP proxy in this JVM that breaks the network on command. It listens on a free loopback port and passes everything
 * on until it is told otherwise; what it is told holds for open and new connections. Thread-safe.
 */
public final class FaultProxy implements AutoCloseable {

    enum Mode {
        PASS,
        STALL,
        DROP_REPLIES,
        RESET_ON_REPLY,
        REFUSE
    }

    private final String host;
    private final int port;
    private final ServerSocket listener;
    private final Set<ProxiedConnection> connections = ConcurrentHashMap.newKeySet();
    private Mode mode = Mode.PASS;
    private volatile Duration latency = Duration.ZERO;
    private volatile @Nullable String fatal;

    private FaultProxy(String host, int port, ServerSocket listener) {
        this.host = host;
        this.port = port;
        this.listener = listener;
    }

    /**
     * Starts a proxy.
     *
     * @param host the server's host
     * @param port the server's port
     * @return passing everything on
     */
    public static FaultProxy to(String host, int port) {
        try {
            FaultProxy proxy = new FaultProxy(host, port, new ServerSocket(0, 50, InetAddress.getLoopbackAddress()));
            ProxiedConnection.inBackground(proxy::accept);
            return proxy;
        } catch (IOException e) {
            throw new UncheckedIOException("The fault proxy found no free port", e);
        }
    }

    /**
     * The port of 127.0.0.1 that clients connect to instead of the server's.
     *
     * @return the port
     */
    public int port() {
        return listener.getLocalPort();
    }

    /** Passes everything on again. Connections that lost a reply are reset, since they are out of step. */
    public void pass() {
        set(Mode.PASS);
        connections.forEach(ProxiedConnection::resetIfOutOfStep);
    }

    /**
     * Delays everything that passes, in each direction.
     *
     * @param delay zero for none
     */
    public void latency(Duration delay) {
        latency = delay;
    }

    /** No byte moves any more, in either direction; connections stay open, and what is sent arrives after {@link #pass()}. */
    public void stall() {
        set(Mode.STALL);
    }

    /** Requests reach the server and take effect, their replies vanish; connections stay open. */
    public void dropReplies() {
        set(Mode.DROP_REPLIES);
    }

    /** Requests reach the server and take effect; instead of the reply the client sees the connection reset. */
    public void resetOnReply() {
        set(Mode.RESET_ON_REPLY);
    }

    /**
     * Passes everything on until a request contains the text, and goes on as {@link #resetOnReply()} from that request.
     *
     * @param text in the bytes of one packet
     */
    public void resetOnReplyTo(String text) {
        fatal = text;
    }

    void requested(byte[] bytes, int length) {
        String text = fatal;
        if (text != null && new String(bytes, 0, length, StandardCharsets.ISO_8859_1).contains(text)) {
            fatal = null;
            resetOnReply();
        }
    }

    /** New connections are reset at once; open ones go on. */
    public void refuse() {
        set(Mode.REFUSE);
    }

    /** Open connections fall silent for good, as where a firewall has forgotten them; new ones pass. */
    public void silence() {
        connections.forEach(ProxiedConnection::silence);
    }

    /** Resets every open connection, once. */
    public void reset() {
        connections.forEach(ProxiedConnection::reset);
    }

    @Override
    public void close() {
        try {
            listener.close();
        } catch (IOException e) {
            throw new UncheckedIOException("The fault proxy could not be closed", e);
        }
        pass();
        reset();
    }

    private synchronized void set(Mode next) {
        mode = next;
        notifyAll();
    }

    /** The mode that the next bytes meet; waits while everything is stalled. */
    synchronized Mode modeOnceMoving() throws InterruptedException {
        while (mode == Mode.STALL) {
            wait();
        }
        return mode;
    }

    Duration latency() {
        return latency;
    }

    void forget(ProxiedConnection connection) {
        connections.remove(connection);
    }

    private void accept() throws IOException, InterruptedException {
        while (!listener.isClosed()) {
            Socket client = listener.accept();
            if (modeOnceMoving() == Mode.REFUSE) {
                ProxiedConnection.reset(client);
            } else {
                connect(client);
            }
        }
    }

    private void connect(Socket client) {
        try {
            ProxiedConnection connection = new ProxiedConnection(this, client, new Socket(host, port));
            connections.add(connection);
            connection.start();
        } catch (IOException serverGone) {
            ProxiedConnection.reset(client);
        }
    }
}
