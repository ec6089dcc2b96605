package com.example.shop;

import io.idempotency.ApplicationShuttingDownException;
import io.idempotency.IdempotencyStoreUnavailableException;
import io.idempotency.OperationInProgressException;
import io.idempotency.TooManyRecordsException;
import io.micronaut.configuration.kafka.annotation.ErrorStrategy;
import io.micronaut.configuration.kafka.annotation.ErrorStrategyValue;
import io.micronaut.configuration.kafka.annotation.KafkaListener;
import io.micronaut.configuration.kafka.annotation.OffsetReset;
import io.micronaut.configuration.kafka.annotation.OffsetStrategy;
import io.micronaut.configuration.kafka.annotation.Topic;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.ConsumerRecords;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Packs the orders of a poll, each as an operation of its own.
 *
 * <p>Goes back by itself: the strategy of Micronaut Kafka 5.9 skips the poll that follows an assignment of partitions
 * (its <a href="https://github.com/micronaut-projects/micronaut-kafka/issues/1004">issue 1004</a>).
 */
// tag::batch[]
@KafkaListener(
        batch = true,
        offsetReset = OffsetReset.EARLIEST,
        offsetStrategy = OffsetStrategy.SYNC,
        errorStrategy = @ErrorStrategy(value = ErrorStrategyValue.RETRY_ON_ERROR, retryCount = Integer.MAX_VALUE,
                exceptionTypes = {OperationInProgressException.class, IdempotencyStoreUnavailableException.class,
                    TooManyRecordsException.class, ApplicationShuttingDownException.class}))
class OrderBatches {
    // end::batch[]

    private static final Logger LOG = LoggerFactory.getLogger(OrderBatches.class);

    private final Parcels parcels;

    OrderBatches(Parcels parcels) {
        this.parcels = parcels;
    }

    // tag::batch[]
    @Topic("bulk-orders")
    void receive(ConsumerRecords<String, OrderPlaced> records, Consumer<?, ?> consumer) {
        for (ConsumerRecord<String, OrderPlaced> order : records) {
            try {
                parcels.pack(order.value());
            } catch (OperationInProgressException
                    | IdempotencyStoreUnavailableException
                    | TooManyRecordsException
                    | ApplicationShuttingDownException e) {
                records.partitions().forEach(partition -> consumer.seek(
                        partition, records.records(partition).get(0).offset()));
                throw e; // tried again: what was packed is not packed again
            } catch (RuntimeException e) {
                LOG.error("{} was not packed", order.value(), e); // or to a dead letter topic
            }
        }
    }
}
// end::batch[]
