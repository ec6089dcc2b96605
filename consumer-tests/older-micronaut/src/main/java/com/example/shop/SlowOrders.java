package com.example.shop;

import io.idempotency.IdempotentOperation;
import jakarta.inject.Singleton;
import java.util.concurrent.CountDownLatch;

/** An order that takes as long as its test wants. */
@Singleton
class SlowOrders {

    final CountDownLatch begun = new CountDownLatch(1);
    final CountDownLatch mayEnd = new CountDownLatch(1);

    @IdempotentOperation(value = "place-slowly", key = "id")
    String place(String id) {
        begun.countDown();
        try {
            mayEnd.await();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        return "placed " + id;
    }

    @IdempotentOperation(value = "note", key = "id")
    void note(String id) {}
}
