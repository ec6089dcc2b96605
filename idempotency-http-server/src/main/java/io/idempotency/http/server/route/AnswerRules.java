package io.idempotency.http.server.route;

import jakarta.inject.Singleton;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** The rules of annotated operations; those of configured routes stand with their routes. */
@Singleton
final class AnswerRules {

    private final Map<String, AnswerRule> rules = new HashMap<>();

    AnswerRules(List<HttpOperation> configured) {
        for (HttpOperation operation : configured) {
            String property = HttpOperation.PREFIX + "." + operation.name();
            rules.put(operation.name(), operation.statuses().in(property));
        }
    }

    AnswerRule of(String operation) {
        return rules.getOrDefault(operation, AnswerRule.STANDARD);
    }
}
