package com.example.shop;

import io.idempotency.IdempotentOperation;
import io.idempotency.OnAbandoned;
import io.micronaut.configuration.kafka.annotation.KafkaListener;
import io.micronaut.configuration.kafka.annotation.OffsetReset;
import io.micronaut.configuration.kafka.annotation.Topic;

/** Ships each order that is announced once. */
// tag::kafka[]
@KafkaListener(offsetReset = OffsetReset.EARLIEST)
class OrderEvents {
    // end::kafka[]

    private final Shipments shipments;

    OrderEvents(Shipments shipments) {
        this.shipments = shipments;
    }

    // tag::kafka[]
    @Topic("orders")
    @IdempotentOperation(value = "ship-order", key = "order.orderId", onAbandoned = OnAbandoned.TAKE_OVER)
    void receive(OrderPlaced order) {
        shipments.ship(order);
    }
}
// end::kafka[]
