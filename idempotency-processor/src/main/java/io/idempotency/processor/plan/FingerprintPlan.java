package io.idempotency.processor.plan;

import io.idempotency.processor.model.OperationMethod;
import io.idempotency.processor.model.OperationMethod.OperationParameter;
import io.idempotency.processor.model.RuleId;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/**
 * How the arguments of an operation are written to their fingerprint.
 *
 * @param parameters the fingerprinted ones, read of the array of arguments and sorted by their names in the fingerprint
 * @param problems what cannot be fingerprinted, or not as well as it might be
 */
public record FingerprintPlan(List<Shape.Property> parameters, List<Problem> problems) {

    /** Something about a parameter: the path to it, what it is and what to do. */
    public record Problem(RuleId id, OperationParameter parameter, String message) {}

    /** Of an operation whose arguments are not looked at. */
    static final FingerprintPlan NONE = new FingerprintPlan(List.of(), List.of());

    static FingerprintPlan of(OperationMethod method, ShapePlanner planner) {
        List<Shape.Property> planned = new ArrayList<>();
        List<Problem> problems = new ArrayList<>();
        WrittenNames names = new WrittenNames();
        for (OperationParameter parameter : method.parameters()) {
            AbsentValue.problem(parameter.value()).ifPresent(planner::unfingerprintable);
            if (!parameter.value().notFingerprinted()) {
                names.problem(parameter.value()).ifPresent(planner::unfingerprintable);
                planner.parameter(parameter.value()).ifPresent(planned::add);
            }
            planner.takeFindings().forEach(found -> problems.add(new Problem(found.id(), parameter, found.message())));
        }
        planned.sort(Comparator.comparing(Shape.Property::name));
        return new FingerprintPlan(planned, problems);
    }

    /** Whether the method has no arguments that count. */
    public boolean isEmpty() {
        return parameters.isEmpty()
                && problems.stream().noneMatch(problem -> problem.id() == RuleId.UNFINGERPRINTABLE_ARGUMENT);
    }
}
