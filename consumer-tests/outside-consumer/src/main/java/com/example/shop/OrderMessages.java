package com.example.shop;

import io.idempotency.IdempotentOperation;
import io.micronaut.rabbitmq.annotation.Queue;
import io.micronaut.rabbitmq.annotation.RabbitListener;

/** So does RabbitMQ. */
@RabbitListener
class OrderMessages {

    private final Ledger ledger;

    OrderMessages(Ledger ledger) {
        this.ledger = ledger;
    }

    @Queue("orders")
    @IdempotentOperation(value = "handle-order-message", key = "request.orderId")
    void receive(OrderRequest request) {
        ledger.save(new Entry(null, "message", request.orderId()));
    }
}
