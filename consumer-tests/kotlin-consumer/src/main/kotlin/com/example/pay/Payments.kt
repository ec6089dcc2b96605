package com.example.pay

import io.idempotency.IdempotentOperation
import io.micronaut.serde.annotation.Serdeable
import jakarta.inject.Singleton
import java.util.concurrent.atomic.AtomicInteger

@Serdeable
data class Receipt(val orderId: String, val number: Int)

@Singleton
open class Payments {
    private val charged = AtomicInteger()

    @IdempotentOperation("charge", key = "orderId")
    open fun charge(orderId: String, cents: Long): Receipt = Receipt(orderId, charged.incrementAndGet())
}
