package io.idempotency.runtime.intercept;

import io.idempotency.IdempotencyException;
import io.idempotency.IdempotentOperation;
import io.idempotency.NotFingerprinted;
import io.micronaut.cache.annotation.CacheConfig;
import io.micronaut.cache.annotation.Cacheable;
import io.micronaut.retry.annotation.CircuitBreaker;
import io.micronaut.retry.annotation.Retryable;
import io.micronaut.scheduling.TaskExecutors;
import io.micronaut.scheduling.annotation.Async;
import jakarta.inject.Singleton;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.IntFunction;
import reactor.core.publisher.Mono;

/** Operations with Micronaut's own advice around them; a test says what each run of a body does. */
@Singleton
@CacheConfig("orders")
class AdvisedService {

    final AtomicInteger bodies = new AtomicInteger();
    volatile IntFunction<String> behaviour = run -> "run " + run;

    private String run() {
        return behaviour.apply(bodies.incrementAndGet());
    }

    @Retryable(attempts = "2", delay = "1ms")
    @IdempotentOperation(value = "retried", key = "id", noEffectFor = NotSent.class)
    public String retried(String id) {
        return run();
    }

    @Retryable(attempts = "2", delay = "1ms")
    @IdempotentOperation(value = "retried-stage", key = "id", noEffectFor = NotSent.class)
    public CompletionStage<String> retriedStage(String id) {
        return CompletableFuture.supplyAsync(this::run);
    }

    @Retryable(attempts = "2", delay = "1ms")
    @IdempotentOperation(value = "retried-mono", key = "id", noEffectFor = NotSent.class)
    public Mono<String> retriedMono(String id) {
        return Mono.fromCallable(this::run);
    }

    @Retryable(attempts = "2", delay = "1ms")
    @IdempotentOperation(value = "retried-mutation", key = "order.id")
    public String mutates(OrderService.Mutable order) {
        order.setId(order.getId() + " and more");
        return run();
    }

    @CircuitBreaker(attempts = "1", delay = "1ms", reset = "1h", excludes = IdempotencyException.class)
    @IdempotentOperation(value = "broken-circuit", key = "id", noEffectFor = NotSent.class)
    public String circuit(String id) {
        return run();
    }

    @Cacheable(parameters = "id")
    @IdempotentOperation(value = "cached", key = "id")
    public String cached(String id) {
        return run();
    }

    @Async(TaskExecutors.IO)
    @IdempotentOperation(value = "run-async", key = "id")
    public CompletableFuture<String> async(String id) {
        return CompletableFuture.completedFuture(run());
    }

    @Async(TaskExecutors.IO)
    @IdempotentOperation(value = "run-async-void", key = "id")
    public void asyncWithoutResult(String id, @NotFingerprinted List<String> seen) {
        seen.add(run());
    }

    /** Declared to have no effect. */
    static final class NotSent extends RuntimeException {
        private static final long serialVersionUID = 1L;
    }
}
