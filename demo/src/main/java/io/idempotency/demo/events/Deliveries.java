package io.idempotency.demo.events;

import io.idempotency.IdempotencyException;
import io.idempotency.IdempotencyException.Retry;
import jakarta.inject.Singleton;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Takes messages from a broker that delivers at least once. The key is the message's id, which is the same on every
 * delivery.
 */
@Singleton
class Deliveries {

    private static final Logger LOG = LoggerFactory.getLogger(Deliveries.class);

    private final EventService events;

    Deliveries(EventService events) {
        this.events = events;
    }

    /** True acknowledges the message. False leaves it to the broker, which delivers it again. */
    boolean onMessage(Event message) {
        try {
            events.handle(message);
            return true;
        } catch (IdempotencyException e) {
            if (e.retry() == Retry.SAME_KEY) {
                return false; // another node is at it, for instance, and may still fail
            }
            LOG.error("Message {} is put aside, for another delivery changes nothing: {}", message.id(), e.code());
            return true;
        }
    }
}
