package io.idempotency.demo.customers;

import io.idempotency.runtime.CallerResolver;
import io.micronaut.core.annotation.Nullable;
import io.micronaut.http.HttpRequest;
import io.micronaut.http.context.ServerRequestContext;
import jakarta.inject.Singleton;

/**
 * Takes the caller from the header {@code X-Customer}, so that callers can be tried without passwords. A real service
 * authenticates: with Micronaut Security the caller is the user, and no such bean is needed.
 */
@Singleton
final class CustomerHeader implements CallerResolver {

    @Override
    public @Nullable String currentCaller() {
        return ServerRequestContext.currentRequest()
                .map(HttpRequest::getHeaders)
                .map(headers -> headers.get("X-Customer"))
                .orElse(null);
    }
}
