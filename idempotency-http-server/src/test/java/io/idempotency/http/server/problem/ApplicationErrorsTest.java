package io.idempotency.http.server.problem;

import static io.idempotency.http.server.Wire.post;
import static io.idempotency.http.server.Wire.text;
import static org.assertj.core.api.Assertions.assertThat;

import io.idempotency.IdempotencyException;
import io.idempotency.http.server.Wire;
import io.micronaut.context.ApplicationContext;
import io.micronaut.context.annotation.Requires;
import io.micronaut.http.HttpResponse;
import io.micronaut.http.MediaType;
import io.micronaut.http.MutableHttpRequest;
import io.micronaut.http.MutableHttpResponse;
import io.micronaut.http.client.HttpClient;
import io.micronaut.http.server.exceptions.response.ErrorContext;
import io.micronaut.http.server.exceptions.response.ErrorResponseProcessor;
import io.micronaut.http.server.exceptions.response.JsonErrorResponseBodyProvider;
import io.micronaut.runtime.server.EmbeddedServer;
import jakarta.inject.Singleton;
import java.util.Map;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Applications that say themselves how their errors look. */
class ApplicationErrorsTest {

    /** Answers in its own way, once even with a response of its own. */
    @Singleton
    @Requires(property = "test.errors", value = "processor")
    static class OwnProcessor implements ErrorResponseProcessor<String> {
        @Override
        public MutableHttpResponse<String> processResponse(ErrorContext context, MutableHttpResponse<?> response) {
            IdempotencyException refusal =
                    (IdempotencyException) context.getRootCause().orElseThrow();
            String body =
                    "own " + refusal.code() + ", " + context.getErrors().get(0).getMessage();
            MutableHttpResponse<?> answer = refusal.code().equals("key-reused") ? HttpResponse.badRequest() : response;
            return answer.contentType(MediaType.of("text/vnd.own")).body(body);
        }
    }

    /** Answers JSON in its own way. */
    @Singleton
    @Requires(property = "test.errors", value = "json")
    static class OwnJson implements JsonErrorResponseBodyProvider<Map<String, String>> {
        @Override
        public Map<String, String> body(ErrorContext context, HttpResponse<?> response) {
            return Map.of("oops", context.getErrors().get(0).getMessage());
        }
    }

    private static void serve(Map<String, Object> properties, Consumer<Wire> test) {
        try (EmbeddedServer server = ApplicationContext.run(EmbeddedServer.class, properties);
                HttpClient client = server.getApplicationContext().createBean(HttpClient.class, server.getURL())) {
            test.accept(new Wire(client));
        }
    }

    private static MutableHttpRequest<String> accepting(String path, String type) {
        MutableHttpRequest<String> request = post(path, "{}");
        request.getHeaders().set("Accept", type);
        return request;
    }

    private static void assertHeadersSayIt(HttpResponse<?> response, String status) {
        assertThat(response.header("Idempotency-Status")).isEqualTo(status);
        assertThat(response.header("Cache-Control")).isEqualTo("no-store");
        assertThat(response.header("Link")).contains("describedby");
    }

    @ParameterizedTest
    @ValueSource(strings = {"application/json", "text/plain", "text/html"})
    void anApplicationsErrorProcessorGetsEveryRefusal(String accept) {
        serve(Map.of("test.refusals", true, "test.errors", "processor"), wire -> {
            HttpResponse<byte[]> response = wire.send(accepting("/refuse/in-progress", accept));
            assertThat(text(response)).startsWith("own in-progress, ").endsWith(" [key 00000000…]");
            assertThat(response.getContentType().orElseThrow().getName()).isEqualTo("text/vnd.own");
            assertThat(response.code()).isEqualTo(409);
            assertThat(response.header("Retry-After")).isEqualTo("2");
            assertHeadersSayIt(response, "refused;code=in-progress;executed=unknown;retry=same-key");
        });
    }

    @Test
    void whatItAnswersWithAResponseOfItsOwnStillCarriesTheHeaders() {
        serve(Map.of("test.refusals", true, "test.errors", "processor"), wire -> {
            HttpResponse<byte[]> response = wire.send(accepting("/refuse/key-reused", "application/json"));
            assertThat(response.code()).isEqualTo(400);
            assertHeadersSayIt(response, "refused;code=key-reused;executed=no;retry=new-key");
        });
    }

    @Test
    void anApplicationsJsonErrorsAreForJsonClients() {
        serve(Map.of("test.refusals", true, "test.errors", "json"), wire -> {
            HttpResponse<byte[]> json = wire.send(accepting("/refuse/in-progress", "application/json"));
            assertThat(text(json)).startsWith("{\"oops\":");
            assertThat(json.getContentType()).contains(MediaType.APPLICATION_JSON_TYPE);
            assertHeadersSayIt(json, "refused;code=in-progress;executed=unknown;retry=same-key");
            assertThat(text(wire.send(accepting("/refuse/in-progress", "text/plain"))))
                    .contains("code: in-progress");
        });
    }

    @ParameterizedTest
    @ValueSource(strings = {"key-reused", "in-progress", "previous-attempt-failed"})
    void micronautProblemJsonWritesTheWholeProblem(String code) {
        serve(Map.of("test.refusals", true, "problem.enabled", true), wire -> {
            HttpResponse<byte[]> json = wire.send(accepting("/refuse/" + code, "application/json"));
            assertThat(json.getContentType()).contains(MediaType.APPLICATION_JSON_PROBLEM_TYPE);
            assertThat(text(json))
                    .contains(
                            "\"type\":\"/problems/idempotency/" + code + "\"",
                            "\"status\":" + json.code(),
                            "[key 00000000…]\"",
                            "\"code\":\"" + code + "\"",
                            "\"executed\":\"",
                            "\"retry\":\"");
            assertThat(json.header("Idempotency-Status")).startsWith("refused;code=" + code);
            assertThat(text(wire.send(accepting("/refuse/" + code, "text/plain"))))
                    .contains("code: " + code);
        });
    }

    @Test
    void withMicronautProblemJsonAStatusThatTheBodyThrewIsAnsweredAgain() {
        serve(Map.of("test.refusals", true, "problem.enabled", true), wire -> {
            HttpResponse<byte[]> first = wire.send(accepting("/refuse/first", "application/json"));
            HttpResponse<byte[]> again = wire.send(accepting("/refuse/again?code=http:410", "application/json"));
            assertThat(again.body()).isEqualTo(first.body());
            assertThat(again.code()).isEqualTo(410);
            assertThat(again.header("Idempotent-Replayed")).isEqualTo("true");
        });
    }
}
