package io.idempotency.runtime.http;

import io.idempotency.runtime.Effect;
import io.idempotency.runtime.FailureClassifier;
import io.micronaut.context.annotation.Requires;
import io.micronaut.http.exceptions.HttpStatusException;
import jakarta.inject.Singleton;
import java.util.Optional;

/** Remembers the status that a body threw, so that duplicates are answered as the first caller was. */
@Singleton
@Requires(classes = HttpStatusException.class)
final class HttpStatusClassifier implements FailureClassifier {

    static final String CODE_PREFIX = "http:";

    @Override
    public Optional<Effect> effect(Throwable failure) {
        return Optional.empty();
    }

    @Override
    public Optional<String> code(Throwable failure) {
        return failure instanceof HttpStatusException status
                ? Optional.of(CODE_PREFIX + status.getStatus().getCode())
                : Optional.empty();
    }
}
