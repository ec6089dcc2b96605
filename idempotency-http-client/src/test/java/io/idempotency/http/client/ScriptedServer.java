package io.idempotency.http.client;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

/** A system of somebody else: it answers as it is told to, and notes what it was asked. */
final class ScriptedServer implements AutoCloseable {

    /** An answer; one of status 0 is lost: the request was read, and the connection breaks. */
    record Answer(int status, String type, String body, Map<String, String> headers) {
        static Answer created() {
            return new Answer(201, "application/json", "{\"id\":\"ch-1\"}", Map.of());
        }

        static Answer lost() {
            return new Answer(0, "", "", Map.of());
        }

        static Answer plain(int status) {
            return new Answer(status, "text/plain", "no", Map.of());
        }

        static Answer problem(int status, String code, String executed, String retry) {
            return new Answer(
                    status,
                    "application/problem+json",
                    "{\"type\":\"/problems/idempotency/" + code + "\",\"status\":" + status + ",\"detail\":\"because\","
                            + "\"code\":\"" + code + "\",\"operation\":\"their-charge\",\"executed\":\"" + executed
                            + "\",\"retry\":\"" + retry + "\"}",
                    Map.of());
        }

        static Answer inProgress() {
            return problem(409, "in-progress", "unknown", "same-key");
        }

        Answer with(String header, String value) {
            return new Answer(status, type, body, Map.of(header, value));
        }

        /** With one more header field. */
        Answer and(String header, String value) {
            Map<String, String> more = new HashMap<>(headers);
            more.put(header, value);
            return new Answer(status, type, body, more);
        }
    }

    /** A request as it arrived. */
    record Seen(String request, List<String> keys, Map<String, List<String>> headers, String body) {}

    private final List<Seen> seen = new CopyOnWriteArrayList<>();
    private final Deque<Answer> script = new ArrayDeque<>();
    private final ExecutorService threads = Executors.newCachedThreadPool();
    private final HttpServer server;

    ScriptedServer() {
        try {
            server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        server.createContext("/", this::answer);
        server.setExecutor(threads);
        server.start();
    }

    String url() {
        return "http://127.0.0.1:" + server.getAddress().getPort();
    }

    /** Forgets the past, and answers so from now on; the last answer again and again. */
    void answer(Answer... answers) {
        synchronized (script) {
            script.clear();
            script.addAll(Arrays.asList(answers));
        }
        seen.clear();
    }

    List<Seen> seen() {
        return List.copyOf(seen);
    }

    /** The key of each request that came, in order. */
    List<String> keys() {
        return seen.stream().map(request -> String.join("|", request.keys())).toList();
    }

    private void answer(HttpExchange exchange) throws IOException {
        String body = new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.UTF_8);
        Answer answer;
        synchronized (script) {
            answer = script.size() > 1 ? script.remove() : script.element();
        }
        List<String> keys = exchange.getRequestHeaders().getOrDefault("Idempotency-Key", List.of());
        seen.add(new Seen(
                exchange.getRequestMethod() + " " + exchange.getRequestURI(),
                List.copyOf(keys),
                Map.copyOf(exchange.getRequestHeaders()),
                body));
        if (answer.status() == 0) {
            exchange.close();
            return;
        }
        answer.headers().forEach(exchange.getResponseHeaders()::add);
        exchange.getResponseHeaders().add("Content-Type", answer.type());
        byte[] bytes = answer.body().getBytes(StandardCharsets.UTF_8);
        exchange.sendResponseHeaders(answer.status(), bytes.length == 0 ? -1 : bytes.length);
        exchange.getResponseBody().write(bytes);
        exchange.close();
    }

    @Override
    public void close() {
        server.stop(0);
        threads.shutdownNow();
    }
}
