package io.idempotency.runtime.intercept;

import io.idempotency.runtime.IdempotencyEngine;
import io.idempotency.runtime.Invocation;
import io.idempotency.runtime.OutcomeListener;
import io.micronaut.core.propagation.PropagatedContext;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/**
 * One call that has a key. Every subscription to a reactive method is a call of its own.
 *
 * @param engine decides
 * @param listeners are told what it came to
 * @param invocation makes the engine's call of a body and the context around it
 */
record ProtectedCall(IdempotencyEngine engine, List<OutcomeListener> listeners, Factory invocation) {

    /** Makes one call for the engine. */
    @FunctionalInterface
    interface Factory {
        Invocation of(PropagatedContext around, Invocation.Body body);
    }

    /** What is protected. */
    @FunctionalInterface
    interface Body {
        /** Runs in the context, which is current on its thread already. */
        @SuppressWarnings("java:S112") // a method body may throw anything
        CompletionStage<? extends @Nullable Object> run(PropagatedContext with) throws Throwable;
    }

    /** On the caller's thread. */
    @Nullable
    Object execute(Body body) throws Exception {
        // the engine may have opened a transaction by the time that the body starts, and the body must see it
        Invocation call = invocation.of(
                CallContext.ofThisThread(),
                claim -> within(CallContext.ofThisThread().plus(claim), body));
        return Answer.of(engine.execute(call), call.operation().name(), listeners);
    }

    /**
     * Without blocking this thread. What follows the stage runs in the caller's context, whichever thread completes it.
     *
     * @param caller surrounds the body and what follows
     * @param body starts it
     */
    CompletionStage<@Nullable Object> stage(CallContext caller, Body body) {
        PropagatedContext around = caller.around();
        CompletableFuture<@Nullable Object> answer = new CompletableFuture<>();
        Invocation call = invocation.of(around, claim -> within(around.plus(claim), body));
        engine.executeAsync(call).whenComplete((outcome, defect) -> {
            try (PropagatedContext.Scope ignored = around.propagate()) {
                if (defect != null) {
                    answer.completeExceptionally(defect);
                    return;
                }
                try {
                    answer.complete(Answer.of(outcome, call.operation().name(), listeners));
                } catch (Throwable e) { // the body's own
                    answer.completeExceptionally(e);
                }
            }
        });
        return answer;
    }

    private static CompletionStage<? extends @Nullable Object> within(PropagatedContext with, Body body)
            throws Throwable {
        try (PropagatedContext.Scope ignored = with.propagate()) {
            return body.run(with);
        }
    }
}
