package io.idempotency.runtime.intercept;

import io.idempotency.runtime.IdempotencyEngine;
import io.idempotency.runtime.Invocation;
import io.idempotency.runtime.OutcomeListener;
import io.micronaut.aop.InterceptedMethod;
import io.micronaut.aop.Interceptor;
import io.micronaut.core.propagation.PropagatedContext;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.reactivestreams.Publisher;

/**
 * One call of an annotated method that has a key. Every subscription to a reactive one is a call of its own.
 *
 * @param engine decides
 * @param method the rest of the interceptors, and the method
 * @param interceptor where the rest begins
 * @param listeners are told what it came to
 * @param invocation makes the engine's call of a body and the context around it
 */
record ProtectedCall(
        IdempotencyEngine engine,
        InterceptedMethod method,
        Interceptor<?, ?> interceptor,
        List<OutcomeListener> listeners,
        Factory invocation) {

    /** Makes one call for the engine. */
    @FunctionalInterface
    interface Factory {
        Invocation of(PropagatedContext around, Invocation.Body body);
    }

    /** On the caller's thread. */
    @Nullable
    Object execute() throws Exception {
        // the engine may have opened a transaction by the time that the body starts, and the body must see it
        Invocation call = invocation.of(
                CallContext.ofThisThread(),
                claim -> within(CallContext.ofThisThread().plus(claim), this::result));
        return Answer.of(engine.execute(call), call.operation().name(), listeners);
    }

    private CompletionStage<@Nullable Object> result(PropagatedContext with) {
        return CompletableFuture.completedFuture(method.interceptResult(interceptor));
    }

    /** A method that returns a stage. */
    CompletionStage<@Nullable Object> stage() {
        return stage(CallContext.current(), with -> asObject(method.interceptResultAsCompletionStage(interceptor)));
    }

    Publisher<?> publisher() {
        return method.interceptResultAsPublisher(interceptor);
    }

    /**
     * Without blocking this thread. What follows the stage runs in the caller's context, whichever thread completes it.
     *
     * @param caller surrounds the body and what follows
     * @param body starts it; the context is current on its thread already
     */
    CompletionStage<@Nullable Object> stage(
            CallContext caller, Function<PropagatedContext, CompletionStage<@Nullable Object>> body) {
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

    private static CompletionStage<@Nullable Object> within(
            PropagatedContext with, Function<PropagatedContext, CompletionStage<@Nullable Object>> body) {
        try (PropagatedContext.Scope ignored = with.propagate()) {
            return body.apply(with);
        }
    }

    @SuppressWarnings("unchecked") // a stage only produces its value
    private static CompletionStage<@Nullable Object> asObject(CompletionStage<?> stage) {
        return (CompletionStage<@Nullable Object>) stage;
    }
}
