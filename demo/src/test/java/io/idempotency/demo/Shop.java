package io.idempotency.demo;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.util.concurrent.CompletableFuture;

/** The demo's HTTP interface, as any client sees it. */
final class Shop {

    private final HttpClient client = HttpClient.newHttpClient();
    private final URI base;

    Shop(URI base) {
        this.base = base;
    }

    static String charge(String orderId, String amount) {
        return "{\"orderId\":\"" + orderId + "\",\"amount\":" + amount + ",\"currency\":\"EUR\"}";
    }

    HttpRequest post(String path, String body, String... headers) {
        HttpRequest.Builder request = HttpRequest.newBuilder(base.resolve(path))
                .header("Content-Type", "application/json")
                .POST(HttpRequest.BodyPublishers.ofString(body));
        if (headers.length > 0) {
            request.headers(headers);
        }
        return request.build();
    }

    HttpResponse<String> send(HttpRequest request) {
        try {
            return client.send(request, BodyHandlers.ofString());
        } catch (IOException e) {
            throw new IllegalStateException(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(e);
        }
    }

    CompletableFuture<HttpResponse<String>> sendAsync(HttpRequest request) {
        return client.sendAsync(request, BodyHandlers.ofString());
    }

    HttpResponse<String> pay(String key, String orderId, String amount, String... headers) {
        String[] all = new String[headers.length + 2];
        all[0] = "Idempotency-Key";
        all[1] = key;
        System.arraycopy(headers, 0, all, 2, headers.length);
        return send(post("/payments", charge(orderId, amount), all));
    }

    String get(String path) {
        return send(HttpRequest.newBuilder(base.resolve(path)).build()).body();
    }

    /** How many entries a JSON list of objects has. */
    static int count(String json) {
        return json.split("\"id\"", -1).length - 1;
    }

    /** The first value of that name, without quotes. */
    static String field(String json, String name) {
        return json.replaceFirst("(?s).*?\"" + name + "\":\"?([^\",}]*).*", "$1");
    }

    static boolean replayed(HttpResponse<String> response) {
        return response.headers().firstValue("Idempotent-Replayed").equals(java.util.Optional.of("true"));
    }
}
