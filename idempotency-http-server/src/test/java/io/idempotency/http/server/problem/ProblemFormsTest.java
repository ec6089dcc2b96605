package io.idempotency.http.server.problem;

import static io.idempotency.http.server.Wire.post;
import static io.idempotency.http.server.Wire.text;
import static java.util.Map.entry;
import static org.assertj.core.api.Assertions.assertThat;

import io.idempotency.IdempotencyException;
import io.idempotency.http.server.Wire;
import io.micronaut.context.annotation.Property;
import io.micronaut.http.HttpResponse;
import io.micronaut.http.MutableHttpRequest;
import io.micronaut.http.client.HttpClient;
import io.micronaut.http.client.annotation.Client;
import io.micronaut.test.extensions.junit5.annotation.MicronautTest;
import jakarta.inject.Inject;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What clients that prefer different representations learn of a refusal. */
@MicronautTest
@Property(name = "test.refusals", value = "true")
class ProblemFormsTest {

    private static final Map<String, Integer> STATUS = Map.ofEntries(
            entry("key-missing", 400),
            entry("key-invalid", 400),
            entry("key-reused", 422),
            entry("key-used-elsewhere", 409),
            entry("key-foreign", 403),
            entry("in-progress", 409),
            entry("outcome-unknown", 409),
            entry("result-unavailable", 409),
            entry("previous-attempt-failed", 409),
            entry("store-unavailable", 503),
            entry("shutting-down", 503));

    @Inject
    @Client("/refuse")
    HttpClient client;

    private Wire wire;

    @BeforeEach
    void wire() {
        wire = new Wire(client);
    }

    static List<IdempotencyException> refusals() {
        return RefusingController.REFUSALS;
    }

    private static MutableHttpRequest<String> asking(String path, String accept) {
        MutableHttpRequest<String> request = post(path, "{}");
        request.getHeaders().set("Accept", accept);
        return request;
    }

    private static String word(Enum<?> value) {
        return ProblemKind.word(value);
    }

    private static void assertHeadersSayIt(HttpResponse<?> response, IdempotencyException refusal) {
        assertThat(response.code()).isEqualTo(STATUS.get(refusal.code()));
        assertThat(response.header("Cache-Control")).isEqualTo("no-store");
        assertThat(response.header("Link"))
                .isEqualTo("</problems/idempotency/" + refusal.code() + ">; rel=\"describedby\"");
        assertThat(response.header("Idempotency-Status"))
                .isEqualTo("refused;code=" + refusal.code() + ";executed=" + word(refusal.executed()) + ";retry="
                        + word(refusal.retry()));
        assertThat(response.header("Retry-After"))
                .isEqualTo(
                        switch (refusal.code()) {
                            case "in-progress" -> "2";
                            case "store-unavailable", "shutting-down" -> "1";
                            default -> null;
                        });
    }

    @ParameterizedTest
    @MethodSource("refusals")
    void everyRefusalIsAProblemDocumentForJsonClients(IdempotencyException refusal) {
        HttpResponse<byte[]> response = wire.send(asking("/" + refusal.code(), "application/json"));
        assertHeadersSayIt(response, refusal);
        assertThat(response.getContentType().orElseThrow().getName()).isEqualTo("application/problem+json");
        assertThat(text(response))
                .contains(
                        "\"type\":\"/problems/idempotency/" + refusal.code() + "\"",
                        "\"title\":\"",
                        "\"status\":" + STATUS.get(refusal.code()),
                        "said\"",
                        "\"code\":\"" + refusal.code() + "\"",
                        "\"operation\":\"charge\"",
                        "\"executed\":\"" + word(refusal.executed()) + "\"",
                        "\"retry\":\"" + word(refusal.retry()) + "\"");
    }

    @ParameterizedTest
    @MethodSource("refusals")
    void everyRefusalIsReadableForPlainTextClients(IdempotencyException refusal) {
        HttpResponse<byte[]> response = wire.send(asking("/" + refusal.code(), "text/plain"));
        assertHeadersSayIt(response, refusal);
        assertThat(response.getContentType().orElseThrow().getName()).isEqualTo("text/plain");
        assertThat(text(response))
                .startsWith(STATUS.get(refusal.code()) + " ")
                .contains(
                        "said\n",
                        "code: " + refusal.code() + "\n",
                        "executed: " + word(refusal.executed()) + "\n",
                        "retry: " + word(refusal.retry()) + "\n");
    }

    @ParameterizedTest
    @MethodSource("refusals")
    void browsersGetMicronautsErrorPage(IdempotencyException refusal) {
        HttpResponse<byte[]> response =
                wire.send(asking("/" + refusal.code(), "text/html,application/xhtml+xml,*/*;q=0.8"));
        assertHeadersSayIt(response, refusal);
        assertThat(response.getContentType().orElseThrow().getName()).isEqualTo("text/html");
        assertThat(text(response)).contains("<h1>", "code: " + refusal.code(), "retry: " + word(refusal.retry()));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "*/*|application/problem+json",
                "application/problem+json|application/problem+json",
                "application/vnd.shop+json|application/problem+json",
                "application/xml|application/problem+json",
                "text/html, application/json|application/problem+json",
                "text/plain, application/json;q=0.1|text/plain",
                "text/plain;q=0.1, application/json|application/problem+json",
                "text/*|text/plain",
                "image/png, text/plain|text/plain",
                "nonsense|application/problem+json"
            })
    void theClientsFavouriteFormIsTaken(String accept, String type) {
        HttpResponse<byte[]> response = wire.send(asking("/in-progress", accept));
        assertThat(response.getContentType().orElseThrow().getName()).isEqualTo(type);
        assertThat(response.code()).isEqualTo(409);
    }

    @Test
    void aClientThatSaysNothingGetsJson() {
        assertThat(text(wire.send(io.micronaut.http.HttpRequest.POST("/in-progress", "{}"))))
                .contains("\"code\":\"in-progress\"");
    }

    @ParameterizedTest
    @ValueSource(strings = {"application/json", "text/plain", "text/html"})
    void aStatusThatTheBodyThrewIsAnsweredToTheByteAsTheFirstTime(String accept) {
        HttpResponse<byte[]> first = wire.send(asking("/first", accept));
        HttpResponse<byte[]> again = wire.send(asking("/again?code=http:410", accept));
        assertThat(again.code()).isEqualTo(first.code()).isEqualTo(410);
        assertThat(again.getContentType()).isEqualTo(first.getContentType());
        // Micronaut's error links to itself
        assertThat(text(again)).isEqualTo(text(first).replace("/refuse/first", "/refuse/again?code=http:410"));
        assertThat(again.header("Idempotent-Replayed")).isEqualTo("true");
        assertThat(again.header("Idempotency-Status")).contains("previous-attempt-failed", "executed=yes");
    }

    @ParameterizedTest
    @ValueSource(strings = {"http:410;body", "http:999", "http:", "other"})
    void whatIsNotRememberedWholeIsAProblem(String code) {
        HttpResponse<byte[]> response =
                wire.send(asking("/again?code=" + code.replace(";", "%3B"), "application/json"));
        assertThat(response.code()).isEqualTo(code.startsWith("http:410") ? 410 : 409);
        assertThat(text(response)).contains("\"code\":\"previous-attempt-failed\"", "\"executed\":\"yes\"");
        assertThat(response.header("Idempotent-Replayed")).isNull();
    }

    @Test
    void aRefusalOfAnUnknownKindIsAConflict() {
        HttpResponse<byte[]> response = wire.send(asking("/own", "application/json"));
        assertThat(response.code()).isEqualTo(409);
        assertThat(text(response)).contains("\"code\":\"own\"", "\"retry\":\"never\"");
    }

    @Test
    void theDescriptionOfAKindSaysWhatItsRefusalSays() {
        for (IdempotencyException refusal : RefusingController.REFUSALS) {
            ProblemKind kind = ProblemKind.named(refusal.code()).orElseThrow();
            assertThat(kind.executed()).isEqualTo(refusal.executed());
            assertThat(kind.retry()).isEqualTo(refusal.retry());
        }
        assertThat(RefusingController.REFUSALS).hasSize(ProblemKind.values().length);
    }
}
