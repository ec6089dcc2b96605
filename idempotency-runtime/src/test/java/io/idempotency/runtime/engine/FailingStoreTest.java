package io.idempotency.runtime.engine;

import static io.idempotency.runtime.engine.Engine.refusal;
import static org.assertj.core.api.Assertions.assertThat;

import io.idempotency.IdempotencyException.Executed;
import io.idempotency.IdempotencyStoreUnavailableException;
import io.idempotency.OnAbandoned;
import io.idempotency.OperationInProgressException;
import io.idempotency.OutcomeUnknownException;
import io.idempotency.ResultUnavailableException;
import io.idempotency.WhenInProgress;
import io.idempotency.runtime.Outcome;
import io.idempotency.runtime.Outcome.Recorded;
import io.idempotency.runtime.call.CallFingerprint;
import io.idempotency.runtime.call.Invocation;
import io.idempotency.runtime.store.Claim;
import io.idempotency.runtime.store.ClaimResult;
import io.idempotency.runtime.store.ForwardingStore;
import io.idempotency.runtime.store.IdempotencyStore;
import io.idempotency.runtime.store.RecordState;
import io.idempotency.runtime.store.ResultRejectedException;
import io.idempotency.runtime.store.StoredFailure;
import io.idempotency.test.FaultyStore.Call;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** A store that is down before the body fails closed; one that is down after it never forgets that the body ran. */
class FailingStoreTest {

    private final Engine engine = new Engine();

    @Test
    void aStoreThatIsDownBeforeTheBodyKeepsItFromRunning() {
        engine.store.refuse(Call.CLAIM);
        IdempotencyStoreUnavailableException refused =
                refusal(engine.call("k", context -> "first"), IdempotencyStoreUnavailableException.class);
        assertThat(refused.executed()).isEqualTo(Executed.NO);
        assertThat(refused).hasMessageContaining("store 'memory'");
        assertThat(engine.bodies).hasValue(0);

        engine.store.mend();
        assertThat(engine.call("k", context -> "first")).isEqualTo(new Outcome.Executed("first", Recorded.YES));
    }

    @Test
    void aClaimWhoseAnswerWasLostIsGivenBackBecauseItsBodyNeverRan() {
        engine.store.loseReply(Call.CLAIM);
        engine.store.refuse(Call.FIND);
        refusal(engine.call("k", context -> "first"), IdempotencyStoreUnavailableException.class);
        assertThat(engine.record("k").orElseThrow().state()).isEqualTo(RecordState.IN_PROGRESS);

        engine.store.mend();
        engine.time.pass(Duration.ofSeconds(1));
        assertThat(engine.record("k")).isEmpty();
        assertThat(engine.call("k", context -> "first")).isEqualTo(new Outcome.Executed("first", Recorded.YES));
    }

    /** A driver or a server may apply a claim long after its caller was told that it failed. */
    @Test
    void aClaimThatIsAppliedLateIsLookedForAgainAfterALease() {
        List<Claim> late = new ArrayList<>();
        IdempotencyStore slow = new ForwardingStore(engine.memory) {
            @Override
            public ClaimResult claim(Claim claim) {
                late.add(claim);
                throw new UncheckedIOException(new IOException("connection reset"));
            }
        };
        Invocation call = new Invocation(
                engine.operation("pay", slow),
                Engine.id("k"),
                CallFingerprint.only("1:arguments"),
                context -> CompletableFuture.completedFuture("never"),
                null);
        refusal(engine.executor.execute(call), IdempotencyStoreUnavailableException.class);
        engine.time.pass(Duration.ofSeconds(10));
        engine.memory.claim(late.get(0));
        engine.time.pass(Engine.LEASE.minusSeconds(10));
        assertThat(engine.record("k")).isEmpty();
        engine.nothingIsLeft();
    }

    /** It rests for long by then, because one record was rejected so often. */
    @Test
    void anAnswerToAnyCallEndsTheRestAfterAFailure() {
        AtomicInteger attempts = new AtomicInteger();
        engine.store.before(Call.COMPLETE, attempts::incrementAndGet);
        engine.store.refuse(Call.COMPLETE);
        engine.callAsync("rejected", context -> CompletableFuture.completedFuture("first"));
        engine.time.pass(Duration.ofMinutes(10));
        for (int before = attempts.get(); attempts.get() == before; ) {
            engine.time.pass(Duration.ofMillis(100));
        }
        engine.callAsync("k", context -> CompletableFuture.completedFuture("first"));
        engine.store.mend();
        engine.call("other", context -> "first");
        engine.time.pass(Duration.ofMillis(50));
        assertThat(engine.record("k").orElseThrow().state()).isEqualTo(RecordState.COMPLETED);
    }

    @Test
    void aTakeOverWhoseAnswerWasLostPutsTheRecordBackInDoubt() {
        engine.call("k", context -> {
            throw new TimeoutException();
        });
        engine.onAbandoned = OnAbandoned.TAKE_OVER;
        engine.store.loseReply(Call.CLAIM);
        refusal(engine.call("k", context -> "second"), IdempotencyStoreUnavailableException.class);
        engine.store.mend();
        engine.time.pass(Duration.ofSeconds(1));

        engine.onAbandoned = OnAbandoned.REFUSE;
        refusal(engine.call("k", context -> "third"), OutcomeUnknownException.class);
        assertThat(engine.bodies).hasValue(1);
    }

    @Test
    void aClaimThatIsGrantedTooLateDoesNotRunTheBody() {
        engine.store.before(Call.CLAIM, () -> engine.time.pass(Engine.LEASE));
        refusal(engine.call("k", context -> "first"), IdempotencyStoreUnavailableException.class);
        assertThat(engine.bodies).hasValue(0);

        engine.store.before(Call.CLAIM, () -> {});
        engine.time.pass(Duration.ofSeconds(1));
        assertThat(engine.record("k")).isEmpty();
    }

    @Test
    void aResultThatCannotBeRecordedIsReturnedAsDegradedAndNeverReleased() {
        engine.store.refuse(Call.COMPLETE, Call.RENEW);
        CompletionStage<Outcome> outcome = engine.callAsync("k", context -> CompletableFuture.completedFuture("first"));
        assertThat(outcome.toCompletableFuture()).isNotDone();
        engine.time.pass(Duration.ofSeconds(2));
        assertThat(outcome.toCompletableFuture().join()).isEqualTo(new Outcome.Executed("first", Recorded.DEGRADED));
        refusal(engine.call("k", context -> "second"), OperationInProgressException.class);

        engine.time.pass(Engine.LEASE);
        refusal(engine.call("k", context -> "second"), OutcomeUnknownException.class);

        engine.store.mend();
        engine.time.pass(Duration.ofMinutes(1));
        assertThat(engine.call("k", context -> "second")).isEqualTo(new Outcome.Replayed("first"));
        assertThat(engine.bodies).hasValue(1);
    }

    @Test
    void whileAResultCannotBeRecordedNobodyTakesOver() {
        engine.onAbandoned = OnAbandoned.TAKE_OVER;
        engine.store.refuse(Call.COMPLETE);
        engine.callAsync("k", context -> CompletableFuture.completedFuture("first"));
        engine.time.pass(Engine.LEASE.multipliedBy(20));
        refusal(engine.call("k", context -> "second"), OperationInProgressException.class);

        engine.store.mend();
        engine.time.pass(Duration.ofMinutes(1));
        assertThat(engine.call("k", context -> "second")).isEqualTo(new Outcome.Replayed("first"));
        assertThat(engine.bodies).hasValue(1);
        engine.nothingIsLeft();
    }

    /** Its lease is over, but no owner has vanished: this JVM has the result. */
    @Test
    void whatThisJvmHasStillToRecordItNeitherTakesOverNorRunsAgain() {
        engine.onAbandoned = OnAbandoned.TAKE_OVER;
        engine.store.refuse(Call.COMPLETE, Call.RENEW);
        engine.callAsync("k", context -> CompletableFuture.completedFuture("first"));
        engine.time.pass(Engine.LEASE.multipliedBy(20));
        assertThat(engine.record("k").orElseThrow().state()).isEqualTo(RecordState.IN_DOUBT);
        refusal(engine.call("k", context -> "second"), OperationInProgressException.class);
        engine.whenInProgress = WhenInProgress.WAIT;
        CompletionStage<Outcome> waiting = engine.callAsync("k", context -> CompletableFuture.completedFuture("third"));
        engine.time.pass(Duration.ofMinutes(1));
        refusal(waiting.toCompletableFuture().join(), OperationInProgressException.class);

        engine.store.mend();
        engine.time.pass(Duration.ofMinutes(1));
        assertThat(engine.call("k", context -> "second")).isEqualTo(new Outcome.Replayed("first"));
        assertThat(engine.bodies).hasValue(1);
        engine.nothingIsLeft();
    }

    @Test
    void aResultThatTheStoreCanNeverHoldIsLeftOut() {
        engine.onAbandoned = OnAbandoned.TAKE_OVER;
        engine.store.before(Call.COMPLETE, () -> {
            engine.store.before(Call.COMPLETE, () -> {});
            throw new ResultRejectedException("5 bytes do not fit");
        });
        CompletableFuture<Outcome> outcome = engine.callAsync(
                        "k", context -> CompletableFuture.completedFuture("first"))
                .toCompletableFuture();
        engine.time.pass(Duration.ofSeconds(1));
        assertThat(outcome).isCompletedWithValue(new Outcome.Executed("first", Recorded.YES));
        assertThat(refusal(engine.call("k", context -> "second"), ResultUnavailableException.class))
                .hasMessageContaining("5 bytes do not fit");
        engine.time.pass(Engine.LEASE.multipliedBy(3));
        refusal(engine.call("k", context -> "second"), ResultUnavailableException.class);
        assertThat(engine.bodies).hasValue(1);
    }

    @Test
    void aFailureThatTheStoreCanNeverHoldIsRecordedWithoutItsMessage() {
        engine.keepsMessages = true;
        engine.store.before(Call.FAIL, () -> {
            engine.store.before(Call.FAIL, () -> {});
            throw new ResultRejectedException("its message has a character that does not fit");
        });
        CompletableFuture<Outcome> outcome = engine.callAsync("k", context -> {
                    throw new IllegalStateException("5 \u20ac fehlen");
                })
                .toCompletableFuture();
        engine.time.pass(Duration.ofSeconds(1));
        assertThat(outcome.join().recorded()).isEqualTo(Recorded.YES);
        assertThat(engine.record("k").orElseThrow().failure())
                .isEqualTo(new StoredFailure(IllegalStateException.class.getName(), null, null));
        engine.nothingIsLeft();
    }

    /** There is nothing to leave out of it: it is given up, and the key stays where it is. */
    @Test
    void aFailureThatTheStoreCanNeverHoldIsGivenUpAndFreesNothing() {
        engine.store.before(Call.FAIL, () -> {
            throw new ResultRejectedException("its message has a character that does not fit");
        });
        CompletableFuture<Outcome> outcome = engine.callAsync("k", context -> {
                    throw new IllegalStateException("declined");
                })
                .toCompletableFuture();
        assertThat(outcome.join().recorded()).isEqualTo(Recorded.DEGRADED);
        engine.nothingIsLeft();
        engine.time.pass(Engine.LEASE);
        refusal(engine.call("k", context -> "second"), OutcomeUnknownException.class);
        assertThat(engine.bodies).hasValue(1);
    }

    @Test
    void aResultThatIsRecordedWithinTheBudgetIsNotDegraded() {
        engine.store.refuse(Call.COMPLETE);
        CompletionStage<Outcome> outcome = engine.callAsync("k", context -> CompletableFuture.completedFuture("first"));
        engine.store.mend();
        engine.time.pass(Duration.ofSeconds(1));
        assertThat(outcome.toCompletableFuture().join()).isEqualTo(new Outcome.Executed("first", Recorded.YES));
    }

    @Test
    void aCompletionWhoseAnswerWasLostIsFoundToBeRecorded() {
        engine.store.loseReply(Call.COMPLETE);
        CompletionStage<Outcome> outcome = engine.callAsync("k", context -> CompletableFuture.completedFuture("first"));
        assertThat(engine.call("k", context -> "second")).isEqualTo(new Outcome.Replayed("first"));
        engine.store.mend();
        engine.time.pass(Duration.ofSeconds(1));
        assertThat(outcome.toCompletableFuture().join()).isEqualTo(new Outcome.Executed("first", Recorded.YES));
    }

    @Test
    void aFailureThatCannotBeRecordedNeverReleasesTheKey() {
        engine.store.refuse(Call.FAIL);
        IllegalStateException thrown = new IllegalStateException("declined");
        CompletionStage<Outcome> outcome = engine.callAsync("k", context -> {
            throw thrown;
        });
        engine.time.pass(Duration.ofSeconds(2));
        assertThat(((Outcome.Threw) outcome.toCompletableFuture().join()).failure())
                .isSameAs(thrown);
        refusal(engine.call("k", context -> "second"), OperationInProgressException.class);
        assertThat(engine.bodies).hasValue(1);
    }

    @Test
    void whatBecameOfABodyIsRecordedWhileTheApplicationShutsDown() {
        boolean[] down = new boolean[1];
        IdempotencyEngine dying = engine.executorThatShutsDownWhen(() -> down[0]);
        CompletableFuture<Object> body = new CompletableFuture<>();
        CompletionStage<Outcome> outcome = dying.executeAsync(engine.invocation("k", "arguments", context -> body));
        down[0] = true;
        body.complete("first");
        assertThat(outcome.toCompletableFuture().join()).isEqualTo(new Outcome.Executed("first", Recorded.YES));
        assertThat(engine.call("k", context -> "second")).isEqualTo(new Outcome.Replayed("first"));
    }

    @Test
    void aCallerDoesNotWaitForAStoreThatNobodyAsksAnyMore() {
        engine.settleBudget = Duration.ofMillis(50);
        boolean[] down = new boolean[1];
        IdempotencyEngine dying = engine.executorThatShutsDownWhen(() -> down[0]);
        Outcome outcome = dying.execute(engine.invocation("k", "arguments", context -> {
            engine.store.refuse(Call.values());
            down[0] = true;
            return CompletableFuture.completedFuture("first");
        }));
        assertThat(outcome).isEqualTo(new Outcome.Executed("first", Recorded.DEGRADED));
    }
}
