package io.idempotency.http.client;

import io.idempotency.IdempotencyException;
import io.idempotency.runtime.Effect;
import io.idempotency.runtime.FailureClassifier;
import io.idempotency.runtime.http.RemoteRefusal;
import io.micronaut.context.annotation.Requires;
import io.micronaut.http.client.HttpClient;
import io.micronaut.http.client.exceptions.HttpClientResponseException;
import jakarta.inject.Singleton;
import java.util.Optional;

/** The called system says whether it executed; that decides, whatever its status. */
@Singleton
@Requires(classes = HttpClient.class)
final class RemoteRefusalClassifier implements FailureClassifier, RemoteRefusal {

    @Override
    public boolean isRemote(IdempotencyException refusal) {
        return refusal.getCause() instanceof HttpClientResponseException
                || refusal.getCause() instanceof UnsentCallException;
    }

    @Override
    public Optional<Effect> effect(Throwable failure) {
        if (!(failure instanceof IdempotencyException refusal) || !isRemote(refusal)) {
            return Optional.empty();
        }
        return Optional.of(refusal.executed() == IdempotencyException.Executed.UNKNOWN ? Effect.UNKNOWN : Effect.FINAL);
    }
}
