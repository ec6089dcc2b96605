package io.idempotency.runtime.intercept;

import io.idempotency.runtime.Outcome;
import io.idempotency.runtime.OutcomeListener;
import io.idempotency.runtime.call.Invocation;
import io.idempotency.runtime.engine.IdempotencyEngine;
import io.idempotency.runtime.engine.Listeners;
import io.micronaut.core.propagation.PropagatedContext;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/**
 * A call that has a key.
 *
 * @param engine decides
 * @param loops sees on which threads it waits
 * @param listeners are told what it came to
 * @param invocation makes the engine's call of a body and the context around it
 * @param answered the component that answers for it in front of its caller, null for none
 */
record ProtectedCall(
        IdempotencyEngine engine,
        EventLoops loops,
        List<OutcomeListener> listeners,
        Factory invocation,
        AnsweredCalls.@Nullable Answered answered)
        implements Call {

    /** Makes one call for the engine. */
    @FunctionalInterface
    interface Factory {
        Invocation of(PropagatedContext around, Invocation.Body body);
    }

    @Override
    public @Nullable Object execute(Body body) throws Exception {
        Invocation call = invocation.of(CallContext.ofThisThread(), new ClaimedBody(null, body));
        loops.watch(call.operation());
        long start = System.nanoTime();
        return answered == null
                ? Answer.of(told(call, start, engine.execute(call)))
                : execute(call, start, new AnsweredBody(answered, call, thrown -> {}));
    }

    /** What the body throws leaves here before it is recorded, because only the caller makes it an answer. */
    private @Nullable Object execute(Invocation call, long start, AnsweredBody body) throws Exception {
        if (call.operation().policy().transactional()) {
            return Answer.of(body.ended(told(call, start, engine.execute(body.call()))));
        }
        PropagatedContext around = PropagatedContext.getOrEmpty();
        CompletableFuture<Outcome> outcome = engine.begin(body.call()).toCompletableFuture();
        Throwable thrown = body.thrown();
        if (thrown == null || outcome.isDone()) {
            return Answer.of(body.ended(told(call, start, outcome.join())));
        }
        outcome.whenComplete((come, defect) -> {
            try (PropagatedContext.Scope ignored = around.propagate()) {
                if (come == null) {
                    body.broken();
                } else {
                    body.ended(told(call, start, come));
                }
            }
        });
        throw Answer.<RuntimeException>asIs(thrown);
    }

    private Outcome told(Invocation call, long startNanos, Outcome outcome) {
        Listeners.tell(call, startNanos, outcome, listeners);
        return outcome;
    }

    @Override
    public CompletionStage<@Nullable Object> stage(CallContext caller, @Nullable CompletionStage<?> gone, Body body) {
        PropagatedContext around = caller.around();
        CompletableFuture<@Nullable Object> answer = new CompletableFuture<>();
        Invocation call = invocation.of(around, new ClaimedBody(around, body));
        long start = System.nanoTime();
        AnsweredBody own = answered == null
                ? null
                : new AnsweredBody(answered, call, thrown -> {
                    try (PropagatedContext.Scope ignored = around.propagate()) {
                        answer.completeExceptionally(thrown);
                    }
                });
        engine.executeAsync(own == null ? call : own.call(), gone).whenComplete((outcome, defect) -> {
            try (PropagatedContext.Scope ignored = around.propagate()) {
                if (defect != null) {
                    answer.completeExceptionally(defect);
                    if (own != null) {
                        own.broken();
                    }
                    return;
                }
                try {
                    Outcome told = told(call, start, outcome);
                    answer.complete(Answer.of(own == null ? told : own.ended(told)));
                } catch (Throwable e) { // the body's own
                    answer.completeExceptionally(e);
                }
            }
        });
        return answer;
    }
}
