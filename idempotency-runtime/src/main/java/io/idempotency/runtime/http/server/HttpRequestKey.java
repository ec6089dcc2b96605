package io.idempotency.runtime.http.server;

import io.idempotency.InvalidIdempotencyKeyException;
import io.idempotency.runtime.RequestKeySource;
import io.idempotency.runtime.http.IdempotencyHeaders;
import io.micronaut.context.annotation.Requires;
import io.micronaut.http.HttpRequest;
import io.micronaut.http.context.ServerRequestContext;
import jakarta.inject.Singleton;
import org.jspecify.annotations.Nullable;

/** The {@code Idempotency-Key} header of the request that is being served. */
@Singleton
@Requires(classes = HttpRequest.class)
final class HttpRequestKey implements RequestKeySource {

    @Override
    public @Nullable String currentKey(String operation) {
        HttpRequest<?> request = ServerRequestContext.currentRequest().orElse(null);
        if (request == null) {
            return null;
        }
        KeyHeader.Parsed parsed = KeyHeader.parse(request.getHeaders().getAll(IdempotencyHeaders.IDEMPOTENCY_KEY));
        if (parsed.problem() != null) {
            throw new InvalidIdempotencyKeyException(
                    operation,
                    null,
                    "the Idempotency-Key header is malformed: " + parsed.problem()
                            + ". The body did not run. Send one key of 1 to " + KeyHeader.MAX_LENGTH
                            + " printable ASCII characters, for instance a UUID.",
                    null);
        }
        return parsed.key();
    }
}
