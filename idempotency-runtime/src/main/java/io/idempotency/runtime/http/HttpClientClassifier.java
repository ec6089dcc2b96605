package io.idempotency.runtime.http;

import io.idempotency.runtime.Effect;
import io.idempotency.runtime.FailureClassifier;
import io.micronaut.context.annotation.Requires;
import io.micronaut.http.client.exceptions.HttpClientException;
import io.micronaut.http.client.exceptions.HttpClientResponseException;
import jakarta.inject.Singleton;
import java.util.Optional;

/** A lost answer and a server's own failure leave open what the called system did; its refusal does not. */
@Singleton
@Requires(classes = HttpClientException.class)
final class HttpClientClassifier implements FailureClassifier {

    private static final int FIRST_SERVER_ERROR = 500;
    private static final int REQUEST_TIMEOUT = 408;

    @Override
    public Optional<Effect> effect(Throwable failure) {
        if (failure instanceof HttpClientResponseException response) {
            int status = response.code();
            return status >= FIRST_SERVER_ERROR || status == REQUEST_TIMEOUT
                    ? Optional.of(Effect.UNKNOWN)
                    : Optional.empty();
        }
        return failure instanceof HttpClientException ? Optional.of(Effect.UNKNOWN) : Optional.empty();
    }
}
