package com.example.shop;

import io.idempotency.IdempotentOperation;
import jakarta.inject.Singleton;

/** Would charge twice, if it started. */
@Singleton
class Shop {

    @IdempotentOperation(value = "charge", key = "orderId")
    void charge(String orderId) {}
}
