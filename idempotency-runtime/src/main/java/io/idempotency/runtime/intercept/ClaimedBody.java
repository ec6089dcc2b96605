package io.idempotency.runtime.intercept;

import io.idempotency.IdempotencyContext;
import io.idempotency.runtime.call.Invocation;
import io.idempotency.runtime.call.RunningCall;
import io.micronaut.core.propagation.PropagatedContext;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/**
 * Runs a body in the context of its claim, and throws the exception that fits its own key.
 *
 * @param around the context around the body; null for that of the thread on which the body starts, because the body
 *        must see a transaction that the engine opened there
 */
record ClaimedBody(@Nullable PropagatedContext around, Calls.Body body) implements Invocation.Body {

    @Override
    @SuppressWarnings("CatchingUnchecked") // a method body may throw anything
    public CompletionStage<? extends @Nullable Object> run(IdempotencyContext claim) throws Throwable {
        PropagatedContext with = (around == null ? CallContext.ofThisThread() : around).plus(claim);
        CompletionStage<? extends @Nullable Object> stage;
        try (PropagatedContext.Scope ignored = with.propagate()) {
            stage = body.run(with);
        } catch (Throwable e) {
            throw answerFor(claim, e);
        }
        boolean returned =
                stage instanceof CompletableFuture<?> done && done.isDone() && !done.isCompletedExceptionally();
        if (returned || stage == null) {
            return stage;
        }
        CompletableFuture<@Nullable Object> told = new CompletableFuture<>();
        stage.whenComplete((value, failure) -> {
            if (failure == null) {
                told.complete(value);
            } else {
                told.completeExceptionally(answerFor(claim, failure));
            }
        });
        return told;
    }

    private static Throwable answerFor(IdempotencyContext claim, Throwable thrown) {
        return claim instanceof RunningCall running ? running.answerFor(thrown) : thrown;
    }
}
