package io.idempotency.http.server.problem;

import io.idempotency.PreviousAttemptFailedException;
import io.idempotency.runtime.Effect;
import io.idempotency.runtime.FailureClassifier;
import io.idempotency.runtime.FailureSanitizer;
import io.micronaut.context.annotation.Requires;
import io.micronaut.context.annotation.Secondary;
import io.micronaut.http.HttpStatus;
import io.micronaut.http.exceptions.HttpStatusException;
import jakarta.inject.Singleton;
import java.util.Arrays;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Remembers the status that a body threw, so that duplicates are answered as the first caller was,
 * and the message of that exception, which its thrower wrote for the caller. An application's own
 * sanitiser takes precedence.
 */
@Singleton
@Secondary
@Requires(classes = HttpStatusException.class)
final class HttpStatusClassifier implements FailureClassifier, FailureSanitizer {

    private static final String STATUS = "http:";

    /** Marks an exception that carried a body object, which is not remembered. */
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
        return failure instanceof HttpStatusException thrown
                ? Optional.of(
                        code(thrown.getStatus().getCode()) + (thrown.getBody().isPresent() ? WITH_BODY : ""))
                : Optional.empty();
    }

    static String code(int status) {
        return STATUS + status;
    }

    /** The status that the body threw. */
    static Optional<HttpStatus> statusOf(PreviousAttemptFailedException refusal) {
        String code = String.valueOf(refusal.failureCode()).replace(WITH_BODY, "");
        return Arrays.stream(HttpStatus.values())
                .filter(status -> code(status.getCode()).equals(code))
                .findFirst();
    }

    /** The exception as the body threw it, if all of it is remembered. */
    static Optional<HttpStatusException> thrownAs(PreviousAttemptFailedException refusal) {
        String message = refusal.failureMessage();
        return message == null
                ? Optional.empty()
                : statusOf(refusal)
                        .filter(status -> code(status.getCode()).equals(refusal.failureCode()))
                        .map(status -> new HttpStatusException(status, message));
    }
}
