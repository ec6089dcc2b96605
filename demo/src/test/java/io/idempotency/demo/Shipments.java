package io.idempotency.demo;

import io.idempotency.IdempotentOperation;
import io.idempotency.WhenInProgress;
import jakarta.inject.Singleton;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import reactor.core.publisher.Mono;

/** Operations that take as long as a test wants. */
@Singleton
class Shipments {

    final Map<String, CompletableFuture<String>> underWay = new ConcurrentHashMap<>();
    final CountDownLatch unblock = new CountDownLatch(1);

    @IdempotentOperation(value = "ship-later", key = "id", whenInProgress = WhenInProgress.WAIT, waitTimeout = "60s")
    public CompletionStage<String> ship(String id) {
        return started(id);
    }

    @IdempotentOperation(
            value = "ship-reactively",
            key = "id",
            whenInProgress = WhenInProgress.WAIT,
            waitTimeout = "60s")
    public Mono<String> shipReactively(String id) {
        return Mono.fromCompletionStage(() -> started(id));
    }

    /** Blocks the thread that it is given, as it should not. */
    @IdempotentOperation(value = "ship-blocking", key = "id", lease = "3s", retention = "1h")
    public CompletionStage<String> shipBlocking(String id) {
        CompletableFuture<String> shipped = started(id);
        try {
            unblock.await();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        return shipped;
    }

    private CompletableFuture<String> started(String id) {
        return underWay.computeIfAbsent(id, key -> new CompletableFuture<>());
    }
}
