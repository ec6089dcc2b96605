package com.example.shop;

import io.idempotency.IdempotentOperation;
import io.idempotency.OnAbandoned;
import jakarta.inject.Singleton;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicInteger;
import reactor.core.publisher.Mono;

/** Operations that no route calls: one of each kind of answer. */
@Singleton
class Payments {

    final AtomicInteger charged = new AtomicInteger();

    @IdempotentOperation(value = "charge", key = "id", onAbandoned = OnAbandoned.TAKE_OVER)
    int charge(String id, int amount) {
        return charged.addAndGet(amount);
    }

    @IdempotentOperation(value = "charge-later", key = "id")
    CompletionStage<Integer> chargeLater(String id, int amount) {
        return CompletableFuture.completedFuture(charged.addAndGet(amount));
    }

    @IdempotentOperation(value = "charge-reactively", key = "id")
    Mono<Integer> chargeReactively(String id, int amount) {
        return Mono.fromSupplier(() -> charged.addAndGet(amount));
    }
}
