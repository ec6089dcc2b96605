package com.example.shop;

import io.idempotency.IdempotentOperation;
import io.idempotency.OnAbandoned;
import io.micronaut.rabbitmq.annotation.Queue;
import io.micronaut.rabbitmq.annotation.RabbitListener;

/** Ships each order that is announced once. */
@RabbitListener
class OrderMessages {

    private final Shipments shipments;

    OrderMessages(Shipments shipments) {
        this.shipments = shipments;
    }

    // tag::rabbit[]
    @Queue(value = "orders", numberOfConsumers = "2")
    @IdempotentOperation(value = "ship-order", key = "order.orderId", onAbandoned = OnAbandoned.TAKE_OVER)
    void receive(OrderPlaced order) {
        shipments.ship(order);
    }
    // end::rabbit[]
}
