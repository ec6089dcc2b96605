package io.idempotency.kotlin

import com.fasterxml.jackson.annotation.JsonSubTypes
import io.idempotency.NotFingerprinted
import io.micronaut.serde.annotation.Serdeable

/** What is ordered. The last three may differ in a retry: they say nothing about what is asked for. */
data class Order(
    val id: String,
    val lines: List<Line>,
    val labels: Map<String, String> = emptyMap(),
    val coupon: String? = null,
    val payment: Payment = Payment.Cash,
    @NotFingerprinted val note: String? = null,
    @param:NotFingerprinted val sentAt: Long = 0,
    @get:NotFingerprinted val attempt: Int = 1,
)

/** A line of an order. */
data class Line(val article: String, val pieces: Int, val discount: Double? = null)

/** How an order is paid. The stubs that kapt makes of Kotlin sources are not sealed, so the types are named again. */
@JsonSubTypes(
    JsonSubTypes.Type(Payment.Cash::class),
    JsonSubTypes.Type(Payment.Card::class),
    JsonSubTypes.Type(Payment.Invoice::class),
)
sealed interface Payment {
    /** On delivery. */
    data object Cash : Payment

    /** By card. */
    data class Card(val number: String) : Payment

    /** By an invoice. */
    data class Invoice(val address: String, val days: Int = 14) : Payment
}

/** What the customer gets. */
@Serdeable
data class Receipt(val orderId: String, val number: Int, val discount: String? = null)
