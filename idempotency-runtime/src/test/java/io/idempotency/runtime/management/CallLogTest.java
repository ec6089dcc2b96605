package io.idempotency.runtime.management;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;
import static org.awaitility.Awaitility.await;

import ch.qos.logback.classic.Level;
import io.idempotency.IdempotencyKeyReusedException;
import io.idempotency.IdempotentOperation;
import io.idempotency.OutcomeUnknownException;
import io.idempotency.runtime.Effect;
import io.idempotency.runtime.IdempotencyEvent;
import io.idempotency.runtime.IdempotencyRecords;
import io.idempotency.runtime.IdempotencyRecords.AuditEntry;
import io.idempotency.runtime.IdempotencyRecords.Decision;
import io.idempotency.runtime.Outcome;
import io.idempotency.runtime.OutcomeListener;
import io.idempotency.runtime.store.Claim;
import io.idempotency.runtime.store.IdempotencyStore;
import io.idempotency.runtime.store.RecordId;
import io.idempotency.runtime.store.StoredRecord;
import io.idempotency.test.logs.LogLines;
import io.micronaut.context.annotation.Property;
import io.micronaut.context.annotation.Requires;
import io.micronaut.runtime.event.annotation.EventListener;
import io.micronaut.test.extensions.junit5.annotation.MicronautTest;
import jakarta.inject.Inject;
import jakarta.inject.Singleton;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeoutException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What calls leave in the log, and as events. */
@MicronautTest(startApplication = false)
@Property(name = "idempotency.store", value = "memory")
@Property(name = "test.call-log", value = "true")
class CallLogTest {

    private static final String SECRET = "jane@example.org";

    /** Sends or does not, as it is told. */
    @Singleton
    @Requires(property = "test.call-log")
    static class Sender {
        @IdempotentOperation(value = "send-logged", key = "key")
        public String send(String key, String what) throws Exception {
            if (what.startsWith("lose")) {
                throw new TimeoutException(what);
            }
            return what;
        }
    }

    /** All events. */
    @Singleton
    @Requires(property = "test.call-log")
    static class Events {
        final List<IdempotencyEvent> seen = new CopyOnWriteArrayList<>();

        @EventListener
        void on(IdempotencyEvent.Executed event) {
            seen.add(event);
        }

        @EventListener
        void on(IdempotencyEvent.Replayed event) {
            seen.add(event);
        }

        @EventListener
        void on(IdempotencyEvent.Refused event) {
            seen.add(event);
        }

        @EventListener
        void on(IdempotencyEvent.InDoubt event) {
            seen.add(event);
        }

        @EventListener
        void on(IdempotencyEvent.Resolved event) {
            seen.add(event);
        }
    }

    @Inject
    Sender sender;

    @Inject
    Events events;

    @Inject
    List<OutcomeListener> listeners;

    @Inject
    IdempotencyRecords records;

    @Inject
    IdempotencyStore store;

    private final String key = UUID.randomUUID() + SECRET;
    private final LogLines log = LogLines.ofLibrary().from(Level.DEBUG);

    @BeforeEach
    void listen() {
        events.seen.clear();
    }

    @AfterEach
    void stopListening() {
        log.close();
    }

    private StoredRecord record() {
        return records.find("send-logged", key, null).orElseThrow().record();
    }

    /** It was rolled back, or committed with the body's writes: the next call with the key finds out. */
    @Test
    void aTransactionWhoseCommitFailedLeavesNoRecordToSettle() {
        OutcomeListener.Call call = new OutcomeListener.Call(
                "send-logged", "memory", RecordId.of("send-logged", null, null, key), Duration.ZERO);
        Outcome outcome = new Outcome.Threw(new IOException("no answer"), Effect.UNKNOWN, Outcome.Recorded.RELEASED);
        listeners.forEach(listener -> listener.onOutcome(call, outcome));
        assertThat(log.messages(Level.WARN)).isEmpty();
        assertThat(events.seen).noneMatch(IdempotencyEvent.InDoubt.class::isInstance);
    }

    @Test
    void aBodyWithoutEffectThatEndedAfterItsLeaseIsWarnedOf() {
        OutcomeListener.Call call = new OutcomeListener.Call(
                "send-logged", "memory", RecordId.of("send-logged", null, null, key), Duration.ZERO);
        Outcome outcome = new Outcome.Threw(new IOException("declined"), Effect.NONE, Outcome.Recorded.IN_DOUBT);
        listeners.forEach(listener -> listener.onOutcome(call, outcome));
        assertThat(log.messages(Level.WARN)).singleElement().asString().contains("is in doubt", "after its lease");
        assertThat(events.seen).anyMatch(IdempotencyEvent.InDoubt.class::isInstance);
    }

    @Test
    void executionReplayAndRefusalAreForThoseWhoLook() throws Exception {
        sender.send(key, "letter");
        sender.send(key, "letter");
        assertThat(catchThrowable(() -> sender.send(key, "other"))).isNotNull();
        assertThat(log.messages(Level.DEBUG))
                .filteredOn(line -> line.contains("send-logged"))
                .hasSize(4)
                .satisfiesExactly(
                        line -> assertThat(line).contains("claimed as attempt 1"),
                        line -> assertThat(line).contains("executed (recorded: YES)"),
                        line -> assertThat(line).contains("replayed"),
                        line -> assertThat(line).contains("refused: key-reused"));
        assertThat(log.messages(Level.WARN)).isEmpty();
        assertThat(events.seen)
                .extracting(event -> event.getClass().getSimpleName())
                .containsExactly("Executed", "Replayed", "Refused");
    }

    @Test
    void aRecordInDoubtIsWarnedOfOnceWithTheWayToSettleIt() {
        for (int i = 0; i < 3; i++) {
            assertThat(catchThrowable(() -> sender.send(key, "lose " + SECRET))).isNotNull();
        }
        String id = record().id().value();
        String digits = id.substring(0, 8);
        assertThat(log.messages(Level.WARN))
                .singleElement()
                .asString()
                .contains("'send-logged'", "[key " + digits + "\u2026]", "GET /idempotency/" + digits + " ", "POST")
                .doesNotContain(id);
        assertThat(events.seen)
                .extracting(event -> event.getClass().getSimpleName())
                .containsExactlyInAnyOrder("Executed", "InDoubt", "Refused", "Refused");
    }

    @Test
    void aRefusalThatSaysNothingOfTheRecordDoesNotMakeItsDoubtNew() {
        for (int i = 0; i < 3; i++) {
            assertThat(catchThrowable(() -> sender.send(key, "lose"))).isNotNull();
            assertThat(catchThrowable(() -> sender.send(key, "lose, with other arguments")))
                    .isInstanceOf(IdempotencyKeyReusedException.class);
        }
        assertThat(log.messages(Level.WARN)).hasSize(1);
    }

    @Test
    void doubtThatIsFoundLaterIsWarnedOfOnce() {
        assertThat(catchThrowable(() -> sender.send(key, "lose"))).isNotNull();
        StoredRecord sent = record();
        RecordId id = sent.id();
        records.settle(id, new Decision(sent.fence(), AuditEntry.Outcome.ABSENT, null, "anna", "nothing there"));
        log.clear();
        store.claim(new Claim(
                id,
                "send-logged",
                sent.fingerprint(),
                "another node",
                Duration.ofMillis(1),
                Duration.ofDays(1),
                false));
        await().until(() -> catchThrowable(() -> sender.send(key, "lose")) instanceof OutcomeUnknownException);
        assertThat(catchThrowable(() -> sender.send(key, "lose"))).isNotNull();
        assertThat(log.messages(Level.WARN)).singleElement().asString().contains("/idempotency/" + id.shownDigits());
    }

    @Test
    void aDecisionIsOneLineWhateverItsReasonHolds() {
        assertThat(catchThrowable(() -> sender.send(key, "lose"))).isNotNull();
        StoredRecord inDoubt = record();
        records.settle(
                inDoubt.id(),
                new Decision(inDoubt.fence(), AuditEntry.Outcome.ABSENT, null, "anna\u2028", "asked\nthe \u202ebank"));
        assertThat(log.messages(Level.INFO))
                .singleElement()
                .asString()
                .contains("anna  settled it as ABSENT", "asked the  bank", "[key " + inDoubt.id() + "]");
        assertThat(records.find(inDoubt.id()).orElseThrow().audit().get(0).reason())
                .isEqualTo("asked\nthe \u202ebank");
        assertThat(events.seen).anyMatch(IdempotencyEvent.Resolved.class::isInstance);
    }

    @Test
    void nothingPersonalIsInAnyLine() throws Exception {
        sender.send(key, SECRET);
        sender.send(key, SECRET);
        String lost = key + "2";
        for (int i = 0; i < 2; i++) {
            assertThat(catchThrowable(() -> sender.send(lost, "lose " + SECRET)))
                    .isNotNull();
        }
        assertThat(catchThrowable(() -> sender.send(key, "other " + SECRET))).isNotNull();
        assertThat(log.events()).isNotEmpty().allSatisfy(event -> {
            assertThat(event.getFormattedMessage()).doesNotContain(SECRET);
            assertThat(event.getThrowableProxy()).isNull();
        });
    }
}
