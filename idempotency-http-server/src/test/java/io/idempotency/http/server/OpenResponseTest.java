package io.idempotency.http.server;

import static org.assertj.core.api.Assertions.assertThat;

import io.idempotency.IdempotentOperation;
import io.micronaut.context.annotation.Property;
import io.micronaut.context.annotation.Requires;
import io.micronaut.http.HttpRequest;
import io.micronaut.http.HttpResponse;
import io.micronaut.http.MediaType;
import io.micronaut.http.annotation.Controller;
import io.micronaut.http.annotation.PathVariable;
import io.micronaut.http.annotation.Post;
import io.micronaut.http.client.HttpClient;
import io.micronaut.http.client.annotation.Client;
import io.micronaut.http.client.exceptions.HttpClientResponseException;
import io.micronaut.http.hateoas.JsonError;
import io.micronaut.serde.annotation.Serdeable;
import io.micronaut.test.extensions.junit5.annotation.MicronautTest;
import jakarta.inject.Inject;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import reactor.core.publisher.Mono;

/** Routes that return {@code HttpResponse<?>}. */
@MicronautTest
@Property(name = "test.open", value = "true")
class OpenResponseTest {

    @Inject
    @Client("/open")
    HttpClient client;

    @Inject
    OpenController controller;

    @Serdeable
    record Sold(int number, String name, BigDecimal price, List<String> tags, String note) {}

    @Controller("/open")
    @Requires(property = "test.open")
    static class OpenController {
        final AtomicInteger bodies = new AtomicInteger();

        @Post("/{kind}")
        @IdempotentOperation("open-response")
        HttpResponse<?> answer(@PathVariable String kind) {
            return answered(kind);
        }

        @Post("/later/{kind}")
        @IdempotentOperation("open-response-later")
        CompletionStage<HttpResponse<?>> later(@PathVariable String kind) {
            return CompletableFuture.completedFuture(answered(kind));
        }

        @Post("/map")
        @IdempotentOperation("open-response-map")
        HttpResponse<Map<String, Object>> map() {
            Map<String, Object> body = new LinkedHashMap<>();
            body.put("z", bodies.incrementAndGet());
            body.put("price", new BigDecimal("12.50"));
            body.put("large", new BigInteger("9".repeat(30)));
            body.put("none", null);
            body.put("list", List.of(1, 2.0, "ü"));
            return HttpResponse.created(body);
        }

        @Post("/maps")
        @IdempotentOperation("open-response-maps")
        Mono<HttpResponse<List<Map<String, ?>>>> maps() {
            return Mono.fromSupplier(() ->
                    HttpResponse.ok(List.of(Map.of("price", new BigDecimal("1.10"), "n", bodies.incrementAndGet()))));
        }

        private HttpResponse<?> answered(String kind) {
            Sold sold = new Sold(bodies.incrementAndGet(), "Bücher ☃", new BigDecimal("12.50"), List.of(), null);
            return switch (kind) {
                case "bean" -> HttpResponse.created(sold, URI.create("/open/1"));
                case "list" -> HttpResponse.ok(List.of(sold, Map.of("a", 1.10)));
                case "text" -> HttpResponse.ok("grün").contentType(MediaType.TEXT_PLAIN_TYPE);
                case "json-text" -> HttpResponse.ok("{ \"as\" : \"it is\" }");
                case "bytes" ->
                    HttpResponse.ok(new byte[] {0, -1, 127}).contentType(MediaType.APPLICATION_OCTET_STREAM_TYPE);
                case "problem" -> HttpResponse.badRequest(new JsonError("no"));
                case "hal" -> HttpResponse.ok(sold).contentType(MediaType.APPLICATION_HAL_JSON_TYPE);
                case "nothing" -> HttpResponse.noContent();
                default -> HttpResponse.ok(sold).contentType(MediaType.TEXT_PLAIN_TYPE);
            };
        }
    }

    private HttpResponse<?> send(String path, String key) {
        HttpRequest<?> request =
                HttpRequest.POST("/" + path, "").accept(MediaType.ALL_TYPE).header("Idempotency-Key", key);
        try {
            return client.toBlocking().exchange(request, byte[].class);
        } catch (HttpClientResponseException e) {
            return e.getResponse();
        }
    }

    private static Optional<byte[]> bytes(HttpResponse<?> response) {
        return response.getBody(byte[].class);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "bean",
                "list",
                "text",
                "json-text",
                "bytes",
                "problem",
                "hal",
                "nothing",
                "map",
                "maps",
                "later/bean",
                "later/json-text"
            })
    void aReplayHasTheStatusTheTypeAndTheBytesOfTheFirstAnswer(String path) {
        int before = controller.bodies.get();
        String key = UUID.randomUUID().toString();
        HttpResponse<?> first = send(path, key);
        HttpResponse<?> replay = send(path, key);

        assertThat(replay.header("Idempotent-Replayed")).isEqualTo("true");
        assertThat(replay.code()).isEqualTo(first.code());
        assertThat(replay.getContentType()).isEqualTo(first.getContentType());
        assertThat(replay.header("Location")).isEqualTo(first.header("Location"));
        assertThat(bytes(replay).isPresent()).isEqualTo(bytes(first).isPresent());
        bytes(first).ifPresent(sent -> assertThat(bytes(replay)).hasValue(sent));
        assertThat(controller.bodies).hasValue(before + 1);
    }

    @Test
    void whatWasSentIsWhatTheRouteSays() {
        assertThat(bytes(send("text", "1"))).hasValue("grün".getBytes(StandardCharsets.UTF_8));
        assertThat(bytes(send("bytes", "2"))).hasValue(new byte[] {0, -1, 127});
    }

    @Test
    void aBodyThatIsNotKnownToBeJsonIsNotReplayedAndItsKeyStaysSpent() {
        int before = controller.bodies.get();
        send("bean-as-text", "3");

        HttpResponse<?> duplicate = send("bean-as-text", "3");
        assertThat(duplicate.code()).isEqualTo(409);
        assertThat(duplicate.getBody(String.class).orElse("")).contains("result-unavailable");
        assertThat(controller.bodies).hasValue(before + 1);
    }
}
