package com.example.shop;

import io.idempotency.ApplicationShuttingDownException;
import io.idempotency.IdempotencyStoreUnavailableException;
import io.idempotency.IdempotentOperation;
import io.idempotency.OperationInProgressException;
import io.idempotency.TooManyRecordsException;
import io.micronaut.configuration.kafka.annotation.ErrorStrategy;
import io.micronaut.configuration.kafka.annotation.ErrorStrategyValue;
import io.micronaut.configuration.kafka.annotation.KafkaListener;
import io.micronaut.configuration.kafka.annotation.OffsetStrategy;
import io.micronaut.configuration.kafka.annotation.Topic;

/** Kafka delivers a message at least once. */
@KafkaListener(
        groupId = "orders",
        offsetStrategy = OffsetStrategy.SYNC,
        errorStrategy =
                @ErrorStrategy(
                        value = ErrorStrategyValue.RETRY_ON_ERROR,
                        retryCount = Integer.MAX_VALUE,
                        retryDelay = "1s",
                        exceptionTypes = {
                            OperationInProgressException.class,
                            IdempotencyStoreUnavailableException.class,
                            TooManyRecordsException.class,
                            ApplicationShuttingDownException.class
                        }))
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
