package io.idempotency.http.server.route;

import io.micronaut.context.annotation.Context;
import io.micronaut.context.exceptions.ConfigurationException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * The rules of annotated operations; those of configured routes stand with their routes. Made while the application
 * starts, so that a wrong configuration stops it there.
 */
@Context
final class AnswerRules {

    private final Map<String, AnswerRule> rules = new HashMap<>();

    AnswerRules(List<HttpOperation> configured, List<RouteConfiguration> routes) {
        for (HttpOperation operation : configured) {
            String property = HttpOperation.PREFIX + "." + operation.name();
            boolean isRoute = routes.stream().anyMatch(route -> route.name().equals(operation.name()));
            if (isRoute && operation.statuses().isAny()) {
                throw new ConfigurationException(property + ": '" + operation.name() + "' is a configured route, whose"
                        + " statuses stand with its path. Write them as " + RouteConfiguration.PREFIX + "."
                        + operation.name() + ".no-effect-status and unknown-status.");
            }
            rules.put(operation.name(), operation.statuses().in(property));
        }
    }

    AnswerRule of(String operation) {
        return rules.getOrDefault(operation, AnswerRule.STANDARD);
    }
}
