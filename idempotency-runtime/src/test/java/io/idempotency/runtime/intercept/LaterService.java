package io.idempotency.runtime.intercept;

import io.idempotency.IdempotencyExecutor;
import io.idempotency.IdempotentOperation;
import io.idempotency.NotFingerprinted;
import io.idempotency.OnAbandoned;
import io.idempotency.Reconciles;
import io.idempotency.Reconciliation;
import io.reactivex.rxjava3.core.Completable;
import io.reactivex.rxjava3.core.Maybe;
import io.reactivex.rxjava3.core.Single;
import jakarta.inject.Singleton;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;
import org.reactivestreams.Publisher;
import reactor.core.publisher.Mono;

/** One operation for each asynchronous type; a test says what their bodies do. */
@Singleton
class LaterService {

    final AtomicInteger bodies = new AtomicInteger();
    volatile Supplier<CompletionStage<String>> body = () -> CompletableFuture.completedFuture("done");
    volatile Supplier<Publisher<String>> many = Mono::empty;

    private final IdempotencyExecutor executor;

    LaterService(IdempotencyExecutor executor) {
        this.executor = executor;
    }

    private CompletionStage<String> started() {
        bodies.incrementAndGet();
        return body.get();
    }

    @IdempotentOperation(value = "not-later", key = "id")
    public String now(String id) {
        return started().toCompletableFuture().join();
    }

    @IdempotentOperation(value = "later-stage", key = "id", noEffectFor = NothingDone.class)
    public CompletionStage<String> stage(String id) {
        return started();
    }

    @IdempotentOperation(value = "later-future", key = "id", noEffectFor = NothingDone.class)
    public CompletableFuture<String> future(String id) {
        return started().toCompletableFuture();
    }

    @IdempotentOperation(value = "later-mono", key = "id", noEffectFor = NothingDone.class)
    public Mono<String> mono(String id) {
        return Mono.fromCompletionStage(this::started);
    }

    @IdempotentOperation(value = "later-publisher", key = "id", noEffectFor = NothingDone.class)
    public Publisher<String> publisher(String id) {
        return Mono.fromCompletionStage(this::started);
    }

    @IdempotentOperation(value = "later-single", key = "id", noEffectFor = NothingDone.class)
    public Single<String> single(String id) {
        return Single.defer(() -> Single.fromCompletionStage(started()));
    }

    @IdempotentOperation(value = "later-maybe", key = "id", noEffectFor = NothingDone.class)
    public Maybe<String> maybe(String id) {
        return Maybe.defer(() -> Maybe.fromCompletionStage(started()));
    }

    /** The same without an annotation. */
    CompletionStage<String> byHand(String id) {
        return executor.executeAsync("later-by-hand", id, List.of(id), String.class, this::started);
    }

    @IdempotentOperation(value = "later-completable", key = "id")
    public Completable completable(String id) {
        return Completable.fromRunnable(bodies::incrementAndGet);
    }

    @IdempotentOperation(value = "later-empty-mono", key = "id")
    public Mono<Void> emptyMono(String id) {
        return Mono.fromRunnable(bodies::incrementAndGet);
    }

    @IdempotentOperation(value = "later-empty-stage", key = "id")
    public CompletionStage<Void> emptyStage(String id) {
        return CompletableFuture.runAsync(bodies::incrementAndGet);
    }

    @IdempotentOperation(value = "later-optional", key = "id")
    public Mono<Optional<String>> optional(String id, @NotFingerprinted Mono<Optional<String>> result) {
        bodies.incrementAndGet();
        return result;
    }

    @IdempotentOperation(
            value = "later-many",
            key = "id",
            noEffectFor = {IllegalStateException.class, CancellationException.class})
    public Publisher<String> many(String id) {
        bodies.incrementAndGet();
        return many.get();
    }

    @IdempotentOperation(value = "later-reconciled", key = "id", onAbandoned = OnAbandoned.RECONCILE)
    public Mono<String> reconciled(String id) {
        return Mono.error(new TimeoutException("no answer"));
    }

    @Reconciles("later-reconciled")
    Mono<Reconciliation<String>> reconcile(String id) {
        return Mono.fromCompletionStage(body.get()).map(Reconciliation::done);
    }

    /** A time-out that the application knows to come from before anything was sent. */
    static final class NothingDone extends TimeoutException {
        private static final long serialVersionUID = 1L;
    }
}
