package io.idempotency.processor.rule;

import io.idempotency.processor.model.RuleId;
import io.idempotency.processor.model.Subtypes;
import io.idempotency.processor.plan.Operation;
import io.idempotency.processor.plan.ResultPlan;
import java.util.Optional;

/** Requires that the whole result can be recorded and given to every duplicate. */
record ReplayableResultRule(Subtypes subtypes) implements OperationRule {

    @Override
    public void check(Operation operation, Problems problems) {
        Optional<String> reason = operation.method().returnType().isAssignableToAny(ResultTypes.MANY)
                ? Optional.of(
                        "it carries many values over time. Return Mono<List<…>>, CompletionStage<List<…>> or a list")
                : Optional.ofNullable(operation.result().carrier())
                        .filter(carrier -> !ResultPlan.CARRIERS.contains(carrier.name()))
                        .map(carrier -> "a duplicate's " + carrier.erasure() + " would have to be made here, and only"
                                + " CompletionStage, CompletableFuture, Mono, Publisher, Single, Maybe and Completable"
                                + " can be. Return one of these");
        if (reason.isPresent()) {
            report(RuleId.UNREPLAYABLE_RESULT, operation, reason.get(), problems);
        } else {
            new ResultGraph(operation, subtypes)
                    .findings
                    .values()
                    .forEach(found -> report(found.id(), operation, found.text(), problems));
        }
    }

    static void report(RuleId id, Operation operation, String why, Problems problems) {
        problems.of(id, operation)
                .say("the result " + operation.method().returnType().sourceName()
                        + (id == RuleId.INEXACT_RESULT
                                ? " would not be replayed as it was: "
                                : " cannot be recorded and replayed: ")
                        + why + ".");
    }
}
