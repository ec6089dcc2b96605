package io.idempotency;

import static org.assertj.core.api.Assertions.assertThat;

import io.idempotency.definition.KafkaStrategy;
import java.time.Duration;
import java.util.Arrays;
import java.util.HashSet;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The one list of refusals. */
class RefusalTest {

    /** Class and member names, annotations, properties, addresses. */
    private static final Pattern INTERNAL = Pattern.compile("\\w[a-z][A-Z]|@|://|\\w\\.\\w|Exception|onAbandoned|_");

    @Test
    void aRefusalForWantOfRoomSaysWhenToTryAgain() {
        IdempotencyException full =
                Refusal.TOO_MANY_RECORDS.exception("charge", "abc", "no room", Duration.ofSeconds(7), null);
        assertThat(full.retryAfter()).isEqualTo(Duration.ofSeconds(7));
        assertThat(full.code()).isEqualTo("too-many-records");
        assertThat(full.retry()).isEqualTo(IdempotencyException.Retry.SAME_KEY);
    }

    @Test
    void thePublishedCodesStatusesAndAdviceStay() {
        Stream<String> declared = Arrays.stream(Refusal.values())
                .map(it -> it.status() + " " + it.code() + " " + it.executed().code() + " "
                        + it.retry().code());
        assertThat(declared)
                .contains(
                        "400 key-missing no new-key",
                        "400 key-invalid no new-key",
                        "409 in-progress unknown same-key",
                        "422 key-reused no new-key",
                        "409 key-used-elsewhere no new-key",
                        "403 key-foreign no new-key",
                        "409 outcome-unknown unknown never",
                        "409 result-unavailable yes never",
                        "409 previous-attempt-failed yes never",
                        "503 store-unavailable no same-key",
                        "503 shutting-down no same-key");
    }

    @Test
    void noTwoKindsShareAnExceptionOfTheirOwn() {
        Set<Class<?>> types = new HashSet<>();
        for (Refusal refusal : Refusal.values()) {
            IdempotencyException exception = refusal.exception("charge", "0".repeat(64), "for operators", null);
            assertThat(exception.refusal()).isEqualTo(refusal);
            assertThat(exception.retryAfter()).isEqualTo(Duration.ofSeconds(1));
            assertThat(exception.getClass() == IdempotencyException.class || types.add(exception.getClass()))
                    .as(refusal.code())
                    .isTrue();
        }
        assertThat(types).hasSize(10);
    }

    /** Micronaut Kafka compares classes, not what a refusal says of itself. */
    @ParameterizedTest
    @EnumSource
    void aListenerKeepsItsMessageForWhatPassesAndForNothingElse(Refusal refusal) {
        Class<?> thrown =
                refusal.exception("charge", null, "for operators", null).getClass();
        assertThat(KafkaStrategy.PASSING.contains(thrown))
                .isEqualTo(refusal.retry() == IdempotencyException.Retry.SAME_KEY);
    }

    @ParameterizedTest
    @EnumSource
    void whatIsOverAfterAWhileSaysWhen(Refusal refusal) {
        IdempotencyException exception =
                refusal.exception("charge", null, "for operators", Duration.ofSeconds(7), null);
        if (refusal.retry() == IdempotencyException.Retry.SAME_KEY) {
            assertThat(exception.retryAfter()).isEqualTo(Duration.ofSeconds(7));
        }
    }

    @ParameterizedTest
    @EnumSource(Refusal.class)
    void theTextsOfCallersNameNothingOfTheInside(Refusal refusal) {
        IdempotencyException exception =
                refusal.exception("charge", "0123456789abcdef".repeat(4), "for operators", new Exception("inside"));
        assertThat(exception.detail()).isEqualTo(refusal.happened() + " " + refusal.next() + " [key 01234567\u2026]");
        assertThat(refusal.title() + " " + refusal.happened() + " " + refusal.next())
                .doesNotContainPattern(INTERNAL);
        assertThat(exception).hasMessageContaining("'charge'").hasMessageContaining("for operators");
    }

    @Test
    void whatIsWrongWithAKeyIsSaidToItsSender() {
        assertThat(new InvalidIdempotencyKeyException("charge", "It is a list", "Send one key.").detail())
                .isEqualTo("It is a list. Nothing was done. Send one key.");
    }

    @Test
    void aCodeOfALaterVersionIsNotKnown() {
        assertThat(Refusal.named("later")).isEmpty();
    }
}
