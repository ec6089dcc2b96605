package io.idempotency.http.server;

import static io.idempotency.http.server.Wire.post;
import static org.assertj.core.api.Assertions.assertThat;

import io.micronaut.context.ApplicationContext;
import io.micronaut.http.HttpRequest;
import io.micronaut.http.HttpResponse;
import io.micronaut.http.MutableHttpRequest;
import io.micronaut.http.client.HttpClient;
import io.micronaut.runtime.server.EmbeddedServer;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;

/** Browsers on pages of another origin. */
class CrossOriginTest {

    private static final String ORIGIN = "https://shop.example";
    private static final String ITEM = "{\"name\":\"book\",\"price\":12.50}";

    private final String key = UUID.randomUUID().toString();

    private static void serve(Map<String, Object> cors, Consumer<Wire> test) {
        Map<String, Object> all = new HashMap<>(cors);
        all.put("test.shop", true);
        all.put("micronaut.server.cors.enabled", true);
        all.put("micronaut.server.cors.configurations.web.allowed-origins", List.of(ORIGIN));
        try (EmbeddedServer server = ApplicationContext.run(EmbeddedServer.class, all);
                HttpClient client = server.getApplicationContext().createBean(HttpClient.class, server.getURL())) {
            test.accept(new Wire(client));
        }
    }

    private HttpResponse<byte[]> send(Wire wire, String path) {
        return wire.send(post(path, ITEM).header("Origin", ORIGIN).header("Idempotency-Key", key));
    }

    private static List<String> exposed(HttpResponse<?> response) {
        return response.getHeaders().getAll("Access-Control-Expose-Headers").stream()
                .flatMap(line -> Arrays.stream(line.split(", *")))
                .toList();
    }

    private static MutableHttpRequest<?> preflight(String headers) {
        return HttpRequest.OPTIONS("/shop/pojo")
                .header("Origin", ORIGIN)
                .header("Access-Control-Request-Method", "POST")
                .header("Access-Control-Request-Headers", headers);
    }

    @Test
    void scriptsMayReadTheMarks() {
        serve(Map.of(), wire -> {
            assertThat(exposed(send(wire, "/shop/pojo"))).containsExactly("Idempotency-Status");
            assertThat(exposed(send(wire, "/shop/pojo")))
                    .containsExactly("Idempotent-Replayed", "Idempotency-Original");
            HttpResponse<byte[]> refused = wire.send(post("/shop/pojo", ITEM).header("Origin", ORIGIN));
            assertThat(refused.code()).isEqualTo(400);
            assertThat(exposed(refused)).containsExactlyInAnyOrder("Idempotency-Status", "Link");
        });
    }

    @Test
    void whatTheApplicationExposesStaysExposed() {
        serve(Map.of("micronaut.server.cors.configurations.web.exposed-headers", List.of("Location", "ETag")), wire -> {
            send(wire, "/shop/response");
            assertThat(exposed(send(wire, "/shop/response")))
                    .containsExactlyInAnyOrder("Location", "ETag", "Idempotent-Replayed", "Idempotency-Original");
        });
    }

    @Test
    void anotherOriginIsToldNothing() {
        serve(Map.of("micronaut.server.cors.localhost-pass-through", true), wire -> {
            send(wire, "/shop/pojo");
            HttpResponse<byte[]> other = wire.send(post("/shop/pojo", ITEM)
                    .header("Origin", "https://other.example")
                    .header("Idempotency-Key", key));
            assertThat(exposed(other)).isEmpty();
            assertThat(other.header("Access-Control-Allow-Origin")).isNull();
        });
    }

    @Test
    void theKeyMayBeSentWhereverHeadersAreListed() {
        serve(Map.of("micronaut.server.cors.configurations.web.allowed-headers", List.of("Content-Type")), wire -> {
            assertThat(wire.send(preflight("content-type,idempotency-key")).code())
                    .isEqualTo(200);
            assertThat(wire.send(preflight("content-type,x-other")).code()).isEqualTo(403);
        });
    }

    @Test
    void aReplayCarriesTheOriginOfItsOwnRequest() {
        serve(Map.of(), wire -> {
            wire.send(post("/shop/response", ITEM).header("Idempotency-Key", key));
            HttpResponse<byte[]> replay = send(wire, "/shop/response");
            assertThat(replay.header("Idempotent-Replayed")).isEqualTo("true");
            assertThat(replay.getHeaders().getAll("Access-Control-Allow-Origin"))
                    .containsExactly(ORIGIN);
        });
    }
}
