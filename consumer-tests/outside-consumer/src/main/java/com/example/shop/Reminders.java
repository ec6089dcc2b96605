package com.example.shop;

import io.idempotency.IdempotentOperation;
import jakarta.inject.Singleton;

/** Remembered in Redis, beside the operations that PostgreSQL remembers. */
@Singleton
class Reminders {

    private final Ledger ledger;

    Reminders(Ledger ledger) {
        this.ledger = ledger;
    }

    @IdempotentOperation(value = "send-reminder", key = "orderId", store = "redis")
    long send(String orderId) {
        return ledger.save(new Entry(null, "reminder", orderId)).id();
    }
}
