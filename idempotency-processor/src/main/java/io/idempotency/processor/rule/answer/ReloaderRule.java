package io.idempotency.processor.rule.answer;

import io.idempotency.definition.Similar;
import io.idempotency.processor.model.BoundType;
import io.idempotency.processor.plan.Operation;
import io.idempotency.processor.plan.ResultPlan;
import io.idempotency.processor.rule.AnsweringMethod;
import io.idempotency.processor.rule.OperationRule;
import io.idempotency.processor.rule.Problems;
import io.idempotency.processor.rule.RuleId;
import io.idempotency.processor.rule.SeenClasses;
import java.util.ArrayList;
import java.util.List;

/** A {@code @Reloads} method has the parameters and the result of its operation, and is the only one. */
public final class ReloaderRule implements OperationRule {

    private final List<Operation> operations = new ArrayList<>();

    @Override
    public void check(Operation operation, Problems problems) {
        operations.add(operation);
    }

    @Override
    public void finish(SeenClasses compilation, Problems problems) {
        List<AnsweringMethod> reloaders = compilation.reloaders();
        for (AnsweringMethod reloader : reloaders) {
            if (operations.stream().noneMatch(each -> each.method().name().equals(reloader.operation()))) {
                reloader.neverAsked(
                        "no operation of this module has that name."
                                + Similar.didYouMean(
                                        reloader.operation(),
                                        operations.stream()
                                                .map(each -> each.method().name())
                                                .toList())
                                + " Unless another module has it, this method is never asked.",
                        problems);
            }
        }
        for (Operation operation : operations) {
            List<AnsweringMethod> own = reloaders.stream()
                    .filter(reloader ->
                            reloader.operation().equals(operation.method().name()))
                    .toList();
            own.forEach(reloader -> matches(operation, reloader, problems));
            AnsweringMethod.requireOne(own, operation, problems);
        }
    }

    private static void matches(Operation operation, AnsweringMethod reloader, Problems problems) {
        BoundType result = operation.result().type();
        if (result == null) {
            problems.report(
                    RuleId.ANSWERING_METHOD,
                    operation,
                    "it has no result, so there is nothing to reload. Remove its @Reloads method.",
                    reloader.method());
            return;
        }
        reloader.check(
                operation,
                returned -> ResultPlan.carried(returned)
                        .orElse(returned)
                        .boxedSourceName()
                        .equals(result.boxedSourceName()),
                result.sourceName(),
                problems);
    }
}
