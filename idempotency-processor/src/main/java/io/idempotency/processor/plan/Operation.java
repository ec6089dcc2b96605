package io.idempotency.processor.plan;

import io.idempotency.processor.model.Accessors.State;
import io.idempotency.processor.model.BoundType;
import io.idempotency.processor.model.OperationMethod;
import io.idempotency.processor.model.OperationMethod.OperationParameter;
import io.idempotency.processor.model.RuleId;
import java.util.List;
import java.util.Map;

/**
 * An operation and all decisions about it.
 *
 * @param fingerprint the parameters that are written, sorted by their names in the fingerprint
 * @param states the states of types, as far as they were needed; shared by the operations of a bean
 */
public record Operation(
        OperationMethod method,
        KeyPlan key,
        List<Shape.Property> fingerprint,
        List<Problem> problems,
        ResultPlan result,
        Map<String, State> states) {

    /**
     * A parameter that cannot be fingerprinted, or not as well as it might be.
     *
     * @param extended the class of which the problem is that it has subclasses, if it has; empty for other problems
     */
    public record Problem(RuleId id, OperationParameter parameter, String message, String extended) {}

    public State state(BoundType type) {
        return states.computeIfAbsent(
                type.sourceName(), name -> State.of(type, method.owner().getPackageName()));
    }
}
