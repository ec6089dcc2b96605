package io.idempotency.integration.waiting;

import io.idempotency.IdempotentOperation;
import io.idempotency.WhenInProgress;
import jakarta.inject.Singleton;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;

/** A payment that takes until somebody says that it is over. */
@Singleton
class SlowPayment {

    private final Map<String, CompletableFuture<String>> running = new ConcurrentHashMap<>();
    private final AtomicInteger runs = new AtomicInteger();

    @IdempotentOperation(value = "slow-payment", key = "key", whenInProgress = WhenInProgress.WAIT, waitTimeout = "60s")
    CompletableFuture<String> pay(String key) {
        runs.incrementAndGet();
        return payment(key);
    }

    @IdempotentOperation(value = "slow-payment-at-once", key = "key")
    CompletableFuture<String> payOrRefuse(String key) {
        runs.incrementAndGet();
        return payment(key);
    }

    void finish(String key, String answer) {
        payment(key).complete(answer);
    }

    private CompletableFuture<String> payment(String key) {
        return running.computeIfAbsent(key, started -> new CompletableFuture<>());
    }

    int runs() {
        return runs.get();
    }
}
