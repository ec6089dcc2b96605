package com.example.shop;

import io.idempotency.test.Effects;
import jakarta.inject.Singleton;
import java.util.concurrent.CountDownLatch;

/** Counts what is shipped; a slow order takes as long as its test wants. */
@Singleton
class Warehouse implements Shipments {

    final Effects shipped = new Effects("shipped");
    final CountDownLatch slow = new CountDownLatch(1);

    @Override
    public void ship(OrderPlaced order) {
        shipped.happen(order.orderId());
        if (order.orderId().equals("slow")) {
            awaitSlow();
        }
        if (order.amount() < 0) {
            throw new IllegalStateException("cannot ship " + order);
        }
    }

    private void awaitSlow() {
        try {
            slow.await();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
