package io.idempotency.http.server;

import io.idempotency.InvalidIdempotencyKeyException;
import io.idempotency.Refusal;
import io.idempotency.runtime.KeyFormat;
import io.idempotency.runtime.RequestKeySource;
import io.micronaut.context.annotation.Requires;
import io.micronaut.http.HttpMethod;
import io.micronaut.http.HttpRequest;
import io.micronaut.http.context.ServerRequestContext;
import jakarta.inject.Singleton;
import java.util.EnumSet;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** The header that carries the key of the request that is being served. */
@Singleton
@Requires(classes = HttpRequest.class)
final class HttpRequestKey implements RequestKeySource {

    /** RFC 9110, section 9.2.1: they ask for no effect, so that there is nothing to protect. */
    private static final Set<HttpMethod> SAFE =
            EnumSet.of(HttpMethod.GET, HttpMethod.HEAD, HttpMethod.OPTIONS, HttpMethod.TRACE);

    private final KeyHeaderNames names;

    HttpRequestKey(KeyHeaderNames names) {
        this.names = names;
    }

    @Override
    public String header(String operation) {
        return names.of(operation);
    }

    @Override
    public @Nullable String currentKey(String operation, KeyFormat format) {
        HttpRequest<?> request = ServerRequestContext.currentRequest().orElse(null);
        if (request == null) {
            return null;
        }
        KeyHeader.Parsed parsed = KeyHeader.parse(request.getHeaders().getAll(names.of(operation)));
        if (parsed.problem() != null) {
            throw invalid(operation, "is malformed: " + parsed.problem(), Refusal.KEY_INVALID.next());
        }
        String key = parsed.key();
        if (key == null) {
            return null;
        }
        if (!format.permits(key)) {
            throw invalid(operation, "is not " + format.description(), "Send " + format.description() + ".");
        }
        return format.canonical(key);
    }

    @Override
    public boolean wantsKey() {
        return ServerRequestContext.currentRequest()
                .map(request -> !isSafe(request))
                .orElse(true);
    }

    static boolean isSafe(HttpRequest<?> request) {
        return SAFE.contains(request.getMethod());
    }

    private InvalidIdempotencyKeyException invalid(String operation, String problem, String next) {
        return new InvalidIdempotencyKeyException(operation, "The " + names.of(operation) + " header " + problem, next);
    }
}
