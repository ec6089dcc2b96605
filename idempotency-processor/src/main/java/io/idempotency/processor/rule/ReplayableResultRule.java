package io.idempotency.processor.rule;

import io.idempotency.processor.model.BoundType;
import io.idempotency.processor.model.RuleId;
import io.idempotency.processor.plan.Operation;
import io.idempotency.processor.plan.ResultPlan;
import io.micronaut.inject.visitor.VisitorContext;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** The result must be a value that can be recorded and given to every duplicate, with everything in it. */
final class ReplayableResultRule implements OperationRule {

    private final ResultGraph.Known known;

    ReplayableResultRule(VisitorContext context) {
        this.known = new ResultGraph.Known(context);
    }

    @Override
    public void check(Operation operation, Problems problems) {
        Optional<String> reason = ResultTypes.isMany(operation.method().returnType())
                ? Optional.of(
                        "it carries many values over time. Return Mono<List<…>>, CompletionStage<List<…>> or a list")
                : carrier(operation.result().carrier());
        if (reason.isPresent()) {
            report(RuleId.UNREPLAYABLE_RESULT, operation, reason.get(), problems);
        } else {
            new ResultGraph(operation, known)
                    .findings()
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

    private static Optional<String> carrier(@Nullable BoundType carrier) {
        return carrier == null || ResultPlan.CARRIERS.contains(carrier.name())
                ? Optional.empty()
                : Optional.of("a duplicate's " + carrier.erasure() + " would have to be made here, and only"
                        + " CompletionStage, CompletableFuture, Mono, Publisher, Single, Maybe and Completable can be."
                        + " Return one of these");
    }
}
