package io.idempotency.http.server.route;

import io.idempotency.runtime.engine.Operation;
import io.idempotency.runtime.intercept.AnsweredCalls;
import io.micronaut.http.HttpRequest;
import io.micronaut.http.context.ServerRequestContext;
import io.micronaut.inject.ExecutableMethod;
import io.micronaut.web.router.MethodBasedRouteMatch;
import io.micronaut.web.router.RouteAttributes;
import jakarta.inject.Singleton;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/** Knows when an annotated method is the one that the current request was routed to. */
@Singleton
final class AnsweredRoutes implements AnsweredCalls {

    private final AnswerRules rules;
    private final RouteResponses responses;

    AnsweredRoutes(AnswerRules rules, RouteResponses responses) {
        this.rules = rules;
        this.responses = responses;
    }

    @Override
    public @Nullable Answered of(ExecutableMethod<?, ?> method, Operation operation, boolean retried) {
        HttpRequest<?> request = ServerRequestContext.currentRequest().orElse(null);
        return request == null || !isRouteOf(request, method)
                ? null
                : new AnsweredRoute(request, operation, rules.of(operation.name()), responses, retried);
    }

    /** The route's method is the bean's, the advice's its class's: they are not the same object. */
    private static boolean isRouteOf(HttpRequest<?> request, ExecutableMethod<?, ?> method) {
        return RouteAttributes.getRouteMatch(request).orElse(null) instanceof MethodBasedRouteMatch<?, ?> route
                && route.getMethodName().equals(method.getMethodName())
                && method.getDeclaringType().isAssignableFrom(route.getDeclaringType())
                && Arrays.equals(route.getArgumentTypes(), method.getArgumentTypes());
    }
}
