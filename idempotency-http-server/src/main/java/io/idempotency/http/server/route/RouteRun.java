package io.idempotency.http.server.route;

import io.idempotency.IdempotencyContext;
import io.idempotency.runtime.Outcome;
import io.idempotency.runtime.OutcomeListener;
import io.idempotency.runtime.call.Invocation;
import io.idempotency.runtime.call.RunningCall;
import io.idempotency.runtime.config.KeyScope;
import io.idempotency.runtime.engine.IdempotencyEngine;
import io.idempotency.runtime.engine.Listeners;
import io.micronaut.core.propagation.PropagatedContext;
import io.micronaut.core.propagation.PropagatedContextElement;
import io.micronaut.http.HttpResponse;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.reactivestreams.Publisher;
import reactor.core.publisher.Mono;

/**
 * A request under a granted claim: the engine's call around the answer of a route. It stands in the context of what is behind the claim.
 */
final class RouteRun implements PropagatedContextElement {

    private final Route route;
    private final IdempotencyContext claim;
    private final CompletionStage<Outcome> outcome;
    private final CompletableFuture<@Nullable Object> body = new CompletableFuture<>();

    private RouteRun(Route route, IdempotencyContext claim, CompletionStage<Outcome> outcome) {
        this.route = route;
        this.claim = claim;
        this.outcome = outcome;
    }

    /**
     * The parts of a call.
     *
     * @param engine decides whether the route is asked
     * @param listeners get the outcome
     * @param granted asks the route, under a claim
     * @param known makes an answer of an outcome for which the route was not asked
     */
    record Parts(
            IdempotencyEngine engine,
            List<OutcomeListener> listeners,
            Function<RouteRun, CompletionStage<HttpResponse<?>>> granted,
            Function<Outcome, HttpResponse<?>> known) {}

    /** Claims the key, and lets the route answer if the claim is granted. */
    static CompletionStage<HttpResponse<?>> once(Parts parts, Route route, KeyScope.Scoped scoped) {
        PropagatedContext caller = PropagatedContext.getOrEmpty();
        long start = System.nanoTime();
        CompletableFuture<CompletionStage<HttpResponse<?>>> answer = new CompletableFuture<>();
        CompletableFuture<Outcome> told = new CompletableFuture<>();
        Invocation call = new Invocation(
                route.operation(),
                scoped.id(),
                scoped.fingerprint(),
                claim -> {
                    RouteRun run = new RouteRun(route, claim, told);
                    answer.complete(parts.granted().apply(run));
                    return run.body;
                },
                null,
                null,
                false,
                scoped.admission(),
                null);
        started(parts, call).whenComplete((outcome, defect) -> {
            if (defect != null) {
                told.completeExceptionally(defect);
                answer.completeExceptionally(defect);
                return;
            }
            try (PropagatedContext.Scope ignored = caller.propagate()) {
                Listeners.tell(call, start, outcome, parts.listeners());
            }
            told.complete(outcome);
            if (!answer.isDone()) {
                answer.complete(told.thenApply(parts.known()));
            }
        });
        return answer.thenCompose(stage -> stage);
    }

    /**
     * Begins a call on this thread where nothing makes it wait, otherwise on one thread that may block. The body is a route, which is
     * answered on that thread unless it does its work elsewhere. A duplicate that waits for a running call holds such a thread.
     */
    private static CompletionStage<Outcome> started(Parts parts, Invocation call) {
        return call.operation().mayWait()
                ? parts.engine().executeAsync(call)
                : parts.engine().begin(call);
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
