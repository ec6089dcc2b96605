package io.idempotency.http.server.route;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;

/** The system behind a gateway. It answers according to the last part of the path. */
final class Upstream implements AutoCloseable {

    final AtomicInteger requests = new AtomicInteger();

    /** Completes when an event stream is to go on. */
    volatile CompletableFuture<Void> more = new CompletableFuture<>();

    private final HttpServer server;

    Upstream() throws IOException {
        server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.setExecutor(Executors.newCachedThreadPool(task -> {
            Thread thread = new Thread(task);
            thread.setDaemon(true);
            return thread;
        }));
        server.createContext("/", this::answer);
        server.start();
    }

    int port() {
        return server.getAddress().getPort();
    }

    private void answer(HttpExchange exchange) throws IOException {
        int number = requests.incrementAndGet();
        String sent = new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.UTF_8);
        String path = exchange.getRequestURI().getPath();
        byte[] body = ("answer " + number + " to " + sent).getBytes(StandardCharsets.UTF_8);
        exchange.getResponseHeaders().add("Content-Type", "text/plain");
        exchange.getResponseHeaders().add("ETag", "\"" + number + "\"");
        exchange.getResponseHeaders().add("Set-Cookie", "upstream=" + number);
        exchange.getResponseHeaders().add("Idempotency-Status", "executed;key=free");
        exchange.getResponseHeaders().add("Idempotent-Replayed", "true");
        switch (path.substring(path.lastIndexOf('/') + 1)) {
            case "chunked" -> send(exchange, 200, 0, body);
            case "large" -> send(exchange, 200, 0, (number + "x".repeat(100_000)).getBytes(StandardCharsets.UTF_8));
            case "large-known" -> {
                byte[] large = (number + "x".repeat(100_000)).getBytes(StandardCharsets.UTF_8);
                send(exchange, 200, large.length, large);
            }
            case "events" -> {
                exchange.getResponseHeaders().set("Content-Type", "text/event-stream");
                exchange.sendResponseHeaders(200, 0);
                exchange.getResponseBody().write("data: one\n\n".getBytes(StandardCharsets.UTF_8));
                exchange.getResponseBody().flush();
                more.join();
                exchange.getResponseBody().write("data: two\n\n".getBytes(StandardCharsets.UTF_8));
                exchange.close();
            }
            case "slow" -> {
                exchange.sendResponseHeaders(200, 0);
                exchange.getResponseBody().write(body);
                exchange.getResponseBody().flush();
                more.join();
                exchange.close();
            }
            case "json" -> {
                exchange.getResponseHeaders().set("Content-Type", "application/json");
                send(exchange, 200, body.length, body);
            }
            case "empty" -> send(exchange, 204, -1, new byte[0]);
            case "refused" -> send(exchange, 409, body.length, body);
            case "bad-gateway" -> send(exchange, 502, body.length, body);
            case "dropped" -> exchange.close();
            case "broken", "busy" -> {
                exchange.sendResponseHeaders(path.endsWith("busy") ? 429 : 200, 1000);
                exchange.getResponseBody().write(body);
                exchange.getResponseBody().flush();
                exchange.close();
            }
            default -> send(exchange, 201, body.length, body);
        }
    }

    private static void send(HttpExchange exchange, int status, long length, byte[] body) throws IOException {
        exchange.sendResponseHeaders(status, length);
        if (length >= 0) {
            exchange.getResponseBody().write(body);
        }
        exchange.close();
    }

    @Override
    public void close() {
        server.stop(0);
    }
}
