package io.idempotency.runtime.intercept;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.BiFunction;
import java.util.function.Function;
import java.util.function.Supplier;
import reactor.core.publisher.Mono;

/** Every asynchronous type that a method may return, the call by hand, and how their caller waits for it. */
enum Kind {
    STAGE(LaterService::stage, stage -> stage.toCompletableFuture().copy()),
    FUTURE(LaterService::future, CompletableFuture::copy),
    MONO(LaterService::mono, Mono::toFuture),
    PUBLISHER(LaterService::publisher, publisher -> Mono.from(publisher).toFuture()),
    SINGLE(LaterService::single, single -> single.toCompletionStage().toCompletableFuture()),
    MAYBE(LaterService::maybe, maybe -> maybe.toCompletionStage(null).toCompletableFuture()),
    BY_HAND(LaterService::byHand, stage -> stage.toCompletableFuture().copy());

    private final BiFunction<LaterService, String, Supplier<CompletableFuture<String>>> method;

    <T> Kind(BiFunction<LaterService, String, T> method, Function<T, CompletableFuture<String>> subscribe) {
        this.method = (service, id) -> {
            T returned = method.apply(service, id);
            return () -> subscribe.apply(returned);
        };
    }

    /** Calls the method; what it gives subscribes to what the method returned. */
    Supplier<CompletableFuture<String>> assemble(LaterService service, String id) {
        return method.apply(service, id);
    }

    /** Calls the method and subscribes once. */
    CompletableFuture<String> call(LaterService service, String id) {
        return assemble(service, id).get();
    }

    static <T> CompletionStage<T> failed(Throwable failure) {
        return CompletableFuture.failedFuture(failure);
    }
}
