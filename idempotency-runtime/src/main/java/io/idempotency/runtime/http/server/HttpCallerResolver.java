package io.idempotency.runtime.http.server;

import io.idempotency.runtime.CallerResolver;
import io.micronaut.context.annotation.Requires;
import io.micronaut.context.annotation.Secondary;
import io.micronaut.http.HttpRequest;
import io.micronaut.http.context.ServerRequestContext;
import jakarta.inject.Singleton;
import java.security.Principal;
import org.jspecify.annotations.Nullable;

/** The authenticated user of the request that is being served. */
@Singleton
@Secondary
@Requires(classes = HttpRequest.class)
final class HttpCallerResolver implements CallerResolver {

    @Override
    public @Nullable String currentCaller() {
        return ServerRequestContext.currentRequest()
                .flatMap(HttpRequest::getUserPrincipal)
                .map(Principal::getName)
                .orElse(null);
    }
}
