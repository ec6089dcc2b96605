package io.idempotency.kotlin

import io.idempotency.IdempotentOperation
import io.micronaut.http.HttpResponse
import io.micronaut.http.HttpStatus
import io.micronaut.http.annotation.Body
import io.micronaut.http.annotation.Controller
import io.micronaut.http.annotation.Post
import io.micronaut.http.annotation.Status
import io.micronaut.serde.annotation.Serdeable
import java.util.concurrent.atomic.AtomicInteger
import kotlinx.coroutines.delay

/** What a client sends. */
@Serdeable
data class Wish(val id: String, val article: String, val pieces: Int = 1)

/** Routes that suspend. */
@Controller("/orders")
open class OrderController {

    /** How often a body was started. */
    val runs = AtomicInteger()

    /** Its key is the request's header. */
    @Post("/by-header")
    @Status(HttpStatus.CREATED)
    @IdempotentOperation("kotlin-route")
    open suspend fun byHeader(@Body wish: Wish): Receipt {
        val run = runs.incrementAndGet()
        delay(1)
        return Receipt(wish.id, run)
    }

    /** Its key is a Micronaut expression. */
    @Post("/by-expression")
    @IdempotentOperation("kotlin-route-by-expression", key = "#{wish.id}")
    open suspend fun byExpression(@Body wish: Wish): HttpResponse<Receipt> {
        val run = runs.incrementAndGet()
        delay(1)
        return HttpResponse.accepted<Receipt>().body(Receipt(wish.id, run))
    }

    /** Does not say what its body is. */
    @Post("/open")
    @IdempotentOperation("kotlin-route-open")
    open suspend fun open(@Body wish: Wish): HttpResponse<*> {
        val run = runs.incrementAndGet()
        delay(1)
        return HttpResponse.ok(mapOf("id" to wish.id, "run" to run))
    }
}
