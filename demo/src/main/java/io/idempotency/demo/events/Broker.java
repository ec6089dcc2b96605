package io.idempotency.demo.events;

import io.micronaut.context.annotation.Context;
import io.micronaut.scheduling.annotation.Scheduled;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Where a broker would be, in this process. It delivers at least once, as brokers do, and here always twice: the first
 * acknowledgement of each message is lost. Thread-safe. There from the start: a timetable that creates its bean may do so while
 * the application still starts, or ends.
 */
@Context
class Broker {

    private static final Logger LOG = LoggerFactory.getLogger(Broker.class);

    private final Deliveries consumer;
    private final Queue<Delivery> waiting = new ConcurrentLinkedQueue<>();

    Broker(Deliveries consumer) {
        this.consumer = consumer;
    }

    private record Delivery(Event message, boolean again) {}

    void publish(Event message) {
        waiting.add(new Delivery(message, false));
    }

    @Scheduled(fixedDelay = "100ms")
    void deliver() {
        for (int due = waiting.size(); due > 0; due--) {
            Delivery delivery = waiting.remove();
            if (!acknowledged(delivery.message()) || !delivery.again()) {
                waiting.add(new Delivery(delivery.message(), true));
            }
        }
    }

    private boolean acknowledged(Event message) {
        try {
            return consumer.onMessage(message);
        } catch (RuntimeException e) {
            LOG.warn("Message {} is delivered again", message.id(), e);
            return false;
        }
    }
}
