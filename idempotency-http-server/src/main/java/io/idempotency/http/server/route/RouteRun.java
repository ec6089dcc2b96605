package io.idempotency.http.server.route;

import io.idempotency.IdempotencyContext;
import io.idempotency.runtime.Outcome;
import io.idempotency.runtime.call.FailureWithAnswer;
import io.idempotency.runtime.call.Operation;
import io.idempotency.runtime.call.RunningCall;
import io.micronaut.core.propagation.PropagatedContextElement;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/**
 * A request to a configured route under a granted claim. It stands in the context of what is behind
 * the claim.
 *
 * @param outcome what the engine makes of the body
 * @param body what the engine is told; completes when the answer of the route is known
 */
record RouteRun(
        Route route,
        IdempotencyContext claim,
        CompletionStage<Outcome> outcome,
        CompletableFuture<@Nullable Object> body)
        implements PropagatedContextElement, RouteAnswers.Recording {

    @Override
    public Operation operation() {
        return route.operation();
    }

    @Override
    public StatusRule rule() {
        return route.rule();
    }

    @Override
    public CompletionStage<Outcome> failed(FailureWithAnswer failure) {
        return finish(null, failure);
    }

    /** Records what the route came to. */
    CompletionStage<Outcome> finish(@Nullable Object value, @Nullable Throwable failure) {
        if (failure == null) {
            body.complete(value);
        } else {
            body.completeExceptionally(failure);
        }
        return outcome;
    }

    /** Returns the exception to answer with: another operation's refusal may not be true of this key. */
    Throwable answerFor(Throwable thrown) {
        return claim instanceof RunningCall running ? running.answerFor(thrown) : thrown;
    }
}
