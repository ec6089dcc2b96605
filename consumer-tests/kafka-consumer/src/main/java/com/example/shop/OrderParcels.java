package com.example.shop;

import io.idempotency.IdempotentOperation;
import io.micronaut.configuration.kafka.annotation.KafkaListener;
import io.micronaut.configuration.kafka.annotation.OffsetReset;
import io.micronaut.configuration.kafka.annotation.Topic;
import io.micronaut.configuration.kafka.exceptions.KafkaListenerException;
import io.micronaut.configuration.kafka.exceptions.KafkaListenerExceptionHandler;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;

/** Packs orders one by one, and puts aside those whose outcome is not known. */
@KafkaListener(offsetReset = OffsetReset.EARLIEST)
class OrderParcels implements KafkaListenerExceptionHandler {

    /** For a person, or a dead letter topic. */
    final Queue<KafkaListenerException> aside = new ConcurrentLinkedQueue<>();

    private final Shipments shipments;

    OrderParcels(Shipments shipments) {
        this.shipments = shipments;
    }

    @Topic("parcels")
    @IdempotentOperation(value = "hand-over", key = "order.orderId")
    void receive(OrderPlaced order) {
        shipments.ship(order);
    }

    @Override
    public void handle(KafkaListenerException exception) {
        aside.add(exception);
    }
}
