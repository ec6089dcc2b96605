package io.idempotency.http.server;

import io.idempotency.runtime.CallerResolver;
import io.micronaut.context.annotation.Requires;
import io.micronaut.context.annotation.Secondary;
import io.micronaut.http.HttpRequest;
import io.micronaut.http.context.ServerRequestContext;
import jakarta.inject.Singleton;
import java.security.Principal;
import org.jspecify.annotations.Nullable;

/**
 * The authenticated user of the request that is being served; where nobody is authenticated, whoever has the credentials
 * that it carries.
 */
@Singleton
@Secondary
@Requires(classes = HttpRequest.class)
final class HttpCallerResolver implements CallerResolver {

    private final RequestCredentials credentials;

    HttpCallerResolver(RequestCredentials credentials) {
        this.credentials = credentials;
    }

    @Override
    public @Nullable String currentCaller() {
        HttpRequest<?> request = ServerRequestContext.currentRequest().orElse(null);
        if (request == null) {
            return null;
        }
        String user = request.getUserPrincipal().map(Principal::getName).orElse(null);
        return user == null ? credentials.callerOf(request) : user;
    }
}
