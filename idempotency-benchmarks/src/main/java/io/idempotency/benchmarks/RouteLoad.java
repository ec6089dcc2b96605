package io.idempotency.benchmarks;

import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicLong;

/** Sends requests over connections that stay open, each waiting for its answer before it sends the next. */
final class RouteLoad implements AutoCloseable {

    private static final String BODY = "{\"orderId\":\"order-4711\",\"amount\":1250}";

    private final AtomicLong keys = new AtomicLong();
    private final List<Connection> connections = new ArrayList<>();
    private final ExecutorService threads;

    RouteLoad(int port, int connections) throws IOException {
        threads = Executors.newFixedThreadPool(connections);
        for (int i = 0; i < connections; i++) {
            this.connections.add(new Connection(port, "fixed-" + i));
        }
    }

    /**
     * A side of the comparison.
     *
     * @param path where it is
     * @param newKeys whether every request has a key of its own
     */
    record Side(String name, String path, boolean newKeys) {}

    /** How many requests a side answered within a time. */
    long requests(Side side, long millis) throws InterruptedException, ExecutionException {
        long end = System.nanoTime() + millis * 1_000_000;
        List<Future<Long>> sent = new ArrayList<>();
        for (Connection connection : connections) {
            sent.add(threads.submit(() -> connection.untilThen(side, end)));
        }
        long sum = 0;
        for (Future<Long> requests : sent) {
            sum += requests.get();
        }
        return sum;
    }

    @Override
    public void close() throws IOException {
        threads.shutdownNow();
        for (Connection connection : connections) {
            connection.socket.close();
        }
    }

    /** One connection, and a key that it uses again and again. */
    private final class Connection {
        private final String fixedKey;
        private final Socket socket;
        private final InputStream in;

        Connection(int port, String fixedKey) throws IOException {
            this.fixedKey = fixedKey;
            socket = new Socket("127.0.0.1", port);
            socket.setTcpNoDelay(true);
            in = new BufferedInputStream(socket.getInputStream());
        }

        long untilThen(Side side, long end) throws IOException {
            long requests = 0;
            do {
                String key = side.newKeys() ? "key-" + keys.incrementAndGet() : fixedKey;
                socket.getOutputStream().write(request(side.path(), key));
                answered(in);
                requests++;
            } while (System.nanoTime() < end);
            return requests;
        }
    }

    private static byte[] request(String path, String key) {
        return ("POST " + path + " HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: "
                        + BODY.length() + "\r\nIdempotency-Key: " + key + "\r\n\r\n" + BODY)
                .getBytes(StandardCharsets.US_ASCII);
    }

    /** Reads one answer, which has to be a success with a known length. */
    private static void answered(InputStream in) throws IOException {
        String status = line(in);
        int length = -1;
        for (String header = line(in); !header.isEmpty(); header = line(in)) {
            if (header.regionMatches(true, 0, "content-length:", 0, 15)) {
                length = Integer.parseInt(header.substring(15).trim());
            }
        }
        if (!status.startsWith("HTTP/1.1 200") || length < 0) {
            throw new IOException("answered " + status);
        }
        in.skipNBytes(length);
    }

    private static String line(InputStream in) throws IOException {
        StringBuilder line = new StringBuilder(48);
        for (int next = in.read(); next != '\n'; next = in.read()) {
            if (next < 0) {
                throw new IOException("closed after " + line);
            }
            if (next != '\r') {
                line.append((char) next);
            }
        }
        return line.toString();
    }
}
