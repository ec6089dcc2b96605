package io.idempotency.kotlin

import io.idempotency.IdempotencyKeyReusedException
import io.micronaut.test.extensions.junit5.annotation.MicronautTest
import java.util.UUID
import org.assertj.core.api.Assertions.assertThat
import org.assertj.core.api.Assertions.assertThatCode
import org.assertj.core.api.Assertions.assertThatThrownBy
import org.junit.jupiter.api.BeforeEach
import org.junit.jupiter.api.Test

@MicronautTest
class DataClassTest(private val orders: Orders) {

    private val order = Order(UUID.randomUUID().toString(), listOf(Line("tea", 2)), mapOf("a" to "1", "b" to "2"))

    @BeforeEach
    fun reset() = orders.runs.set(0)

    @Test
    fun aRetryIsReplayedByItsKeyPath() {
        val first = orders.place(order)

        assertThat(orders.place(order.copy())).isEqualTo(first).isEqualTo(Receipt(order.id, 1))
        assertThat(orders.runs).hasValue(1)
    }

    @Test
    fun everyPropertyIsFingerprinted() {
        orders.place(order)

        listOf(
            order.copy(lines = listOf(Line("tea", 3))),
            order.copy(lines = listOf(Line("tea", 2, 0.1))),
            order.copy(labels = mapOf("a" to "2", "b" to "1")),
            order.copy(coupon = "SPRING"),
            order.copy(payment = Payment.Card("1")),
        )
            .forEach { assertThatThrownBy { orders.place(it) }.isInstanceOf(IdempotencyKeyReusedException::class.java) }
    }

    @Test
    fun theOrderOfAMapIsNotFingerprinted() {
        orders.place(order)

        assertThatCode { orders.place(order.copy(labels = mapOf("b" to "2", "a" to "1"))) }.doesNotThrowAnyException()
    }

    @Test
    fun propertiesAreLeftOutOnWhicheverPartKotlinPutsTheAnnotation() {
        orders.place(order)

        assertThat(
            listOf(order.copy(note = "ring twice"), order.copy(sentAt = 5), order.copy(attempt = 2))
                .map { orders.place(it).number },
        )
            .containsOnly(1)
    }

    @Test
    fun theTypesOfASealedHierarchyAreToldApart() {
        val payments =
            listOf(Payment.Cash, Payment.Card("1"), Payment.Card("2"), Payment.Invoice("1"), Payment.Invoice("1", 30))
        for (paid in payments) {
            val id = UUID.randomUUID().toString()
            orders.file(id, paid)
            assertThatCode { orders.file(id, paid) }.doesNotThrowAnyException()
            payments.filter { it != paid }.forEach {
                assertThatThrownBy { orders.file(id, it) }.isInstanceOf(IdempotencyKeyReusedException::class.java)
            }
        }
        assertThat(orders.runs).hasValue(payments.size)
    }
}
