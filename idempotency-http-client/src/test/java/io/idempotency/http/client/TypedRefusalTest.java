package io.idempotency.http.client;

import static io.idempotency.http.client.ScriptedServer.Answer.plain;
import static io.idempotency.http.client.ScriptedServer.Answer.problem;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;

import io.idempotency.IdempotencyException;
import io.idempotency.OperationInProgressException;
import io.idempotency.OutcomeUnknownException;
import io.idempotency.PreviousAttemptFailedException;
import io.idempotency.Refusal;
import io.idempotency.http.client.ScriptedServer.Answer;
import io.micronaut.http.client.exceptions.HttpClientResponseException;
import io.micronaut.test.extensions.junit5.annotation.MicronautTest;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

/** How the other side's refusals arrive. */
@MicronautTest(startApplication = false)
class TypedRefusalTest extends PspApplication {

    @ParameterizedTest
    @EnumSource(Refusal.class)
    void aProblemOfTheProfileIsTheExceptionThatTheServerThrew(Refusal kind) {
        server.answer(problem(
                kind.status(), kind.code(), kind.executed().code(), kind.retry().code()));
        Throwable thrown = catchThrowable(() -> psp.once(ORDER));
        assertThat(thrown)
                .isExactlyInstanceOf(kind.exception("", null, "", null).getClass())
                .hasCauseInstanceOf(HttpClientResponseException.class);
        IdempotencyException refusal = (IdempotencyException) thrown;
        assertThat(refusal.refusal()).isEqualTo(kind);
        assertThat(refusal.operation()).isEqualTo("their-charge");
        assertThat(refusal).hasMessageContaining("'psp'").hasMessageContaining("because");
    }

    @Test
    void aRefusalOfWhichOnlyAPartDidNotRunIsOneWithAnUnknownOutcome() {
        server.answer(problem(422, "key-reused", "unknown", "never"));
        assertThatThrownBy(() -> psp.once(ORDER))
                .isInstanceOf(OutcomeUnknownException.class)
                .hasMessageContaining("key-reused");
    }

    @ParameterizedTest
    @MethodSource("io.idempotency.http.client.OwnRetryTest#whole")
    void everyKindOfMethodGetsIt(OwnRetryTest.Kind kind) {
        server.answer(problem(422, "key-reused", "no", "new-key"));
        assertThat(catchThrowable(() -> kind.call().apply(psp)))
                .isInstanceOf(IdempotencyException.class)
                .hasCauseInstanceOf(HttpClientResponseException.class);
    }

    @Test
    void inProgressSaysWhenToComeBack() {
        server.answer(Answer.inProgress().with("Retry-After", "4"));
        OperationInProgressException refusal = (OperationInProgressException) catchThrowable(() -> psp.once(ORDER));
        assertThat(refusal.retryAfter()).isEqualTo(Duration.ofSeconds(4));
    }

    @Test
    void whatOthersAnswerStaysWhatItIs() {
        assertUntouched(plain(409));
        assertUntouched(problem(409, "a-code-of-a-later-version", "no", "never"));
        assertUntouched(problem(409, "in-progress", "unknown", "sometimes"));
        assertUntouched(json("{\"error\":{\"code\":\"idempotency_key_in_use\",\"type\":\"idempotency_error\"}}"));
        assertUntouched(json("{\"code\":\"in-progress\"}"));
        assertUntouched(json("{\"code\":"));
        assertUntouched(json("[1]"));
        assertUntouched(json(""));
    }

    /** A call that the application caught, while another one may have had its effect. */
    @Test
    void oneOfSeveralCallsThatWasRefusedIsNotTheAnswersRefusal() {
        String calls = "refused;code=key-reused;executed=no;retry=new-key;op=\"notify\", executed;op=\"charge\"";
        server.answer(plain(500).with("Idempotency-Status", calls));
        assertThat(catchThrowable(() -> psp.once(ORDER))).isExactlyInstanceOf(HttpClientResponseException.class);
        server.answer(problem(409, "outcome-unknown", "unknown", "never").with("Idempotency-Status", calls));
        assertThat(catchThrowable(() -> psp.once(ORDER))).isInstanceOf(OutcomeUnknownException.class);
    }

    /** Another system chooses these texts. */
    @Test
    void whatItSaysOfItselfIsShortened() {
        String code = "{\"code\":\"previous-attempt-failed\",\"executed\":\"yes\",\"retry\":\"never\",";
        String much = "x".repeat(100_000);
        for (String text : List.of("\"detail\":\"%s\",\"operation\":\"%s\"", "\"message\":\"%s\"")) {
            server.answer(json(code + text.replace("%s", much) + "}"));
            assertThatThrownBy(() -> psp.once(ORDER))
                    .isInstanceOf(PreviousAttemptFailedException.class)
                    .satisfies(refusal -> assertThat(refusal.getMessage()).hasSizeLessThan(3000))
                    .satisfies(refusal -> assertThat(((IdempotencyException) refusal).operation())
                            .hasSizeLessThanOrEqualTo(1000));
        }
    }

    private static Answer json(String body) {
        return new Answer(409, "application/json", body, Map.of());
    }

    private void assertUntouched(Answer answer) {
        server.answer(answer);
        assertThat(catchThrowable(() -> psp.once(ORDER))).isExactlyInstanceOf(HttpClientResponseException.class);
    }
}
