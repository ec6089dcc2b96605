package com.example.shop;

import io.idempotency.IdempotentOperation;
import io.micronaut.http.annotation.Body;
import io.micronaut.http.annotation.Controller;
import io.micronaut.http.annotation.Post;
import io.micronaut.scheduling.TaskExecutors;
import io.micronaut.scheduling.annotation.ExecuteOn;
import io.micronaut.serde.annotation.Serdeable;
import java.util.concurrent.atomic.AtomicInteger;

/** An annotated route, and one that the configuration protects. */
@Controller("/orders")
@ExecuteOn(TaskExecutors.BLOCKING)
class OrderController {

    /** What a customer orders. */
    @Serdeable
    record OrderRequest(String item, int amount) {}

    /** The answer to an order. */
    @Serdeable
    record Receipt(String item, int number) {}

    private final AtomicInteger numbers = new AtomicInteger();

    @Post
    @IdempotentOperation("place-order")
    Receipt place(@Body OrderRequest request) {
        return new Receipt(request.item(), numbers.incrementAndGet());
    }

    @Post("/{item}/cancellation")
    Receipt cancel(String item) {
        return new Receipt(item, numbers.incrementAndGet());
    }
}
