package io.idempotency.processor.plan;

import io.idempotency.processor.model.Code;
import io.idempotency.processor.model.OperationMethod;
import io.idempotency.processor.model.OperationParameter;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/**
 * How the arguments of an operation are written to their fingerprint.
 *
 * @param parameters the fingerprinted ones, sorted by their names in it
 * @param problems what cannot be fingerprinted
 * @param open what is left to the run time
 * @param generated what a database or its mapper sets
 * @param subclassed classes of which values of subclasses are refused
 */
public record FingerprintPlan(
        List<PlannedParameter> parameters,
        List<Problem> problems,
        List<Problem> open,
        List<Problem> generated,
        List<Problem> subclassed) {

    /** Of an operation whose arguments are not looked at. */
    static final FingerprintPlan NONE = new FingerprintPlan(List.of(), List.of(), List.of(), List.of(), List.of());

    /**
     * A parameter that is part of the fingerprint.
     *
     * @param parameter the parameter
     * @param shape how it is written
     */
    public record PlannedParameter(OperationParameter parameter, Shape shape) {

        /** It as a property, read from the arguments. */
        public Shape.Property property() {
            return new Shape.Property(
                    parameter.written(),
                    Code.of("($2T) $1L[$3L]", parameter.type().typeName(), parameter.index()),
                    shape,
                    absent(parameter).map(AbsentValue::present));
        }

        private static Optional<AbsentValue> absent(OperationParameter parameter) {
            return AbsentValue.of(parameter.name(), parameter.type(), parameter.absent());
        }
    }

    /**
     * Something that cannot be fingerprinted, or not at compile time.
     *
     * @param parameter the parameter that holds it
     * @param message the path to it, what it is and what to do
     */
    public record Problem(OperationParameter parameter, String message) {}

    /** Plans the fingerprint of a method's arguments. */
    static FingerprintPlan of(OperationMethod method, ShapePlanner planner) {
        List<PlannedParameter> planned = new ArrayList<>();
        List<Problem> problems = new ArrayList<>();
        List<Problem> open = new ArrayList<>();
        List<Problem> generated = new ArrayList<>();
        List<Problem> subclassed = new ArrayList<>();
        List<OperationParameter> written = method.parameters().stream()
                .filter(parameter -> !parameter.notFingerprinted())
                .toList();
        for (OperationParameter parameter : method.parameters()) {
            if (!parameter.notFingerprinted()) {
                planner.parameter(parameter.type(), parameter.name())
                        .ifPresent(shape -> planned.add(new PlannedParameter(parameter, shape)));
            }
            PlannedParameter.absent(parameter)
                    .map(AbsentValue::problem)
                    .ifPresent(message -> problems.add(new Problem(parameter, message)));
            WrittenNames.problemOf(written, parameter)
                    .ifPresent(message -> problems.add(new Problem(parameter, message)));
            planner.takeProblems().forEach(message -> problems.add(new Problem(parameter, message)));
            planner.takeOpen().forEach(message -> open.add(new Problem(parameter, message)));
            planner.takeGenerated().forEach(message -> generated.add(new Problem(parameter, message)));
            planner.takeSubclassed().forEach(message -> subclassed.add(new Problem(parameter, message)));
        }
        planned.sort(Comparator.comparing(each -> each.parameter().written()));
        return new FingerprintPlan(
                List.copyOf(planned),
                List.copyOf(problems),
                List.copyOf(open),
                List.copyOf(generated),
                List.copyOf(subclassed));
    }
}
