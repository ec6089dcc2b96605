package com.example.pay;

import io.idempotency.IdempotentOperation;
import io.micronaut.serde.annotation.Serdeable;
import jakarta.inject.Singleton;
import java.util.concurrent.atomic.AtomicInteger;

/** Charges each order once. */
@Singleton
public class Payments {

    /** What is to be charged. */
    @Serdeable
    public record ChargeRequest(String orderId, int cents) {}

    /** What was charged. */
    @Serdeable
    public record Receipt(String orderId, int cents, int number) {}

    private final AtomicInteger charges = new AtomicInteger();

    @IdempotentOperation(value = "charge-payment", key = "request.orderId")
    public Receipt charge(ChargeRequest request) {
        return new Receipt(request.orderId(), request.cents(), charges.incrementAndGet());
    }

    int charges() {
        return charges.get();
    }
}
