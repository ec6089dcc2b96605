package io.idempotency.http.server.problem;

import static io.idempotency.http.server.Wire.post;
import static io.idempotency.http.server.Wire.text;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.idempotency.Refusal;
import io.idempotency.http.server.Wire;
import io.micronaut.context.ApplicationContext;
import io.micronaut.context.env.PropertySource;
import io.micronaut.http.HttpRequest;
import io.micronaut.http.HttpResponse;
import io.micronaut.http.client.HttpClient;
import io.micronaut.runtime.server.EmbeddedServer;
import java.util.Map;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/** Deployments whose clients take 409 for something else. */
class RefusalStatusTest {

    private static String property(String code) {
        return "idempotency.http.refusals." + code + ".status";
    }

    private static void serve(PropertySource configured, Consumer<Wire> test) {
        try (EmbeddedServer server = ApplicationContext.builder()
                        .properties(Map.of("test.refusals", true))
                        .propertySources(configured)
                        .run(EmbeddedServer.class);
                HttpClient client = server.getApplicationContext().createBean(HttpClient.class, server.getURL())) {
            test.accept(new Wire(client));
        }
    }

    private static void assertStatus(Wire wire, Refusal refusal, int status) {
        HttpResponse<byte[]> response = wire.send(post("/refuse/" + refusal.code(), "{}"));
        assertThat(response.code()).isEqualTo(status);
        assertThat(text(response)).contains("\"status\":" + status);
        assertThat(response.header("Idempotency-Status"))
                .isEqualTo("refused;code=" + refusal.code() + ";executed="
                        + refusal.executed().code() + ";retry="
                        + refusal.retry().code());
        assertThat(response.header("Retry-After") != null).isEqualTo(refusal == Refusal.IN_PROGRESS);
        assertThat(text(wire.send(HttpRequest.GET("/problems/idempotency/" + refusal.code()))))
                .contains("\"status\":" + status);
    }

    @ParameterizedTest
    @EnumSource(names = {"OUTCOME_UNKNOWN", "RESULT_UNAVAILABLE", "PREVIOUS_ATTEMPT_FAILED", "KEY_USED_ELSEWHERE"})
    void aTerminalRefusalCanHaveAStatusThatNobodySendsAgain(Refusal refusal) {
        serve(PropertySource.of(Map.of(property(refusal.code()), 422)), wire -> {
            assertStatus(wire, refusal, 422);
            assertStatus(wire, Refusal.IN_PROGRESS, 409);
        });
    }

    @Test
    void whatIsInProgressCanHaveAStatusOfItsOwn() {
        serve(PropertySource.of(Map.of(property("in-progress"), 425)), wire -> {
            assertStatus(wire, Refusal.IN_PROGRESS, 425);
            assertStatus(wire, Refusal.OUTCOME_UNKNOWN, 409);
        });
    }

    @Test
    void anEnvironmentVariableSetsItToo() {
        PropertySource variable = PropertySource.of(
                "env",
                Map.of("IDEMPOTENCY_HTTP_REFUSALS_OUTCOME_UNKNOWN_STATUS", "422"),
                PropertySource.PropertyConvention.ENVIRONMENT_VARIABLE);
        serve(variable, wire -> assertStatus(wire, Refusal.OUTCOME_UNKNOWN, 422));
    }

    @ParameterizedTest
    @CsvSource({
        "outcome-unknwon, 422, there is no such refusal",
        "outcome-unknown, 200, is not an HTTP status from 400 to 599",
        "outcome-unknown, conflict, is not an HTTP status from 400 to 599",
        "outcome-unknown, 503, never helps here",
        "key-reused, 429, never helps here",
        "result-unavailable, 408, never helps here",
        "previous-attempt-failed, 425, never helps here",
    })
    void aStatusThatCannotBeOneStopsTheStart(String code, String status, String problem) {
        assertThatThrownBy(() ->
                        ApplicationContext.run(Map.of(property(code), status)).close())
                .hasStackTraceContaining(property(code))
                .hasStackTraceContaining(problem);
    }
}
