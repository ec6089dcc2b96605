package io.idempotency.http.server.route;

import io.idempotency.definition.Similar;
import io.idempotency.http.server.OperationHttpConfiguration;
import io.idempotency.runtime.call.Operation;
import io.idempotency.runtime.config.PropertyValidator;
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
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/** Knows when an annotated method is the one that the current request was routed to, and what the statuses of its answers mean. */
@Singleton
final class AnsweredRoutes implements AnsweredCalls {

    private static final String PREFIX = OperationHttpConfiguration.PREFIX;

    private final Map<String, StatusRule> rules = new HashMap<>();
    private final Set<String> routes = new TreeSet<>();
    private final PropertyValidator written;

    AnsweredRoutes(
            List<OperationHttpConfiguration> operations,
            List<RouteConfiguration> configured,
            PropertyValidator written) {
        this.written = written;
        configured.forEach(route -> routes.add(route.name()));
        for (OperationHttpConfiguration operation : operations) {
            String name = operation.name();
            boolean any = operation.noEffectStatus() != null || operation.unknownStatus() != null;
            if (any && routes.contains(name)) {
                throw new ConfigurationException(PREFIX + "." + name + ": '" + name + "' is a configured route, whose"
                        + " statuses stand with its path. Write them as " + RouteConfiguration.PREFIX + "." + name
                        + ".no-effect-status and unknown-status.");
            }
            rules.put(name, StatusRule.of(PREFIX + "." + name, operation.noEffectStatus(), operation.unknownStatus()));
        }
    }

    @Override
    public @Nullable Answered of(ExecutableMethod<?, ?> method, Operation operation, boolean retried) {
        HttpRequest<?> request = ServerRequestContext.currentRequest().orElse(null);
        return request == null || !isRouteOf(request, method)
                ? null
                : new AnsweredRoute(
                        request, operation, rules.getOrDefault(operation.name(), StatusRule.STANDARD), retried);
    }

    @Override
    public void start(Map<String, List<ExecutableMethod<?, ?>>> operations) {
        operations.forEach((name, methods) -> {
            if (methods.stream().anyMatch(method -> method.hasStereotype(HttpMethodMapping.class))) {
                routes.add(name);
            }
        });
        for (Set<String> meant : written.names(PREFIX)) {
            if (Collections.disjoint(meant, routes)) {
                String name = meant.iterator().next();
                throw new ConfigurationException(
                        PREFIX + "." + name + ": no route of this application is an operation of that name, so nothing"
                                + " would read it." + Similar.didYouMean(name, routes)
                                + " Correct or remove it. Operations of routes: " + routes);
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
