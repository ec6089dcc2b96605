package io.idempotency.runtime.intercept;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.idempotency.OutcomeUnknownException;
import io.idempotency.PreviousAttemptFailedException;
import io.idempotency.runtime.FailureSanitizer;
import io.micronaut.context.ApplicationContext;
import io.micronaut.context.annotation.Requires;
import jakarta.inject.Singleton;
import java.util.Map;
import java.util.concurrent.CancellationException;
import org.junit.jupiter.api.Test;

/** What of a body's exception is kept, and told to duplicates. */
class FailureSanitizerTest {

    private static final String PERSONAL = "card of ada@example.com declined";

    /** Keeps what stands before the address. */
    @Singleton
    @Requires(property = "test.sanitizer", value = "own")
    static class OwnSanitizer implements FailureSanitizer {
        @Override
        public String type(Throwable failure) {
            return "declined";
        }

        @Override
        public String message(Throwable failure) {
            return String.valueOf(failure.getMessage()).replaceAll("\\S+@\\S+", "…");
        }
    }

    /** Cannot cope with the exception. */
    @Singleton
    @Requires(property = "test.sanitizer", value = "broken")
    static class BrokenSanitizer implements FailureSanitizer {
        @Override
        public String type(Throwable failure) {
            throw new NoClassDefFoundError("com/example/Missing");
        }

        @Override
        public String message(Throwable failure) {
            throw new IllegalArgumentException(failure.getMessage());
        }
    }

    private static <T extends Exception> T refusal(String sanitizer, Class<T> type, RuntimeException thrown) {
        try (ApplicationContext context = ApplicationContext.run(Map.of("test.sanitizer", sanitizer))) {
            AdvisedService service = context.getBean(AdvisedService.class);
            service.behaviour = run -> {
                throw thrown;
            };
            return catchThrowableOfType(type, () -> service.retried("key"));
        }
    }

    private static PreviousAttemptFailedException failed(String sanitizer) {
        return refusal(sanitizer, PreviousAttemptFailedException.class, new IllegalStateException(PERSONAL));
    }

    @Test
    void theTypeIsKeptAndTheMessageIsNot() {
        PreviousAttemptFailedException refusal = failed("none");
        assertThat(refusal.failureType()).isEqualTo("java.lang.IllegalStateException");
        assertThat(refusal.failureMessage()).isNull();
        assertThat(refusal).hasMessageNotContaining("ada").hasMessageNotContaining("card");
    }

    @Test
    void theApplicationsBeanDecides() {
        PreviousAttemptFailedException refusal = failed("own");
        assertThat(refusal.failureType()).isEqualTo("declined");
        assertThat(refusal.failureMessage()).isEqualTo("card of … declined");
        assertThat(refusal).hasMessageContaining("failed with declined: card of … declined");
    }

    @Test
    void whereItFailsNothingIsKeptButTheType() {
        PreviousAttemptFailedException refusal = failed("broken");
        assertThat(refusal.failureType()).isEqualTo("java.lang.IllegalStateException");
        assertThat(refusal.failureMessage()).isNull();
    }

    @Test
    void theReasonOfADoubtIsSanitizedToo() {
        CancellationException cutOff = new CancellationException(PERSONAL);
        assertThat(refusal("none", OutcomeUnknownException.class, cutOff))
                .hasMessageContaining("java.util.concurrent.CancellationException")
                .hasMessageNotContaining("ada");
        assertThat(refusal("own", OutcomeUnknownException.class, cutOff))
                .hasMessageContaining("the body ended with declined: card of … declined");
    }
}
