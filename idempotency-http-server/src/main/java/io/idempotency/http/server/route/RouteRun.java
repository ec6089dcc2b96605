package io.idempotency.http.server.route;

import io.idempotency.IdempotencyContext;
import io.idempotency.runtime.Outcome;
import io.idempotency.runtime.OutcomeListener;
import io.idempotency.runtime.config.KeyScope;
import io.idempotency.runtime.engine.IdempotencyEngine;
import io.idempotency.runtime.engine.Invocation;
import io.idempotency.runtime.engine.Listeners;
import io.idempotency.runtime.engine.RunningCall;
import io.micronaut.core.propagation.PropagatedContext;
import io.micronaut.core.propagation.PropagatedContextElement;
import io.micronaut.http.HttpResponse;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.reactivestreams.Publisher;
import reactor.core.publisher.Mono;

/**
 * A request under a granted claim: the two halves of the engine's call, around the answer of a route. It stands in the context of what is
 * behind the claim.
 */
final class RouteRun implements PropagatedContextElement {

    private final Route route;
    private final IdempotencyContext claim;
    private final CompletionStage<Outcome> outcome;
    private final CompletableFuture<@Nullable Object> body;

    private RouteRun(
            Route route,
            IdempotencyContext claim,
            CompletionStage<Outcome> outcome,
            CompletableFuture<@Nullable Object> body) {
        this.route = route;
        this.claim = claim;
        this.outcome = outcome;
        this.body = body;
    }

    /** Either the right to let the route answer, or the outcome without it. */
    sealed interface Begun {
        /** The route may answer. */
        record Granted(RouteRun run) implements Begun {}

        /** The outcome is known. */
        record Answered(Outcome outcome) implements Begun {}
    }

    /** Claims the key, and tells the listeners of the outcome once there is one. */
    static CompletionStage<Begun> begin(
            IdempotencyEngine engine, List<OutcomeListener> listeners, Route route, KeyScope.Scoped scoped) {
        PropagatedContext caller = PropagatedContext.getOrEmpty();
        long start = System.nanoTime();
        CompletableFuture<Begun> begun = new CompletableFuture<>();
        CompletableFuture<@Nullable Object> body = new CompletableFuture<>();
        CompletableFuture<Outcome> told = new CompletableFuture<>();
        Invocation call = new Invocation(
                route.operation(),
                scoped.id(),
                scoped.fingerprint(),
                claim -> {
                    begun.complete(new Begun.Granted(new RouteRun(route, claim, told, body)));
                    return body;
                },
                null,
                null,
                false,
                scoped.admission(),
                null);
        engine.executeAsync(call).whenComplete((outcome, defect) -> {
            if (defect != null) {
                told.completeExceptionally(defect);
                begun.completeExceptionally(defect);
                return;
            }
            try (PropagatedContext.Scope ignored = caller.propagate()) {
                Listeners.tell(call, start, outcome, listeners);
            }
            told.complete(outcome);
            begun.complete(new Begun.Answered(outcome));
        });
        return begun;
    }

    Route route() {
        return route;
    }

    /** The answer of the filters behind this one and of the route, which run in the context of the claim. */
    CompletionStage<HttpResponse<?>> answer(
            PropagatedContext caller, Supplier<Publisher<? extends HttpResponse<?>>> chain) {
        try (PropagatedContext.Scope ignored = caller.plus(claim).plus(this).propagate()) {
            return Mono.<HttpResponse<?>>from(chain.get()).toFuture();
        } catch (RuntimeException | Error e) {
            return CompletableFuture.failedFuture(e);
        }
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

    /** Declares that nothing was done. */
    void noEffect() {
        claim.noEffect();
    }

    /** The exception to tell the caller of an exception: another operation's refusal may not be true of this key. */
    Throwable answerFor(Throwable thrown) {
        return claim instanceof RunningCall running ? running.answerFor(thrown) : thrown;
    }
}
