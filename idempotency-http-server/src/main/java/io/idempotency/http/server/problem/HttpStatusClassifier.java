package io.idempotency.http.server.problem;

import io.idempotency.IdempotencyException;
import io.idempotency.PreviousAttemptFailedException;
import io.idempotency.runtime.Effect;
import io.idempotency.runtime.FailureClassifier;
import io.idempotency.runtime.FailureSanitizer;
import io.micronaut.context.annotation.Secondary;
import io.micronaut.http.HttpStatus;
import io.micronaut.http.exceptions.HttpStatusException;
import jakarta.inject.Singleton;
import java.util.Arrays;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Records status and message of a body's {@code HttpStatusException}. An application's sanitiser takes precedence. */
@Singleton
@Secondary
final class HttpStatusClassifier implements FailureClassifier, FailureSanitizer {

    /** Marks an exception whose answer is not recorded: it carried a body object, or a subclass may have a handler. */
    private static final String WITH_BODY = ";body";

    @Override
    public Optional<Effect> effect(Throwable failure) {
        return Optional.empty();
    }

    @Override
    public @Nullable String message(Throwable failure) {
        return failure instanceof HttpStatusException ? failure.getMessage() : null;
    }

    @Override
    public Optional<String> code(Throwable failure) {
        if (!(failure instanceof HttpStatusException thrown)) {
            return Optional.empty();
        }
        boolean plain = thrown.getClass() == HttpStatusException.class
                && thrown.getBody().isEmpty();
        return Optional.of(code(thrown.getStatus().getCode()) + (plain ? "" : WITH_BODY));
    }

    static String code(int status) {
        return "http:" + status;
    }

    static Optional<HttpStatus> statusOf(IdempotencyException refusal) {
        String code = refusal instanceof PreviousAttemptFailedException failed
                ? String.valueOf(failed.failureCode()).replace(WITH_BODY, "")
                : "";
        return Arrays.stream(HttpStatus.values())
                .filter(status -> code(status.getCode()).equals(code))
                .findFirst();
    }

    /** Returns the exception that the body threw, if all of it was recorded. */
    static Optional<HttpStatusException> thrownAs(IdempotencyException refusal) {
        return refusal instanceof PreviousAttemptFailedException failed && failed.failureMessage() != null
                ? statusOf(refusal)
                        .filter(status -> code(status.getCode()).equals(failed.failureCode()))
                        .map(status -> new HttpStatusException(status, failed.failureMessage()))
                : Optional.empty();
    }
}
