package io.idempotency.kotlin

import io.idempotency.IdempotencyContext
import io.idempotency.IdempotencyKey
import io.idempotency.IdempotentOperation
import io.idempotency.OnAbandoned
import io.idempotency.Reconciles
import io.idempotency.Reconciliation
import io.micronaut.core.propagation.PropagatedContext
import io.micronaut.core.propagation.PropagatedContextElement
import jakarta.inject.Singleton
import java.io.IOException
import java.util.concurrent.atomic.AtomicInteger
import kotlinx.coroutines.Dispatchers
import kotlinx.coroutines.awaitCancellation
import kotlinx.coroutines.delay
import kotlinx.coroutines.withContext

/** On whose behalf a call is made, as an application puts it into Micronaut's propagated context. */
data class Caller(val name: String) : PropagatedContextElement {
    companion object {
        fun current(): String? = PropagatedContext.getOrEmpty().find(Caller::class.java).map { it.name }.orElse(null)
    }
}

/** Operations that return and operations that suspend. */
@Singleton
open class Orders {

    /** How often a body was started. */
    val runs = AtomicInteger()

    // tag::operations[]
    @IdempotentOperation("kotlin-place", key = "order.id")
    open fun place(order: Order): Receipt = Receipt(order.id, runs.incrementAndGet())

    @IdempotentOperation("kotlin-file")
    open fun file(@IdempotencyKey id: String, payment: Payment) {
        runs.incrementAndGet()
    }

    @IdempotentOperation("kotlin-suspend", key = "order.id")
    open suspend fun placeSuspending(order: Order): Receipt {
        val run = runs.incrementAndGet()
        delay(20)
        return withContext(Dispatchers.IO) { Receipt(order.id, run) }
    }
    // end::operations[]

    @IdempotentOperation("kotlin-suspend-at-once", key = "id")
    open suspend fun placeAtOnce(id: String): Receipt = Receipt(id, runs.incrementAndGet())

    @IdempotentOperation("kotlin-cancel")
    open suspend fun cancel(@IdempotencyKey orderId: String, reason: String = "no reason given") {
        delay(1)
        runs.incrementAndGet()
    }

    @IdempotentOperation("kotlin-find", key = "id")
    open suspend fun find(id: String): Receipt? {
        delay(1)
        return if (runs.incrementAndGet() > 1) Receipt(id, 1) else null
    }

    /** Its arguments are its key. */
    @IdempotentOperation("kotlin-place-all")
    open suspend fun placeAll(orders: List<Order>): Map<String, List<Receipt>> {
        delay(1)
        return orders.associate { it.id to listOf(Receipt(it.id, runs.incrementAndGet())) }
    }

    @IdempotentOperation("kotlin-derive", key = "id")
    open suspend fun derive(id: String): List<String> {
        val before = IdempotencyContext.current().deriveKey("psp")
        delay(1)
        val after = IdempotencyContext.current().deriveKey("psp")
        return listOf(before, after, withContext(Dispatchers.IO) { IdempotencyContext.current().deriveKey("psp") })
    }

    @IdempotentOperation("kotlin-callers", key = "id")
    open suspend fun callers(id: String): List<String?> {
        val before = Caller.current()
        delay(1)
        val after = Caller.current()
        return listOf(before, after, withContext(Dispatchers.IO) { Caller.current() })
    }

    @IdempotentOperation("kotlin-refuse", key = "id")
    open suspend fun refuse(id: String): Receipt {
        delay(1)
        throw IllegalStateException("sold out after run ${runs.incrementAndGet()}")
    }

    /** Runs until its caller is cancelled. */
    @IdempotentOperation("kotlin-wait", key = "id")
    open suspend fun wait(id: String): Receipt {
        runs.incrementAndGet()
        awaitCancellation()
    }

    @IdempotentOperation("kotlin-ship", key = "id", onAbandoned = OnAbandoned.RECONCILE)
    open suspend fun ship(id: String): Receipt {
        delay(1)
        runs.incrementAndGet()
        throw IOException("the carrier hung up")
    }

    @Reconciles("kotlin-ship")
    open fun shipped(id: String): Reconciliation<Receipt> = Reconciliation.done(Receipt(id, -1))
}
