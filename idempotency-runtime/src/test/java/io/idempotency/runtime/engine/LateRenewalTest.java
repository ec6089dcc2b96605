package io.idempotency.runtime.engine;

import static io.idempotency.runtime.engine.Engine.refusal;
import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.spi.ILoggingEvent;
import io.idempotency.IdempotencyContext;
import io.idempotency.OutcomeUnknownException;
import io.idempotency.WhenInProgress;
import io.idempotency.runtime.OutcomeListener.ClaimChange;
import io.idempotency.runtime.store.RecordState;
import io.idempotency.test.FaultyStore.Call;
import io.idempotency.test.logs.LogLines;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** Whoever watches hears of every renewal that did not come in time. */
class LateRenewalTest {

    private final Engine engine = new Engine();
    private final CompletableFuture<Object> body = new CompletableFuture<>();

    @Test
    void oneThatFailsIsLateAndOthersAreNot() {
        engine.callAsync("k", context -> body);
        engine.time.pass(Engine.LEASE.multipliedBy(2));
        assertThat(engine.changes).isEmpty();
        engine.store.refuse(Call.RENEW);
        engine.time.pass(Engine.LEASE.dividedBy(3));
        assertThat(engine.changes).containsExactly(ClaimChange.NOT_RENEWED);
        engine.store.mend();
        body.complete("done");
    }

    @Test
    void aLeaseThatAloneCannotBeRenewedTakesNoOtherOneAlong() {
        CompletableFuture<IdempotencyContext> other = new CompletableFuture<>();
        engine.callAsync("locked", context -> body);
        engine.callAsync("k", context -> {
            other.complete(context);
            return body;
        });
        engine.locked.add(Engine.id("locked"));
        List<String> lines = linesWhile(() -> passLeases(2));
        assertThat(other.join().remainingLease()).isPositive();
        assertThat(lines).hasSize(3).allMatch(line -> line.contains(Engine.id("locked") + "]"));
        engine.locked.clear();
        engine.time.pass(Engine.LEASE.dividedBy(3));
        assertThat(engine.changes).last().isEqualTo(ClaimChange.RENEWED_LATE);
    }

    @Test
    void duplicatesLookForThemselvesAsSoonAsALeaseThatWasNotRenewedIsOver() {
        engine.whenInProgress = WhenInProgress.WAIT;
        engine.waitTimeout = Duration.ofHours(1);
        engine.store.refuse(Call.RENEW);
        engine.callAsync("k", context -> body);
        Calls waiting = Calls.of(engine, 2);
        engine.time.pass(Engine.LEASE.minusMillis(1));
        assertThat(waiting.ended()).isEmpty();
        assertThat(engine.claims).as("nobody else has asked").hasValue(1);
        engine.time.pass(Duration.ofSeconds(1));
        assertThat(waiting.ended()).hasSize(2);
        waiting.ended().forEach(outcome -> refusal(outcome, OutcomeUnknownException.class));
        assertThat(body).isNotDone();
    }

    private static List<String> linesWhile(Runnable action) {
        List<ILoggingEvent> lines = LogLines.during(LeaseKeeper.class, action);
        assertThat(lines)
                .allMatch(line -> line.getThrowableProxy() == null
                        || line.getFormattedMessage().contains("1 in a row"));
        return lines.stream().map(ILoggingEvent::getFormattedMessage).toList();
    }

    private void passLeases(int leases) {
        engine.time.pass(Engine.LEASE.multipliedBy(leases));
    }

    @Test
    void anOutageOfHoursIsSaidThreeTimesAndEachOutageAnew() {
        engine.callAsync("k", context -> body);
        engine.store.refuse(Call.RENEW);
        assertThat(linesWhile(() -> passLeases(100)))
                .satisfiesExactly(
                        line -> assertThat(line).contains("(1 in a row); PT20S left"),
                        line -> assertThat(line).contains("(2 in a row); PT10S left"),
                        line -> assertThat(line).contains("(3 in a row); PT0S left"));
        engine.store.mend();
        passLeases(1);
        engine.store.refuse(Call.RENEW);
        assertThat(linesWhile(() -> passLeases(100))).hasSize(3);
    }

    @Test
    void whatBecameOfTheBodyIsSaidByWhoeverRecordsItAndNotByTheRenewal() {
        engine.callAsync("k", context -> body);
        engine.store.refuse(Call.COMPLETE, Call.RENEW);
        body.complete("done");
        assertThat(linesWhile(() -> passLeases(3))).isEmpty();
    }

    @Test
    void aLeaseThatIsOverIsNotRenewedWhileItsOutcomeIsStillToBeRecorded() {
        AtomicInteger sent = new AtomicInteger();
        engine.callAsync("k", context -> body);
        engine.store.refuse(Call.COMPLETE, Call.RENEW);
        body.complete("done");
        engine.time.pass(Engine.LEASE.minusMillis(1));
        int pending = engine.time.pendingTasks();
        engine.time.pass(Engine.LEASE);
        engine.store.before(Call.RENEW, sent::incrementAndGet);
        engine.time.pass(Engine.LEASE.multipliedBy(2));
        assertThat(sent).hasValue(0);
        assertThat(engine.time.pendingTasks()).as("nothing fires any more").isLessThan(pending);
        engine.store.mend();
        engine.time.pass(Duration.ofMinutes(1));
        assertThat(engine.record("k").orElseThrow().state()).isEqualTo(RecordState.COMPLETED);
        engine.nothingIsLeft();
    }
}
