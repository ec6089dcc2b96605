package io.idempotency.runtime.intercept;

import io.idempotency.IdempotencyContext;
import io.idempotency.OnFailure;
import io.idempotency.runtime.Effect;
import io.idempotency.runtime.Outcome;
import io.idempotency.runtime.call.FailureWithAnswer;
import io.idempotency.runtime.call.Invocation;
import io.idempotency.runtime.call.Operation;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The body of a call whose caller is answered by a component in front, a server for instance. What the body throws goes to
 * that component at once, which makes an answer of it; the claim is held until the answer is known.
 */
final class AnsweredBody {

    private final AnsweredCalls.Answered answered;
    private final Invocation call;
    private final Operation.Policy policy;
    private final Consumer<Throwable> early;
    private volatile @Nullable Object value;
    private volatile boolean returned;
    private volatile @Nullable Throwable thrown;

    /**
     * One body.
     *
     * @param early is told at once what the body threw
     */
    AnsweredBody(AnsweredCalls.Answered answered, Invocation call, Consumer<Throwable> early) {
        this.answered = answered;
        this.call = call;
        this.policy = call.operation().policy();
        this.early = early;
    }

    /** The call with this body. */
    Invocation call() {
        return call.with(this::run);
    }

    @SuppressWarnings("CatchingUnchecked") // a method body may throw anything
    private CompletionStage<? extends @Nullable Object> run(IdempotencyContext claim) throws Throwable {
        CompletionStage<? extends @Nullable Object> stage;
        try {
            stage = call.body().run(claim);
        } catch (Throwable e) {
            return threw(e);
        }
        if (stage instanceof CompletableFuture<?> done && done.isDone() && !done.isCompletedExceptionally()) {
            return returned(claim, done.join());
        }
        return settled(stage)
                .thenCompose(
                        ended -> ended.failure() == null ? returned(claim, ended.value()) : threw(ended.failure()));
    }

    private record Ended(@Nullable Object value, @Nullable Throwable failure) {}

    /** Stages of other libraries need not support composing. */
    private static CompletionStage<Ended> settled(CompletionStage<? extends @Nullable Object> stage) {
        CompletableFuture<Ended> settled = new CompletableFuture<>();
        stage.whenComplete((value, failure) -> settled.complete(new Ended(value, failure)));
        return settled;
    }

    private CompletionStage<@Nullable Object> returned(IdempotencyContext claim, @Nullable Object result) {
        value = result;
        returned = true;
        AnsweredCalls.Returned error = answered.returned(result);
        if (error == null) {
            return CompletableFuture.completedFuture(result);
        }
        boolean released = error.effect() == Effect.FINAL && policy.onFailure() == OnFailure.RELEASE;
        if (policy.transactional() && (error.serverError() || released || error.effect() != Effect.FINAL)) {
            return CompletableFuture.failedFuture(error.failed());
        }
        if (error.effect() == Effect.UNKNOWN) {
            return CompletableFuture.failedFuture(error.failed());
        }
        if (released || error.effect() == Effect.NONE) {
            claim.noEffect();
        }
        return CompletableFuture.completedFuture(result);
    }

    private CompletionStage<@Nullable Object> threw(Throwable failure) {
        Throwable own = failure;
        while (own instanceof CompletionException && own.getCause() != null) {
            own = own.getCause();
        }
        // what is rolled back needs no answer to be known
        CompletionStage<FailureWithAnswer> answer = policy.transactional() ? null : answered.thrown(own);
        if (answer == null) {
            return CompletableFuture.failedFuture(own);
        }
        CompletionStage<@Nullable Object> held = answer.thenCompose(CompletableFuture::failedFuture);
        thrown = own;
        early.accept(own);
        return held;
    }

    /** What the body threw; null unless it did. */
    @Nullable
    Throwable thrown() {
        return thrown;
    }

    /** A defect of this library ended the call. */
    void broken() {
        answered.ended(null);
    }

    /** What the caller gets of an outcome: a result that is an error is a result. */
    Outcome ended(Outcome outcome) {
        answered.ended(outcome);
        return returned && outcome instanceof Outcome.Threw threw
                ? new Outcome.Executed(value, threw.recorded())
                : outcome;
    }
}
