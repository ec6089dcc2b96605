package com.example.shop;

import io.idempotency.ApplicationShuttingDownException;
import io.idempotency.IdempotencyStoreUnavailableException;
import io.idempotency.OperationInProgressException;
import io.micronaut.configuration.kafka.annotation.ErrorStrategy;
import io.micronaut.configuration.kafka.annotation.ErrorStrategyValue;
import io.micronaut.configuration.kafka.annotation.KafkaListener;
import io.micronaut.configuration.kafka.annotation.OffsetReset;
import io.micronaut.configuration.kafka.annotation.OffsetStrategy;
import io.micronaut.configuration.kafka.annotation.Topic;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Packs the orders of a poll, each as an operation of its own. */
// tag::batch[]
@KafkaListener(
        batch = true,
        offsetReset = OffsetReset.EARLIEST,
        offsetStrategy = OffsetStrategy.SYNC,
        errorStrategy = @ErrorStrategy(value = ErrorStrategyValue.RETRY_ON_ERROR, retryCount = Integer.MAX_VALUE))
class OrderBatches {
    // end::batch[]

    private static final Logger LOG = LoggerFactory.getLogger(OrderBatches.class);

    private final Parcels parcels;

    OrderBatches(Parcels parcels) {
        this.parcels = parcels;
    }

    // tag::batch[]
    @Topic("bulk-orders")
    void receive(List<OrderPlaced> orders) {
        for (OrderPlaced order : orders) {
            try {
                parcels.pack(order);
            } catch (OperationInProgressException
                    | IdempotencyStoreUnavailableException
                    | ApplicationShuttingDownException e) {
                throw e; // the poll is tried again: what was packed is not packed again
            } catch (RuntimeException e) {
                LOG.error("{} was not packed", order, e); // or send it to a dead letter topic
            }
        }
    }
}
// end::batch[]
