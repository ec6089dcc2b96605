package io.idempotency.runtime.intercept;

import io.idempotency.runtime.failure.KnownFailures;
import io.micronaut.core.async.propagation.ReactivePropagation;
import io.micronaut.core.async.propagation.ReactorPropagation;
import io.micronaut.core.propagation.PropagatedContext;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.reactivestreams.Publisher;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.util.context.Context;
import reactor.util.context.ContextView;

/** The reactive side of a call, a class of its own because only applications with reactive methods have Reactor. */
final class ReactiveCall {

    private ReactiveCall() {}

    /**
     * Claims once for each subscription, never before. A subscriber that cancels does not cancel the body, which runs
     * to its end and is recorded. A subscriber that cancels while it waits for a duplicate claims nothing afterwards.
     */
    static Mono<Object> deferred(Calls.Call call, Supplier<Publisher<?>> body) {
        CallContext assembled = CallContext.current();
        return Mono.deferContextual(reactor -> {
            // a later subscription, for instance after a delay, may come from a thread without the call's context
            CallContext subscriber =
                    CallContext.current().or(ofReactor(reactor)).or(assembled);
            CompletableFuture<@Nullable Void> gone = new CompletableFuture<>();
            Mono<Object> answer = Mono.fromFuture(
                            call.stage(subscriber, gone, with -> started(with, reactor, body.get()))
                                    .toCompletableFuture(),
                            true)
                    .doOnCancel(() -> gone.complete(null));
            return Mono.from(ReactivePropagation.propagate(subscriber.around(), answer));
        });
    }

    private static CallContext ofReactor(ContextView reactor) {
        return new CallContext(
                ReactorPropagation.findPropagatedContext(reactor).orElse(PropagatedContext.empty()), null);
    }

    /** Returns a stage with a publisher's one value; null if the publisher completes without one. */
    static CompletionStage<@Nullable Object> started(PropagatedContext context, Publisher<?> publisher) {
        return started(context, Context.empty(), publisher);
    }

    /** Does not cancel the publisher after its value, because its later work belongs to the body. */
    private static CompletionStage<@Nullable Object> started(
            PropagatedContext context, ContextView subscriber, Publisher<?> publisher) {
        return Flux.from(ReactivePropagation.propagate(context, publisher))
                .contextWrite(subscriber)
                .collect(ArrayList<Object>::new, ReactiveCall::only)
                .toFuture()
                .thenApply(values -> values.isEmpty() ? null : values.get(0));
    }

    /** Adds the only value. A second value cancels the body, and how far it came is not known, whatever is declared. */
    private static void only(List<Object> values, Object value) {
        if (!values.isEmpty()) {
            throw new KnownFailures.CutOff("The publisher emitted a second value and was cancelled. An idempotent"
                    + " operation has one result: return Mono<List<…>>.");
        }
        values.add(value);
    }
}
