package io.idempotency.processor.rule.result;

import io.idempotency.processor.model.Accessors.State;
import io.idempotency.processor.model.BoundType;
import io.idempotency.processor.model.OperationMethod;
import java.util.HashMap;
import java.util.Map;

/** What the types in the results of one bean's class hold: its operations often return the same, and to read it takes the time. */
final class ResultStates {

    private final Map<String, State> known = new HashMap<>();
    private String owner = "";

    State of(BoundType type, OperationMethod method) {
        String name = method.owner().getName();
        if (!name.equals(owner)) {
            owner = name;
            known.clear();
        }
        String fromPackage = method.owner().getPackageName();
        return known.computeIfAbsent(type.sourceName(), missing -> State.of(type, fromPackage));
    }
}
