package io.idempotency.demo;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import io.idempotency.test.Effects;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

/** A provider that outlives the demo: it counts what it is told to charge, and can keep its callers waiting. */
final class RecordingProvider implements AutoCloseable {

    /** In the ids of its charges, because several providers charge for the same books. */
    private final String run = UUID.randomUUID().toString();

    /** By the key that came with each: a provider that knows idempotency keys would have charged once for each of them. */
    final Effects charges = new Effects("charge");

    final List<String> refunds = new CopyOnWriteArrayList<>();

    /** Whether a refund is answered and listed at once; else its answer is cut off, and it is listed when this is true. */
    volatile boolean showsRefunds = true;

    volatile CountDownLatch answers = new CountDownLatch(0);
    volatile int status = 201;
    volatile String answer = "{\"id\":\"" + run + "-%d\",\"orderId\":\"o\",\"amount\":1,\"currency\":\"EUR\"}";
    volatile CountDownLatch called = new CountDownLatch(1);

    private final HttpServer server;
    private final ExecutorService threads = Executors.newCachedThreadPool();

    RecordingProvider() throws IOException {
        server = HttpServer.create(new InetSocketAddress(InetAddress.getByName("127.0.0.1"), 0), 0);
        server.createContext("/charges", this::charge);
        server.createContext("/refunds", this::refund);
        server.setExecutor(threads);
        server.start();
    }

    String url() {
        return "http://127.0.0.1:" + server.getAddress().getPort();
    }

    private void charge(HttpExchange exchange) throws IOException {
        exchange.getRequestBody().readAllBytes();
        int number = charges.happen(exchange.getRequestHeaders().getFirst("Idempotency-Key"));
        String charge = answer.formatted(number);
        respondWhenAllowed(exchange, status, charge);
    }

    /** Refunds at once, answers when it may. */
    private void refund(HttpExchange exchange) throws IOException {
        String order = new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.UTF_8);
        if (exchange.getRequestMethod().equals("GET")) {
            respond(exchange, 200, showsRefunds ? "[" + String.join(",", refunds) + "]" : "[]");
            return;
        }
        String key = exchange.getRequestHeaders().getFirst("Idempotency-Key");
        String refund = order.replaceFirst(
                "\\{", "{\"id\":\"" + run + "-r" + refunds.size() + "\",\"idempotencyKey\":\"" + key + "\",");
        refunds.add(refund);
        respondWhenAllowed(exchange, 201, showsRefunds ? refund : "{\"id\":");
    }

    private void respondWhenAllowed(HttpExchange exchange, int status, String json) throws IOException {
        called.countDown();
        try {
            answers.await();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        respond(exchange, status, json);
    }

    private static void respond(HttpExchange exchange, int status, String json) throws IOException {
        byte[] body = json.getBytes(StandardCharsets.UTF_8);
        exchange.getResponseHeaders().add("Content-Type", "application/json");
        exchange.sendResponseHeaders(status, body.length == 0 ? -1 : body.length);
        exchange.getResponseBody().write(body);
        exchange.close();
    }

    @Override
    public void close() {
        answers.countDown();
        server.stop(0);
        threads.shutdownNow();
    }
}
