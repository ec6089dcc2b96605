package io.idempotency.runtime.http;

import io.idempotency.runtime.Effect;
import io.idempotency.runtime.FailureClassifier;
import io.idempotency.runtime.failure.KnownFailures;
import io.micronaut.context.annotation.Requires;
import io.micronaut.http.client.exceptions.HttpClientException;
import io.micronaut.http.client.exceptions.HttpClientResponseException;
import io.micronaut.http.client.exceptions.NoHostException;
import jakarta.inject.Singleton;
import java.util.Optional;

/**
 * Classifies failures of Micronaut's HTTP client. A refusal (4xx) says that the called system did nothing; any other
 * answer leaves that open: its own failure, a lost answer, a success that could not be read. For a connection that was
 * not made, the cause decides.
 */
@Singleton
@Requires(classes = HttpClientException.class)
public final class HttpClientClassifier implements FailureClassifier {

    private static final int FIRST_REFUSAL = 400;
    private static final int LAST_REFUSAL = 499;
    private static final int REQUEST_TIMEOUT = 408;

    @Override
    public Optional<Effect> effect(Throwable failure) {
        if (failure instanceof HttpClientResponseException response) {
            int status = response.code();
            boolean refused = status >= FIRST_REFUSAL && status <= LAST_REFUSAL && status != REQUEST_TIMEOUT;
            return refused ? Optional.empty() : Optional.of(Effect.UNKNOWN);
        }
        return failure instanceof HttpClientException && !(failure instanceof NoHostException) && !isUnsent(failure)
                ? Optional.of(Effect.UNKNOWN)
                : Optional.empty();
    }

    /** Tells whether a failure of the client proves that nothing was sent, because no connection was made. */
    public static boolean isUnsent(Throwable failure) {
        if (failure.getClass() != HttpClientException.class || failure.getCause() == null) {
            return false;
        }
        KnownFailures.Row cause = KnownFailures.of(failure.getCause());
        return cause != null && cause.unsent();
    }
}
