package io.idempotency.http.server.problem;

import static io.idempotency.http.server.Wire.post;
import static io.idempotency.http.server.Wire.text;
import static org.assertj.core.api.Assertions.assertThat;

import io.idempotency.Refusal;
import io.idempotency.http.server.Wire;
import io.micronaut.context.annotation.Property;
import io.micronaut.http.HttpResponse;
import io.micronaut.http.MutableHttpRequest;
import io.micronaut.http.client.HttpClient;
import io.micronaut.http.client.annotation.Client;
import io.micronaut.test.extensions.junit5.annotation.MicronautTest;
import jakarta.inject.Inject;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What clients that prefer different representations learn of a refusal. */
@MicronautTest
@Property(name = "test.refusals", value = "true")
class ProblemFormsTest {

    @Inject
    @Client("/refuse")
    HttpClient client;

    private Wire wire;

    @BeforeEach
    void wire() {
        wire = new Wire(client);
    }

    private static MutableHttpRequest<String> asking(String path, String accept) {
        MutableHttpRequest<String> request = post(path, "{}");
        request.getHeaders().set("Accept", accept);
        return request;
    }

    private static void assertHeadersSayIt(HttpResponse<?> response, Refusal refusal) {
        assertThat(response.code()).isEqualTo(refusal.status());
        assertThat(response.header("Cache-Control")).isEqualTo("no-store");
        assertThat(response.header("Link"))
                .isEqualTo("</problems/idempotency/" + refusal.code() + ">; rel=\"describedby\"");
        assertThat(response.header("Idempotency-Status"))
                .isEqualTo("refused;code=" + refusal.code() + ";executed="
                        + refusal.executed().code() + ";retry="
                        + refusal.retry().code());
        assertThat(response.header("Retry-After"))
                .isEqualTo(
                        switch (refusal.retry()) {
                            case SAME_KEY -> refusal == Refusal.IN_PROGRESS ? "2" : "1";
                            case NEW_KEY, NEVER -> null;
                        });
    }

    @ParameterizedTest
    @EnumSource(Refusal.class)
    void everyRefusalIsAProblemDocumentForJsonClients(Refusal refusal) {
        HttpResponse<byte[]> response = wire.send(asking("/" + refusal.code(), "application/json"));
        assertHeadersSayIt(response, refusal);
        assertThat(response.getContentType().orElseThrow().getName()).isEqualTo("application/problem+json");
        assertThat(text(response))
                .contains(
                        "\"type\":\"/problems/idempotency/" + refusal.code() + "\"",
                        "\"title\":\"",
                        "\"status\":" + refusal.status(),
                        refusal.happened(),
                        refusal.next(),
                        "\"code\":\"" + refusal.code() + "\"",
                        "\"operation\":\"charge\"",
                        "\"executed\":\"" + refusal.executed().code() + "\"",
                        "\"retry\":\"" + refusal.retry().code() + "\"");
    }

    @ParameterizedTest
    @EnumSource(Refusal.class)
    void everyRefusalIsReadableForPlainTextClients(Refusal refusal) {
        HttpResponse<byte[]> response = wire.send(asking("/" + refusal.code(), "text/plain"));
        assertHeadersSayIt(response, refusal);
        assertThat(response.getContentType().orElseThrow().getName()).isEqualTo("text/plain");
        assertThat(text(response))
                .startsWith(refusal.status() + " ")
                .contains(
                        refusal.next() + " [key 00000000…]\n",
                        "code: " + refusal.code() + "\n",
                        "executed: " + refusal.executed().code() + "\n",
                        "retry: " + refusal.retry().code() + "\n");
    }

    @ParameterizedTest
    @EnumSource(Refusal.class)
    void browsersGetMicronautsErrorPage(Refusal refusal) {
        HttpResponse<byte[]> response =
                wire.send(asking("/" + refusal.code(), "text/html,application/xhtml+xml,*/*;q=0.8"));
        assertHeadersSayIt(response, refusal);
        assertThat(response.getContentType().orElseThrow().getName()).isEqualTo("text/html");
        assertThat(text(response))
                .contains(
                        "<h1>",
                        "code: " + refusal.code(),
                        "retry: " + refusal.retry().code());
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
}
