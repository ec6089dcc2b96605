package io.idempotency.http.server.route;

import io.idempotency.definition.Similar;
import io.idempotency.runtime.config.PropertyValidator;
import io.idempotency.runtime.engine.Operation;
import io.idempotency.runtime.intercept.AnsweredCalls;
import io.micronaut.context.exceptions.ConfigurationException;
import io.micronaut.core.type.Argument;
import io.micronaut.http.HttpRequest;
import io.micronaut.http.annotation.HttpMethodMapping;
import io.micronaut.http.context.ServerRequestContext;
import io.micronaut.inject.ExecutableMethod;
import io.micronaut.web.router.MethodBasedRouteMatch;
import io.micronaut.web.router.RouteAttributes;
import jakarta.inject.Singleton;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/** Knows when an annotated method is the one that the current request was routed to. */
@Singleton
final class AnsweredRoutes implements AnsweredCalls {

    private final AnswerRules rules;
    private final RouteResponses responses;
    private final PropertyValidator written;
    private final List<String> configured;

    AnsweredRoutes(
            AnswerRules rules,
            RouteResponses responses,
            PropertyValidator written,
            List<RouteConfiguration> configured) {
        this.written = written;
        this.configured = configured.stream().map(RouteConfiguration::name).toList();
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

    @Override
    public void start(Map<String, List<ExecutableMethod<?, ?>>> operations) {
        Set<String> routes = new TreeSet<>(configured);
        operations.forEach((name, methods) -> {
            if (methods.stream().anyMatch(method -> method.hasStereotype(HttpMethodMapping.class))) {
                routes.add(name);
            }
        });
        for (Set<String> meant : written.names(HttpOperation.PREFIX)) {
            if (Collections.disjoint(meant, routes)) {
                String name = meant.iterator().next();
                throw new ConfigurationException(HttpOperation.PREFIX + "." + name
                        + ": no route of this application is an operation of that name, so nothing would read it."
                        + Similar.didYouMean(name, routes) + " Correct or remove it. Operations of routes: " + routes);
            }
        }
    }

    /** The route's method is the bean's, the advice's its class's: they are not the same object. */
    private static boolean isRouteOf(HttpRequest<?> request, ExecutableMethod<?, ?> method) {
        return RouteAttributes.getRouteMatch(request).orElse(null) instanceof MethodBasedRouteMatch<?, ?> route
                && route.getMethodName().equals(method.getMethodName())
                && method.getDeclaringType().isAssignableFrom(route.getDeclaringType())
                && sameTypes(route.getArguments(), method.getArguments());
    }

    /** Asked with every request: arrays of the types would be made anew each time. */
    private static boolean sameTypes(Argument<?>[] ones, Argument<?>[] others) {
        return Arrays.equals(ones, others, (one, other) -> one.getType() == other.getType() ? 0 : 1);
    }
}
