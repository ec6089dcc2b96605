package com.example.pay

import io.idempotency.IdempotencyKeyReusedException
import io.micronaut.test.extensions.junit5.annotation.MicronautTest
import org.junit.jupiter.api.Assertions.assertEquals
import org.junit.jupiter.api.Assertions.assertThrows
import org.junit.jupiter.api.Test

@MicronautTest
class PaymentsTest(private val payments: Payments) {

    @Test
    fun anOrderIsChargedOnce() {
        val first = payments.charge("o-1", 995)
        assertEquals(first, payments.charge("o-1", 995))
        assertThrows(IdempotencyKeyReusedException::class.java) { payments.charge("o-1", 20_000) }
    }
}
