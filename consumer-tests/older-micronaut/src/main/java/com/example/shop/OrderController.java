package com.example.shop;

import io.idempotency.IdempotentOperation;
import io.micronaut.http.annotation.Body;
import io.micronaut.http.annotation.Controller;
import io.micronaut.http.annotation.Post;
import io.micronaut.scheduling.TaskExecutors;
import io.micronaut.scheduling.annotation.ExecuteOn;
import io.micronaut.serde.annotation.Serdeable;
import java.util.concurrent.atomic.AtomicInteger;

/** A route whose key is the header. */
@Controller("/orders")
@ExecuteOn(TaskExecutors.BLOCKING)
class OrderController {

    /** What a customer orders. */
    @Serdeable
    record OrderRequest(String orderId, int amount) {}

    /** The answer to an order. */
    @Serdeable
    record Receipt(String orderId, int number) {}

    private final AtomicInteger placed = new AtomicInteger();

    @Post
    @IdempotentOperation("place-order")
    Receipt place(@Body OrderRequest request) {
        return new Receipt(request.orderId(), placed.incrementAndGet());
    }
}
