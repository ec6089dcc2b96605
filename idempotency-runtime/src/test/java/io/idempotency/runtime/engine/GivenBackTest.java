package io.idempotency.runtime.engine;

import static io.idempotency.runtime.engine.Engine.refusal;
import static org.assertj.core.api.Assertions.assertThat;

import io.idempotency.OnStoreFailure;
import io.idempotency.OutcomeUnknownException;
import io.idempotency.WhenInProgress;
import io.idempotency.runtime.Effect;
import io.idempotency.runtime.Outcome;
import io.idempotency.runtime.Outcome.Recorded;
import io.idempotency.runtime.engine.IdempotencyEngine.Left;
import io.idempotency.runtime.store.Ownership;
import io.idempotency.runtime.store.RecordState;
import io.idempotency.runtime.store.StoredRecord;
import io.idempotency.test.FaultyStore.Call;
import java.time.Duration;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** What a call takes it gives back, and what it learns it passes on. */
class GivenBackTest {

    private final Engine engine = new Engine();
    private final CompletableFuture<Object> answer = new CompletableFuture<>();

    private int renewalsFromNowOn() {
        AtomicInteger renewals = new AtomicInteger();
        engine.store.before(Call.RENEW, renewals::incrementAndGet);
        engine.time.pass(Engine.LEASE.multipliedBy(3));
        return renewals.get();
    }

    @Test
    void aLeaseIsNotRenewedAnyMoreWhenItsOutcomeIsRecorded() {
        engine.callAsync("k", context -> answer);
        assertThat(renewalsFromNowOn()).as("while the body runs").isPositive();
        answer.complete("first");
        assertThat(renewalsFromNowOn()).isZero();
        engine.nothingIsLeft();
    }

    @Test
    void aLeaseIsRenewedUntilItsOutcomeIsRecordedInTheBackgroundAndNoLonger() {
        engine.store.refuse(Call.COMPLETE);
        assertThat(engine.callAsync("k", context -> CompletableFuture.completedFuture("first")))
                .as("its budget has yet to pass")
                .isNotNull();
        assertThat(renewalsFromNowOn()).as("while the store is away").isPositive();
        assertThat(engine.record("k").orElseThrow().state()).isEqualTo(RecordState.IN_PROGRESS);
        engine.store.mend();
        engine.time.pass(Duration.ofMinutes(1));
        assertThat(engine.record("k").orElseThrow().state()).isEqualTo(RecordState.COMPLETED);
        assertThat(renewalsFromNowOn()).isZero();
        engine.nothingIsLeft();
    }

    /** A process that was stopped: its body ends, and the next sweep runs, before the thread goes on that has just planned it. */
    @Test
    void leasesAreRenewedAlthoughASweepIsOverBeforeItsPlanningIs() {
        AtomicInteger planned = new AtomicInteger();
        IdempotencyEngine node = new IdempotencyEngine(TestServices.of(
                engine.time,
                (store, delay, task) -> {
                    if (planned.incrementAndGet() == 2) {
                        answer.complete("first");
                        engine.time.pass(Duration.ofMillis(1));
                        task.run();
                    } else {
                        engine.time.after(store, delay, task);
                    }
                },
                engine.time,
                () -> UUID.randomUUID().toString(),
                () -> 0.5,
                List.of()));
        node.executeAsync(engine.invocation("stopped", "arguments", context -> answer));
        engine.time.pass(Engine.LEASE.dividedBy(2));
        assertThat(engine.record("stopped").orElseThrow().state()).isEqualTo(RecordState.COMPLETED);

        node.executeAsync(engine.invocation("later", "arguments", context -> new CompletableFuture<>()));
        assertThat(renewalsFromNowOn()).isPositive();
        assertThat(engine.record("later").orElseThrow().state()).isEqualTo(RecordState.IN_PROGRESS);
    }

    @ParameterizedTest
    @EnumSource
    void aBodyThatRanUnprotectedIsInFlightNoMore(WhenInProgress whenInProgress) {
        engine.whenInProgress = whenInProgress;
        engine.onStoreFailure = OnStoreFailure.PROCEED;
        engine.store.refuse(Call.values());
        CompletableFuture<Outcome> unprotected =
                engine.callAsync("k", context -> answer).toCompletableFuture();
        assertThat(engine.executor.running()).isEqualTo(1);
        answer.complete("first");
        assertThat(unprotected).isCompletedWithValue(new Outcome.Executed("first", Recorded.UNPROTECTED));
        assertThat(engine.executor.running()).isZero();
        engine.call("k2", context -> "second");
        assertThat(engine.executor.running()).isZero();
        engine.store.mend();
        engine.time.pass(Duration.ofMinutes(1));
        assertThat(engine.shutDown(Duration.ofHours(1))).isCompletedWithValue(new Left(0, 0));
    }

    /** Their owner still runs, but keeps nobody from the key any more. */
    @Test
    void duplicatesThatWaitAreToldOfTheDoubtAsSoonAsTheOwnerLearnsThatItsClaimIsLost() {
        engine.whenInProgress = WhenInProgress.WAIT;
        engine.waitTimeout = Duration.ofDays(1);
        CompletableFuture<Outcome> owner =
                engine.callAsync("k", context -> answer).toCompletableFuture();
        Calls waiters = Calls.of(engine, 3);
        StoredRecord record = engine.record("k").orElseThrow();
        engine.memory.doubt(new Ownership(record.id(), record.owner(), record.fence()), "cut off", Duration.ofDays(1));
        assertThat(waiters.ended()).isEmpty();
        engine.time.pass(Engine.LEASE.dividedBy(2));
        assertThat(waiters.ended()).hasSize(3);
        waiters.ended().forEach(outcome -> refusal(outcome, OutcomeUnknownException.class));
        assertThat(owner).isNotDone();
        assertThat(engine.bodies).hasValue(1);
    }

    @Test
    void aBodyWhoseNestedOperationIsInDoubtIsInDoubtItself() {
        engine.call("inner", context -> {
            throw new OutOfMemoryError("made by a test");
        });
        Outcome outcome = engine.call("outer", context -> {
            throw refusal(engine.call("inner", nested -> "again"), OutcomeUnknownException.class);
        });
        assertThat(outcome)
                .isInstanceOfSatisfying(
                        Outcome.Threw.class, threw -> assertThat(threw.effect()).isEqualTo(Effect.UNKNOWN));
        assertThat(engine.record("outer").orElseThrow().state()).isEqualTo(RecordState.IN_DOUBT);
        refusal(engine.call("outer", context -> "second"), OutcomeUnknownException.class);
        assertThat(engine.bodies).as("inner and outer, once each").hasValue(2);
    }
}
