package io.idempotency.demo.events;

import static org.assertj.core.api.Assertions.assertThat;

import io.idempotency.test.Duplicates;
import io.idempotency.test.FaultyStore.Call;
import io.idempotency.test.IdempotencyTest;
import io.idempotency.test.IdempotencyTestKit;
import io.micronaut.test.extensions.junit5.annotation.MicronautTest;
import jakarta.inject.Inject;
import org.junit.jupiter.api.Test;

/** A broker that delivers a message more than once. */
@MicronautTest(transactional = false)
@IdempotencyTest
class DeliveriesTest {

    @Inject
    Deliveries deliveries;

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
}
