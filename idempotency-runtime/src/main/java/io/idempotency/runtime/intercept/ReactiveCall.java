package io.idempotency.runtime.intercept;

import io.micronaut.core.async.propagation.ReactivePropagation;
import io.micronaut.core.propagation.PropagatedContext;
import java.util.concurrent.CompletionStage;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.reactivestreams.Publisher;
import reactor.core.publisher.Mono;

/** The reactive side of a call. Kept apart because only applications with reactive methods have Reactor. */
final class ReactiveCall {

    private ReactiveCall() {}

    /**
     * Claims once per subscription, never before. A subscriber that goes away does not cut the body off: it runs to its
     * end and is recorded.
     */
    static Mono<Object> deferred(Supplier<CompletionStage<@Nullable Object>> call) {
        return Mono.fromFuture(() -> call.get().toCompletableFuture(), true);
    }

    /** The body's one value as a stage; completing without one is null. */
    static CompletionStage<@Nullable Object> started(PropagatedContext context, Publisher<?> body) {
        return Mono.<@Nullable Object>from(ReactivePropagation.propagate(context, body))
                .toFuture();
    }
}
