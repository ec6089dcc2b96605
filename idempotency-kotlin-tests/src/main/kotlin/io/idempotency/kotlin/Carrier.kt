package io.idempotency.kotlin

import io.idempotency.IdempotencyContext
import io.idempotency.IdempotencyKey
import io.idempotency.IdempotentOperation
import io.idempotency.SendsIdempotencyKey
import io.micronaut.http.annotation.Body
import io.micronaut.http.annotation.Post
import io.micronaut.http.client.annotation.Client
import jakarta.inject.Singleton
import kotlinx.coroutines.delay

/** Another system, called from coroutines. */
@Client("\${carrier.url}")
interface Carrier {

    @Post("/shipments")
    @SendsIdempotencyKey("carrier", retries = 3, delay = "1ms")
    suspend fun ship(@Body parcel: Receipt): Receipt

    @Post("/shipments")
    @SendsIdempotencyKey
    suspend fun shipAs(@Body parcel: Receipt, @IdempotencyKey key: String): Receipt
}

/** An operation that calls it. */
@Singleton
open class Shipping(private val carrier: Carrier) {

    @IdempotentOperation("kotlin-dispatch", key = "parcel.orderId")
    open suspend fun dispatch(parcel: Receipt): String {
        delay(1)
        carrier.ship(parcel)
        return IdempotencyContext.current().deriveKey("carrier")
    }
}
