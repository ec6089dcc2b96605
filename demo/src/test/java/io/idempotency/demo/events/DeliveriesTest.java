package io.idempotency.demo.events;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.idempotency.test.Duplicates;
import io.idempotency.test.FaultyStore.Call;
import io.idempotency.test.IdempotencyTest;
import io.idempotency.test.IdempotencyTestKit;
import io.micronaut.test.extensions.junit5.annotation.MicronautTest;
import jakarta.inject.Inject;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** A broker that delivers a message more than once. */
@MicronautTest(transactional = false)
@IdempotencyTest
class DeliveriesTest {

    @Inject
    Deliveries deliveries;

    @Inject
    Broker broker;

    @Inject
    IdempotencyTestKit kit;

    @Test
    void aMessageIsHandledOnceHoweverOftenItIsDelivered() {
        Event message = new Event("m-1", "order.paid", null);

        Duplicates<Boolean> first = kit.atOnce(10, () -> deliveries.onMessage(message));
        boolean acknowledged = deliveries.onMessage(message);

        assertThat(acknowledged).isTrue();
        assertThat(first.thrown()).isEmpty();
        assertThat(kit.calls("handle-event")).ranOnce();
    }

    @Test
    void aMessageThatIsHandledElsewhereIsLeftToTheBroker() {
        Event message = new Event("m-2", "order.paid", null);
        boolean[] meanwhile = {true};
        kit.store().before(Call.COMPLETE, () -> meanwhile[0] = deliveries.onMessage(message));

        assertThat(deliveries.onMessage(message)).isTrue();
        assertThat(meanwhile[0]).isFalse();
        assertThat(kit.calls("handle-event")).ranOnce().refused("in-progress", 1);
    }

    @Test
    void aMessageThatNoDeliveryCanChangeIsPutAside() {
        deliveries.onMessage(new Event("m-5", "order.paid", null));

        assertThat(deliveries.onMessage(new Event("m-5", "order.cancelled", null)))
                .isTrue();
        assertThat(kit.calls("handle-event")).ranOnce().refused("key-reused", 1);
    }

    @Test
    void theBrokerDeliversTwiceAndTheMessageIsHandledOnce() {
        broker.publish(new Event("m-3", "order.paid", null));

        await().untilAsserted(
                        () -> assertThat(kit.calls("handle-event")).ranOnce().replayed(1));
    }

    @Test
    void whatCannotBeHandledIsDeliveredUntilItCan() {
        AtomicInteger asked = new AtomicInteger();
        kit.store().before(Call.CLAIM, () -> {
            if (asked.incrementAndGet() < 3) {
                throw new IllegalStateException("the store is away");
            }
        });
        broker.publish(new Event("m-4", "order.paid", null));

        await().untilAsserted(() -> assertThat(kit.calls("handle-event")).ranOnce());
    }
}
