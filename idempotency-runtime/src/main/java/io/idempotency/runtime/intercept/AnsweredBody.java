package io.idempotency.runtime.intercept;

import io.idempotency.IdempotencyContext;
import io.idempotency.OnFailure;
import io.idempotency.runtime.Effect;
import io.idempotency.runtime.Outcome;
import io.idempotency.runtime.call.FailureWithAnswer;
import io.idempotency.runtime.call.Invocation;
import io.idempotency.runtime.call.Operation;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.function.Consumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * The body of a call whose caller is answered by a component in front, for instance a server. The body's exception goes
 * to that component at once and becomes an answer; the claim is held until the answer is known.
 */
final class AnsweredBody {

    private final AnsweredCalls.Answered answered;
    private final Invocation call;
    private final Operation.Policy policy;
    private final Consumer<Throwable> early;
    private final boolean blocks;
    private volatile @Nullable Object value;
    private volatile boolean returnedError;
    private volatile @Nullable Throwable failed;
    private volatile @Nullable Throwable thrown;

    /** Wraps the body of a call; {@code early} receives the body's exception at once, {@code blocks} if the caller waits here. */
    AnsweredBody(AnsweredCalls.Answered answered, Invocation call, Consumer<Throwable> early, boolean blocks) {
        this.answered = answered;
        this.call = call;
        this.policy = call.operation().policy();
        this.early = early;
        this.blocks = blocks;
    }

    /** Returns the call with this body. */
    Invocation call() {
        return call.with(this::run);
    }

    private CompletionStage<? extends @Nullable Object> run(IdempotencyContext claim) throws Throwable {
        answered.begins();
        CompletionStage<? extends @Nullable Object> stage;
        try {
            stage = Objects.requireNonNull(call.body().run(claim), "null was returned, not a stage");
        } catch (Throwable e) { // a method body may throw anything
            return threw(e);
        }
        if (Calls.ClaimedBody.hasReturned(stage)) {
            return returned(claim, stage.toCompletableFuture().join());
        }
        return stage.handle((result, failure) -> failure == null ? returned(claim, result) : threw(failure))
                .thenCompose(Function.identity());
    }

    private CompletionStage<@Nullable Object> returned(IdempotencyContext claim, @Nullable Object result) {
        value = result;
        AnsweredCalls.Returned answer = answered.returned(result);
        if (answer == null) {
            return whole(result);
        }
        returnedError = true;
        Effect effect = answer.failed().effect();
        boolean free = effect == Effect.NONE || effect == Effect.FINAL && policy.onFailure() == OnFailure.RELEASE;
        if (effect == Effect.UNKNOWN || policy.transactional() && (answer.serverError() || free)) {
            failed = answer.failed().failure();
            return CompletableFuture.failedFuture(answer.failed());
        }
        if (free) {
            claim.noEffect();
        }
        return whole(result);
    }

    private CompletionStage<@Nullable Object> whole(@Nullable Object result) {
        CompletionStage<@Nullable Object> whole = answered.whole(result);
        if (blocks) { // here, because a small executor may have no second thread that could go on
            whole.toCompletableFuture().handle((value, failure) -> null).join();
        }
        return whole;
    }

    private CompletionStage<@Nullable Object> threw(Throwable failure) {
        Throwable own = failure;
        while (own instanceof CompletionException && own.getCause() != null) {
            own = own.getCause();
        }
        if (policy.transactional()) { // rolled back, whatever the answer
            return CompletableFuture.failedFuture(own);
        }
        CompletionStage<FailureWithAnswer> answer = answered.thrown(own);
        CompletionStage<@Nullable Object> held = answer.thenCompose(CompletableFuture::failedFuture);
        if (!answer.toCompletableFuture().isDone()) {
            thrown = own;
            early.accept(own);
        }
        return held;
    }

    /** Returns the exception of the body that its caller got early; null if there is none. */
    @Nullable
    Throwable thrown() {
        return thrown;
    }

    /** Ends the call after a defect of this library. */
    void broken() {
        answered.ended(null);
    }

    /**
     * Ends the call and returns the outcome for its caller, who gets a returned error as a result: one that became an
     * exception, or whose transaction was rolled back on purpose. Any other exception after the body is the commit's, and
     * what the body returned did not happen.
     */
    Outcome ended(Outcome outcome) {
        answered.ended(outcome);
        return returnedError
                        && outcome instanceof Outcome.Threw threw
                        && (threw.failure() == failed || threw.effect() == Effect.NONE)
                ? new Outcome.Executed(value, threw.recorded())
                : outcome;
    }
}
