package io.idempotency.processor.rule.result;

import io.idempotency.processor.model.BoundType;
import io.idempotency.processor.model.OperationMethod;
import io.idempotency.processor.model.Subtypes;
import io.idempotency.processor.plan.Operation;
import io.idempotency.processor.rule.OperationRule;
import io.idempotency.processor.rule.Problems;
import io.idempotency.processor.rule.RuleId;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** The result must be a value that can be recorded and given to every duplicate, with everything in it. */
public final class ReplayableResultRule implements OperationRule {

    /** What the interceptor itself can make of a replayed value; subclasses of these it cannot. */
    private static final Set<String> CARRIERS = Set.of(
            "java.util.concurrent.CompletionStage",
            "java.util.concurrent.CompletableFuture",
            "org.reactivestreams.Publisher",
            "reactor.core.publisher.Mono",
            "io.reactivex.Single",
            "io.reactivex.Maybe",
            "io.reactivex.Completable",
            "io.reactivex.rxjava3.core.Single",
            "io.reactivex.rxjava3.core.Maybe",
            "io.reactivex.rxjava3.core.Completable");

    private final Subtypes subtypes;
    private final ResultStates states = new ResultStates();

    /** With what is known of hierarchies. */
    public ReplayableResultRule(Subtypes subtypes) {
        this.subtypes = subtypes;
    }

    @Override
    public void check(Operation operation, Problems problems) {
        OperationMethod method = operation.method();
        BoundType returned = method.returnType();
        Optional<String> reason = ResultTypes.isMany(returned)
                ? Optional.of(
                        "it carries many values over time. Return Mono<List<…>>, CompletionStage<List<…>> or a list")
                : carrier(operation.result().carrier());
        BoundType value = operation.result().type();
        if (reason.isPresent()) {
            report(RuleId.UNREPLAYABLE_RESULT, operation, reason.get(), problems);
        } else if (value != null) {
            ResultGraph graph = new ResultGraph(method, subtypes, states);
            graph.walk(value);
            graph.findings().forEach(found -> report(found.id(), operation, found.text(), problems));
        }
    }

    static void report(RuleId id, Operation operation, String why, Problems problems) {
        problems.report(
                id,
                operation,
                "the result " + operation.method().returnType().sourceName()
                        + (id == RuleId.INEXACT_RESULT
                                ? " would not be replayed as it was: "
                                : " cannot be recorded and replayed: ")
                        + why + ".");
    }

    private static Optional<String> carrier(@Nullable BoundType carrier) {
        return carrier == null || CARRIERS.contains(carrier.name())
                ? Optional.empty()
                : Optional.of("a duplicate's " + carrier.erasure() + " would have to be made here, and only"
                        + " CompletionStage, CompletableFuture, Mono, Publisher, Single, Maybe and Completable can be."
                        + " Return one of these");
    }
}
