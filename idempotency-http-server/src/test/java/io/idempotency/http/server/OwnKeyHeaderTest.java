package io.idempotency.http.server;

import static io.idempotency.http.server.Wire.post;
import static io.idempotency.http.server.Wire.text;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.idempotency.IdempotentOperation;
import io.idempotency.Refusal;
import io.micronaut.context.ApplicationContext;
import io.micronaut.context.annotation.Property;
import io.micronaut.context.annotation.Requires;
import io.micronaut.http.HttpRequest;
import io.micronaut.http.HttpResponse;
import io.micronaut.http.annotation.Controller;
import io.micronaut.http.annotation.Post;
import io.micronaut.http.client.HttpClient;
import io.micronaut.http.client.annotation.Client;
import io.micronaut.test.extensions.junit5.annotation.MicronautTest;
import jakarta.inject.Inject;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Keys that another header carries. */
@MicronautTest
@Property(name = "test.own-key-header", value = "true")
@Property(name = "idempotency.http.header", value = "X-Idempotency")
@Property(name = "idempotency.http.operations.key-header-own.header", value = "X-Request-Id")
@Property(name = "idempotency.http.routes.key-header-route.path", value = "/key-header/route")
@Property(name = "micronaut.server.cors.enabled", value = "true")
@Property(name = "micronaut.server.cors.configurations.shop.allowed-origins", value = "http://shop.example")
@Property(name = "micronaut.server.cors.configurations.shop.allowed-headers", value = "Content-Type")
class OwnKeyHeaderTest {

    @Inject
    @Client("/key-header")
    HttpClient client;

    @Inject
    @Client("/")
    HttpClient root;

    private final String key = UUID.randomUUID().toString();

    @Controller("/key-header")
    @Requires(property = "test.own-key-header")
    static class KeyHeaderController {
        final AtomicInteger bodies = new AtomicInteger();

        @Post("/all")
        @IdempotentOperation("key-header-all")
        String all() {
            return "all " + bodies.incrementAndGet();
        }

        @Post("/own")
        @IdempotentOperation("key-header-own")
        String own() {
            return "own " + bodies.incrementAndGet();
        }

        @Post("/route")
        String route() {
            return "route " + bodies.incrementAndGet();
        }
    }

    private HttpResponse<byte[]> send(String path, String header, String value) {
        return new Wire(client).send(post(path, "{}").header(header, value));
    }

    @ParameterizedTest
    @CsvSource({"/all, X-Idempotency", "/route, x-idempotency", "/own, X-Request-Id"})
    void itCarriesTheKey(String path, String header) {
        HttpResponse<byte[]> first = send(path, header, key);
        HttpResponse<byte[]> replay = send(path, header, "\"" + key + "\"");
        assertThat(first.code()).isEqualTo(200);
        assertThat(text(replay)).isEqualTo(text(first));
        assertThat(replay.header("Idempotent-Replayed")).isEqualTo("true");
        assertThat(text(send(path, header, "a,b"))).contains("key-invalid").containsIgnoringCase(header);
    }

    @ParameterizedTest
    @ValueSource(strings = {"/all", "/route", "/own"})
    void theOneOfTheDraftCountsNoMore(String path) {
        HttpResponse<byte[]> refused = send(path, "Idempotency-Key", key);
        assertThat(refused.code()).isEqualTo(400);
        assertThat(text(refused)).contains("key-missing");
    }

    @ParameterizedTest
    @CsvSource({"/all, X-Idempotency", "/route, X-Idempotency", "/own, X-Request-Id"})
    void whatIsWrongWithItIsSaidInItsName(String path, String header) {
        for (String form : new String[] {"application/json", "text/plain"}) {
            String refused = text(new Wire(client).send(post(path, "{}").accept(form)));
            assertThat(refused).contains(header + " is missing").doesNotContain("Idempotency-Key");
        }
    }

    @Test
    void theDescriptionsOfRefusalsNameTheOneOfAllOperations() {
        String all = Stream.of(Refusal.values())
                .map(refusal -> text(new Wire(root).send(HttpRequest.GET("/problems/idempotency/" + refusal.code()))))
                .collect(Collectors.joining());
        assertThat(all).contains("X-Idempotency is missing").doesNotContain("Idempotency-Key");
    }

    @Test
    void scriptsOfOtherOriginsMaySendThem() {
        HttpResponse<byte[]> preflight = new Wire(client)
                .send(HttpRequest.OPTIONS("/own")
                        .header("Origin", "http://shop.example")
                        .header("Access-Control-Request-Method", "POST")
                        .header("Access-Control-Request-Headers", "x-request-id,x-idempotency"));
        assertThat(preflight.code()).isEqualTo(200);
    }

    @ParameterizedTest
    @ValueSource(strings = {"two words", "Authorization", "cookie", ""})
    void aHeaderThatSaysSomethingElseStopsTheStart(String name) {
        for (String property : new String[] {"idempotency.http.header", "idempotency.http.operations.pay.header"}) {
            assertThatThrownBy(
                            () -> ApplicationContext.run(Map.of(property, name)).close())
                    .hasStackTraceContaining(property + ": '" + name + "'");
        }
    }
}
