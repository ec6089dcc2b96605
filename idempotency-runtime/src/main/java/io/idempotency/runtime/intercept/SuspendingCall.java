package io.idempotency.runtime.intercept;

import io.idempotency.IdempotencyContext;
import io.idempotency.OperationInProgressException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import kotlin.Unit;
import kotlin.coroutines.Continuation;
import kotlinx.coroutines.CompletableJob;
import kotlinx.coroutines.Job;
import kotlinx.coroutines.JobKt;
import org.jspecify.annotations.Nullable;

/** The Kotlin side of a call, a class of its own because only applications with suspend functions have coroutines. */
final class SuspendingCall {

    private SuspendingCall() {}

    /**
     * Executes a call of a suspend function. Its body is cancelled together with the coroutine that calls. One that is
     * cancelled before, for instance while it waits for a duplicate, does not begin, and the coroutine ends as cancelled.
     *
     * @param arguments of the function; its continuation is the last
     */
    static CompletionStage<@Nullable Object> stage(Calls.Call call, @Nullable Object[] arguments, Calls.Body body) {
        Job caller =
                ((Continuation<?>) arguments[arguments.length - 1]).getContext().get(Job.Key);
        if (caller == null) {
            return call.stage(CallContext.current(), null, body);
        }
        CompletableFuture<Throwable> gone = new CompletableFuture<>();
        CompletableJob child = JobKt.Job(caller); // ends when the caller is cancelled, which ends only with the answer
        child.invokeOnCompletion(cancelled -> {
            if (cancelled != null && caller.isCancelled()) { // not where children alone are
                gone.complete(cancelled);
            }
            return Unit.INSTANCE;
        });
        Calls.Body begun = with -> {
            child.complete(); // or a body that waits for all children of its coroutine would wait for it
            if (gone.isDone()) { // it would be cut off, and its outcome unknown
                with.find(IdempotencyContext.class).ifPresent(IdempotencyContext::noEffect);
                throw gone.join();
            }
            return body.run(with);
        };
        CompletableFuture<@Nullable Object> answer = new CompletableFuture<>();
        try {
            call.stage(CallContext.current(), gone, begun).whenComplete((value, failure) -> {
                child.complete(); // or the caller would wait for it
                if (failure == null) {
                    answer.complete(value);
                } else { // a refusal would fail the coroutines around one that is only cancelled
                    boolean waited = failure instanceof OperationInProgressException && gone.isDone();
                    answer.completeExceptionally(waited ? gone.join() : failure);
                }
            });
        } catch (RuntimeException | Error e) {
            child.complete();
            throw e;
        }
        return answer;
    }
}
