package io.idempotency.processor.rule.result;

import io.idempotency.processor.model.BoundType;
import io.idempotency.processor.model.Subtypes;
import io.idempotency.processor.plan.Operation;
import io.idempotency.processor.rule.OperationRule;
import io.idempotency.processor.rule.Problems;
import io.idempotency.processor.rule.RuleId;
import io.idempotency.processor.rule.SeenClasses;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * What a subclass adds to the declared result is lost. A subclass of another module is noticed when the first value of it
 * is recorded.
 */
public final class SubclassedResultRule implements OperationRule {

    private final Subtypes subtypes;
    private final ResultStates states = new ResultStates();
    private final Map<Operation, BoundType> results = new LinkedHashMap<>();

    /** With what is known of hierarchies. */
    public SubclassedResultRule(Subtypes subtypes) {
        this.subtypes = subtypes;
    }

    @Override
    public void check(Operation operation, Problems problems) {
        BoundType value = operation.result().type();
        if (value != null) {
            results.put(operation, value);
        }
    }

    @Override
    public void finish(SeenClasses compilation, Problems problems) {
        if (compilation.hasSubclasses()) {
            results.forEach((operation, value) -> {
                ResultGraph graph = new ResultGraph(operation.method(), subtypes, states);
                graph.walk(value);
                graph.classes().forEach(type -> subclassed(operation, type, compilation, problems));
            });
        }
    }

    private static void subclassed(Operation operation, BoundType type, SeenClasses compilation, Problems problems) {
        List<String> subclasses = compilation.subclasses(type.name());
        if (!subclasses.isEmpty()) {
            ReplayableResultRule.report(
                    RuleId.INEXACT_RESULT,
                    operation,
                    type.erasure() + " has the subclasses " + String.join(", ", subclasses)
                            + ", and nothing in the JSON says which one it was: a duplicate would get "
                            + type.erasure() + " without what they add. " + ResultGraph.DISCRIMINATOR
                            + ", or make the class final",
                    problems);
        }
    }
}
