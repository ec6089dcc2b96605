package io.idempotency.runtime.intercept;

import io.idempotency.runtime.OutcomeListener;
import io.idempotency.runtime.engine.IdempotencyEngine;
import io.idempotency.runtime.engine.Invocation;
import io.micronaut.core.propagation.PropagatedContext;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/**
 * A call that has a key.
 *
 * @param engine decides
 * @param listeners are told what it came to
 * @param invocation makes the engine's call of a body and the context around it
 */
record ProtectedCall(IdempotencyEngine engine, List<OutcomeListener> listeners, Factory invocation) implements Call {

    /** Makes one call for the engine. */
    @FunctionalInterface
    interface Factory {
        Invocation of(PropagatedContext around, Invocation.Body body);
    }

    @Override
    public @Nullable Object execute(Body body) throws Exception {
        // the engine may have opened a transaction by the time that the body starts, and the body must see it
        Invocation call = invocation.of(
                CallContext.ofThisThread(),
                claim -> Call.within(CallContext.ofThisThread().plus(claim), body));
        long start = System.nanoTime();
        return Answer.of(engine.execute(call), call, start, listeners);
    }

    @Override
    public CompletionStage<@Nullable Object> stage(CallContext caller, Body body) {
        PropagatedContext around = caller.around();
        CompletableFuture<@Nullable Object> answer = new CompletableFuture<>();
        Invocation call = invocation.of(around, claim -> Call.within(around.plus(claim), body));
        long start = System.nanoTime();
        engine.executeAsync(call).whenComplete((outcome, defect) -> {
            try (PropagatedContext.Scope ignored = around.propagate()) {
                if (defect != null) {
                    answer.completeExceptionally(defect);
                    return;
                }
                try {
                    answer.complete(Answer.of(outcome, call, start, listeners));
                } catch (Throwable e) { // the body's own
                    answer.completeExceptionally(e);
                }
            }
        });
        return answer;
    }
}
