package io.idempotency.http.server;

import static io.idempotency.http.server.Wire.post;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.micronaut.context.ApplicationContext;
import io.micronaut.context.annotation.Property;
import io.micronaut.http.HttpResponse;
import io.micronaut.http.client.HttpClient;
import io.micronaut.http.client.annotation.Client;
import io.micronaut.test.extensions.junit5.annotation.MicronautTest;
import jakarta.inject.Inject;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The first answer again, to the byte, whatever a route returns. */
@MicronautTest
@Property(name = "test.results", value = "true")
@Property(name = "idempotency.http.replayed-headers", value = "x-own,cache-control")
class ReplayedResultsTest {

    @Inject
    @Client("/results")
    HttpClient client;

    @Inject
    ResultsController results;

    private final String key = UUID.randomUUID().toString();

    @BeforeEach
    void reset() {
        results.bodies.set(0);
    }

    private HttpResponse<byte[]> send(String path) {
        return new Wire(client).send(post(path, "\"{}\"").header("Idempotency-Key", key));
    }

    /** Without the date and what says that it is a replay. */
    private static Map<String, List<String>> head(HttpResponse<?> response) {
        Map<String, List<String>> head = new HashMap<>();
        response.getHeaders().forEach((name, values) -> head.put(name.toLowerCase(java.util.Locale.ROOT), values));
        List.of(
                        "date",
                        "idempotent-replayed",
                        "idempotency-original",
                        "idempotency-status",
                        "cache-control",
                        "link",
                        "set-cookie",
                        "x-request-id")
                .forEach(head::remove);
        return head;
    }

    @ParameterizedTest
    @CsvSource({
        "object, 200",
        "created, 201",
        "list, 200",
        "empty-list, 200",
        "text, 200",
        "json-text, 200",
        "xml, 200",
        "image, 200",
        "number, 200",
        "nothing, 200",
        "null, 404",
        "present, 200",
        "empty, 404",
        "later, 200",
        "mono, 200",
        "mono-response, 202",
        "response, 201",
        "vendor, 200",
        "bytes, 200",
        "no-content, 204",
        "refused, 422",
        "broken, 500",
        "status, 202",
        "thrown, 409"
    })
    void aReplayIsTheFirstAnswer(String path, int status) {
        HttpResponse<byte[]> first = send("/" + path);
        int bodies = results.bodies.get();
        assertThat(first.code()).isEqualTo(status);
        assertThat(first.header("Idempotent-Replayed")).isNull();
        assertThat(bodies).isPositive();
        for (int i = 0; i < 2; i++) {
            HttpResponse<byte[]> replay = send("/" + path);
            assertThat(replay.code()).isEqualTo(status);
            assertThat(replay.body()).isEqualTo(first.body());
            assertThat(head(replay)).isEqualTo(head(first));
            assertThat(replay.header("Idempotent-Replayed")).isEqualTo("true");
        }
        assertThat(results.bodies).hasValue(bodies);
    }

    @Test
    void theConfiguredHeadersAreRepeatedAndThoseOfOneExchangeNever() {
        HttpResponse<byte[]> first = send("/response");
        HttpResponse<byte[]> replay = send("/response");
        assertThat(replay.header("X-Own")).isEqualTo("own 1").isEqualTo(first.header("X-Own"));
        assertThat(replay.header("Location")).isEqualTo("/results/1");
        assertThat(replay.header("Operation-Location")).isEqualTo("/operations/1");
        assertThat(replay.header("Cache-Control")).isEqualTo("private, max-age=60");
        assertThat(replay.getHeaders().getAll("Link"))
                .hasSize(2)
                .isEqualTo(first.getHeaders().getAll("Link"));
        assertThat(replay.header("ETag")).isEqualTo("\"1\"");
        assertThat(first.getHeaders().names()).contains("Set-Cookie", "X-Request-Id");
        assertThat(replay.getHeaders().names()).doesNotContain("Set-Cookie", "X-Request-Id");
        assertThat(replay.header("Date")).isNotEqualTo("Thu, 01 Jan 2026 00:00:00 GMT");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "Set-Cookie",
                "set-cookie2",
                "Connection",
                "Transfer-Encoding",
                "Keep-Alive",
                "TE",
                "Trailer",
                "Upgrade",
                "Proxy-Authenticate",
                "Content-Length",
                "Date",
                "Age",
                "traceparent",
                "TraceState",
                "X-B3-TraceId",
                "b3",
                "X-Request-ID",
                "X-Amzn-Trace-Id",
                "uber-trace-id",
                "baggage",
                "Access-Control-Allow-Origin",
                "Idempotent-Replayed",
                "two words",
                "colon:"
            })
    void aHeaderOfOneExchangeIsNotConfigurable(String name) {
        assertThatThrownBy(() -> ApplicationContext.run(
                                Map.of("idempotency.http.replayed-headers", List.of("Location", name)))
                        .close())
                .hasStackTraceContaining("idempotency.http.replayed-headers: '" + name + "'");
    }
}
