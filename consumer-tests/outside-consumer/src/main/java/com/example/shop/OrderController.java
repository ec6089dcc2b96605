package com.example.shop;

import io.idempotency.IdempotentOperation;
import io.micronaut.http.annotation.Body;
import io.micronaut.http.annotation.Controller;
import io.micronaut.http.annotation.Post;
import io.micronaut.scheduling.TaskExecutors;
import io.micronaut.scheduling.annotation.ExecuteOn;
import io.micronaut.security.annotation.Secured;
import io.micronaut.security.rules.SecurityRule;

/** A route whose key is the header. */
@Controller("/orders")
@Secured(SecurityRule.IS_AUTHENTICATED)
@ExecuteOn(TaskExecutors.BLOCKING)
class OrderController {

    private final Ledger ledger;

    OrderController(Ledger ledger) {
        this.ledger = ledger;
    }

    @Post
    @IdempotentOperation("place-order")
    Receipt place(@Body OrderRequest request) {
        Entry entry = ledger.save(new Entry(null, "order", request.orderId()));
        return new Receipt(request.orderId(), entry.id());
    }
}
