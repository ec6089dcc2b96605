package io.idempotency.http.server.problem;

import io.idempotency.runtime.FailureSanitizer;
import io.micronaut.context.annotation.Requires;
import io.micronaut.context.annotation.Secondary;
import io.micronaut.core.annotation.Nullable;
import io.micronaut.http.exceptions.HttpStatusException;
import jakarta.inject.Singleton;

/**
 * Keeps the message of an {@code HttpStatusException}, which its thrower wrote for the caller and the first caller got. An
 * application's own sanitiser takes precedence.
 */
@Singleton
@Secondary
@Requires(classes = HttpStatusException.class)
final class HttpStatusSanitizer implements FailureSanitizer {

    @Override
    public @Nullable String message(Throwable failure) {
        return failure instanceof HttpStatusException ? failure.getMessage() : null;
    }
}
