package com.example.shop;

import io.idempotency.IdempotentOperation;
import io.micronaut.configuration.kafka.annotation.KafkaListener;
import io.micronaut.configuration.kafka.annotation.Topic;

/** Kafka delivers a message at least once. */
// tag::kafka[]
@KafkaListener
class OrderEvents {

    private final Ledger ledger;

    OrderEvents(Ledger ledger) {
        this.ledger = ledger;
    }

    @Topic("orders")
    @IdempotentOperation(value = "handle-order-event", key = "request.orderId")
    void receive(OrderRequest request) {
        ledger.save(new Entry(null, "event", request.orderId()));
    }
}
// end::kafka[]
