package io.idempotency.test;

import static org.assertj.core.api.Assertions.assertThat;

import io.idempotency.IdempotentOperation;
import io.idempotency.OnFailure;
import io.micronaut.serde.annotation.Serdeable;
import io.micronaut.test.extensions.junit5.annotation.MicronautTest;
import jakarta.inject.Inject;
import jakarta.inject.Singleton;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The recipe of an outbox in docs/recipes.md: several relays, and relays that die. */
@MicronautTest(transactional = false)
@IdempotencyTest
class OutboxTest {

    @Serdeable
    record Row(String id, String payload) {}

    @Singleton
    static class Broker {
        volatile String refused = "";
        final List<String> sent = new CopyOnWriteArrayList<>();

        void send(String payload) {
            if (payload.equals(refused)) {
                throw new IllegalStateException("the broker is away");
            }
            sent.add(payload);
        }
    }

    @Singleton
    static class Table {
        final List<Row> rows = new CopyOnWriteArrayList<>();
        final Set<String> marked = ConcurrentHashMap.newKeySet();

        List<Row> unsent() {
            return rows.stream().filter(row -> !marked.contains(row.id())).toList();
        }

        void markSent(Row row) {
            marked.add(row.id());
        }
    }

    @Singleton
    static class Relay {

        private final Table outbox;
        private final Sender sender;

        Relay(Table outbox, Sender sender) {
            this.outbox = outbox;
            this.sender = sender;
        }

        // tag::relay[]
        void run() {
            for (Row row : outbox.unsent()) {
                try {
                    sender.send(row);
                    outbox.markSent(row);
                } catch (RuntimeException e) {
                    // not sent, sent by another relay right now, or in doubt: look again
                }
            }
        }
        // end::relay[]
    }

    @Singleton
    static class Sender {

        private final Broker broker;

        Sender(Broker broker) {
            this.broker = broker;
        }

        // tag::outbox[]
        @IdempotentOperation(value = "send-outbox-row", key = "row.id", retention = "7d", onFailure = OnFailure.RELEASE)
        void send(Row row) {
            broker.send(row.payload());
        }
        // end::outbox[]
    }

    @Inject
    Broker broker;

    @Inject
    Table outbox;

    @Inject
    Relay relay;

    @Inject
    IdempotencyTestKit kit;

    @BeforeEach
    void empty() {
        broker.sent.clear();
        broker.refused = "";
        outbox.rows.clear();
        outbox.marked.clear();
    }

    @Test
    void tenRelaysSendEachRowOnce() {
        outbox.rows.addAll(List.of(new Row("r-1", "paid"), new Row("r-2", "shipped")));

        kit.atOnce(10, () -> {
            relay.run();
            return true;
        });
        relay.run();

        assertThat(broker.sent).containsExactlyInAnyOrder("paid", "shipped");
        assertThat(outbox.unsent()).isEmpty();
    }

    @Test
    void aRelayThatDiedBeforeItMarkedTheRowSendsNothingAgain() {
        outbox.rows.add(new Row("r-3", "paid"));
        relay.run();
        outbox.marked.clear(); // it died here

        relay.run();

        assertThat(broker.sent).containsExactly("paid");
        assertThat(kit.calls("send-outbox-row")).ranOnce().replayed(1);
    }

    @Test
    void aRowThatTheBrokerDidNotTakeHoldsNoOtherUpAndIsSentByALaterRun() {
        outbox.rows.addAll(List.of(new Row("r-6", "paid"), new Row("r-7", "shipped")));
        broker.refused = "paid";
        relay.run();
        assertThat(broker.sent).containsExactly("shipped");
        broker.refused = "";

        relay.run();

        assertThat(broker.sent).containsExactly("shipped", "paid");
        assertThat(outbox.unsent()).isEmpty();
    }

    @Test
    void aRowWhoseSenderDiedIsLeftToAPersonAndTheOthersAreSent() {
        outbox.rows.addAll(List.of(new Row("r-4", "paid"), new Row("r-5", "shipped")));
        kit.store().crashNextOwner();
        relay.run();
        outbox.marked.clear();
        kit.skip(Duration.ofSeconds(31));

        relay.run();

        assertThat(outbox.unsent()).extracting(Row::id).containsExactly("r-4");
        assertThat(kit.calls("send-outbox-row")).ran(2).inDoubt(1);
    }
}
