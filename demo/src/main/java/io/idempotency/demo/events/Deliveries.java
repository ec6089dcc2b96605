package io.idempotency.demo.events;

import io.idempotency.OperationInProgressException;
import jakarta.inject.Singleton;

/**
 * Takes messages from a broker that delivers at least once. Kafka's and RabbitMQ's listeners are the same with their own
 * annotation in place of the call: the key is the message's id, which is the same on every delivery.
 */
@Singleton
class Deliveries {

    private final EventService events;

    Deliveries(EventService events) {
        this.events = events;
    }

    /** True acknowledges the message. False leaves it to the broker, which delivers it again. */
    boolean onMessage(Event message) {
        try {
            events.handle(message);
            return true;
        } catch (OperationInProgressException e) {
            return false; // another node is at it, and may still fail
        }
    }
}
