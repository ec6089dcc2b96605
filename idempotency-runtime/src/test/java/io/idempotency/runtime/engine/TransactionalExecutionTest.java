package io.idempotency.runtime.engine;

import static io.idempotency.runtime.engine.Engine.refusal;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.idempotency.ApplicationShuttingDownException;
import io.idempotency.IdempotencyStoreUnavailableException;
import io.idempotency.OnAbandoned;
import io.idempotency.OperationInProgressException;
import io.idempotency.OutcomeUnknownException;
import io.idempotency.Refusal;
import io.idempotency.ResultUnavailableException;
import io.idempotency.WhenInProgress;
import io.idempotency.runtime.Effect;
import io.idempotency.runtime.Outcome;
import io.idempotency.runtime.Outcome.Recorded;
import io.idempotency.runtime.call.CallFingerprint;
import io.idempotency.runtime.call.Invocation;
import io.idempotency.runtime.call.NewKeyAdmission;
import io.idempotency.runtime.store.Ownership;
import io.idempotency.runtime.store.RecordState;
import io.idempotency.runtime.store.ResultRejectedException;
import io.idempotency.runtime.store.StoredRecord;
import io.idempotency.runtime.store.TransactionalStore.KeyLockedException;
import io.idempotency.runtime.store.TransactionalStore.RollbackOnlyException;
import io.idempotency.runtime.store.UnreadableRecordException;
import io.idempotency.test.FaultyStore;
import io.idempotency.test.FaultyStore.Call;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;

/** What the engine makes of a transaction that body and record share: one that is not committed never happened. */
class TransactionalExecutionTest {

    private final Engine engine = Engine.thatLetsWait(1);
    private final TransactionalMemory transactions = new TransactionalMemory(engine.memory);
    private final FaultyStore store = new FaultyStore(transactions);

    private Invocation invocation(String key, Engine.Body body) {
        engine.transactional = true;
        Invocation.Body counted = context -> {
            engine.bodies.incrementAndGet();
            return CompletableFuture.completedFuture(body.run(context));
        };
        return new Invocation(
                engine.operation("pay", store),
                Engine.id(key),
                CallFingerprint.only("1:arguments"),
                counted,
                null,
                null,
                false,
                engine.admission,
                null);
    }

    private Outcome call(String key, Engine.Body body) {
        return engine.executor.execute(invocation(key, body));
    }

    @Test
    void aBodyAndItsRecordAreCommittedTogetherAndReplayedOnce() {
        assertThat(call("k", context -> "first")).isEqualTo(new Outcome.Executed("first", Recorded.YES));
        assertThat(call("k", context -> "second")).isEqualTo(new Outcome.Replayed("first"));
        assertThat(engine.bodies).hasValue(1);
        assertThat(engine.executor.running()).isZero();
        assertThat(engine.time.pendingTasks()).as("no lease is to be kept").isZero();
    }

    @Test
    void aBodyThatThrowsLeavesNothing() {
        IOException failure = new IOException("declined");
        assertThat(call("k", context -> {
                    throw failure;
                }))
                .isEqualTo(new Outcome.Threw(failure, Effect.NONE, Recorded.RELEASED));
        assertThat(engine.record("k")).isEmpty();
        assertThat(call("k", context -> "second")).isEqualTo(new Outcome.Executed("second", Recorded.YES));
    }

    @Test
    void aBodyThatCommittedByItselfBeforeItThrewIsInDoubt() {
        IOException failure = new IOException("no space left");
        assertThat(call("k", context -> {
                    transactions.commit();
                    throw failure;
                }))
                .isEqualTo(new Outcome.Threw(failure, Effect.UNKNOWN, Recorded.YES));
        assertThat(engine.record("k").orElseThrow().doubt()).contains("committed a part", "java.io.IOException");
        refusal(call("k", context -> "never"), OutcomeUnknownException.class);
        assertThat(engine.bodies).hasValue(1);
    }

    @Test
    void aBodyOfWhichNobodyCanTellWhetherItCommittedMayHaveHadAnEffect() {
        IOException failure = new IOException("the connection broke");
        Outcome outcome = call("k", context -> {
            store.refuse(Call.FIND);
            throw failure;
        });
        assertThat(outcome).isEqualTo(new Outcome.Threw(failure, Effect.UNKNOWN, Recorded.RELEASED));
    }

    @Test
    void aDoubtThatCannotBeRecordedAtOnceIsRecordedLater() {
        IOException failure = new IOException("no space left");
        Outcome outcome = call("k", context -> {
            transactions.commit();
            store.refuse(Call.DOUBT);
            throw failure;
        });
        assertThat(outcome).isEqualTo(new Outcome.Threw(failure, Effect.UNKNOWN, Recorded.DEGRADED));
        store.mend();
        engine.time.pass(Duration.ofMinutes(1));
        refusal(call("k", context -> "never"), OutcomeUnknownException.class);
    }

    /** The caller may hold the only one, in a transaction around the call. */
    @Test
    void aStoreWithoutConnectionsOfItsOwnIsNotAskedAfterwards() {
        transactions.sharesConnections();
        IOException failure = new IOException("declined");
        Outcome outcome = call("k", context -> {
            store.refuse(Call.FIND);
            throw failure;
        });
        assertThat(outcome).isEqualTo(new Outcome.Threw(failure, Effect.NONE, Recorded.RELEASED));
    }

    @Test
    void aCommitThatFailsAfterTheBodyLeavesTheOutcomeUnknown() {
        IOException failure = new IOException("the connection broke");
        transactions.failsToCommit(failure);
        assertThat(call("k", context -> "first"))
                .isEqualTo(new Outcome.Threw(failure, Effect.UNKNOWN, Recorded.RELEASED));
    }

    @Test
    void aStoreThatIsAwayKeepsTheBodyFromRunning() {
        store.refuse(Call.values());
        assertThat(refusal(call("k", context -> "never"), IdempotencyStoreUnavailableException.class))
                .hasRootCauseInstanceOf(IllegalStateException.class);
        assertThat(engine.bodies).hasValue(0);
    }

    @Test
    void aKeyThatAnotherTransactionHoldsIsInProgress() {
        store.before(Call.CLAIM, () -> {
            throw new KeyLockedException(new IOException("lock timeout"));
        });
        refusal(call("k", context -> "never"), OperationInProgressException.class);
        assertThat(transactions.lockTimeout()).isEqualTo(Duration.ZERO);
        engine.whenInProgress = WhenInProgress.WAIT;
        refusal(call("k", context -> "never"), OperationInProgressException.class);
        assertThat(transactions.lockTimeout()).isEqualTo(engine.waitTimeout);
        assertThat(engine.bodies).hasValue(0);
    }

    /** Each that waits holds a connection of the application. */
    @Test
    void ofTheCallsThatWouldWaitForATransactionOneMoreThanTheLimitOpensNone() {
        engine.whenInProgress = WhenInProgress.WAIT;
        List<String> told = new ArrayList<>();
        Consumer<Invocation> calls =
                call -> told.add(refusal(engine.executor.execute(call), OperationInProgressException.class)
                        .getMessage());
        Outcome first = call("k", context -> {
            store.before(Call.CLAIM, () -> {
                store.before(Call.CLAIM, () -> {});
                calls.accept(invocation("k", again -> "one more than may wait"));
                engine.whenInProgress = WhenInProgress.REJECT;
                calls.accept(invocation("k", again -> "one that does not wait"));
                call("other", other -> "another key");
            });
            calls.accept(invocation("k", again -> "the only one that may wait"));
            return "first";
        });
        assertThat(told.remove(0)).contains("1 calls with this key wait", "idempotency.max-waiters-per-key");
        assertThat(told).hasSize(2).allMatch(message -> message.contains("is running (attempt 1"));
        assertThat(first).isEqualTo(new Outcome.Executed("first", Recorded.YES));
        engine.whenInProgress = WhenInProgress.WAIT;
        assertThat(call("k", context -> "second")).isEqualTo(new Outcome.Replayed("first"));
        assertThat(engine.bodies).hasValue(2);
    }

    @Test
    void aRecordThatCannotBeUnderstoodKeepsTheBodyFromRunning() {
        store.before(Call.CLAIM, () -> {
            throw new UnreadableRecordException(Engine.id("k"), "written by a newer version");
        });
        refusal(call("k", context -> "never"), OutcomeUnknownException.class);
        assertThat(engine.bodies).hasValue(0);
    }

    @Test
    void aBodyThatSaysItHadNoEffectLeavesNoRecord() {
        Engine.Body idle = context -> {
            context.noEffect();
            return "nothing to do";
        };
        assertThat(call("k", idle)).isEqualTo(new Outcome.Executed("nothing to do", Recorded.RELEASED));
        assertThat(engine.record("k")).isEmpty();
    }

    @Test
    void aResultThatTheStoreCanNeverHoldIsLeftOut() {
        store.before(Call.COMPLETE, () -> {
            store.before(Call.COMPLETE, () -> {});
            throw new ResultRejectedException("5 bytes do not fit");
        });
        assertThat(call("k", context -> "first")).isEqualTo(new Outcome.Executed("first", Recorded.YES));
        assertThat(refusal(call("k", context -> "second"), ResultUnavailableException.class))
                .hasMessageContaining("5 bytes do not fit");
        assertThat(engine.bodies).hasValue(1);
    }

    private Ownership ownership() {
        StoredRecord record = engine.record("k").orElseThrow();
        return new Ownership(record.id(), record.owner(), record.fence());
    }

    private static void isNotCommitted(Outcome outcome) {
        assertThat(outcome).isInstanceOfSatisfying(Outcome.Threw.class, threw -> {
            assertThat(threw.effect()).isEqualTo(Effect.UNKNOWN);
            assertThat(threw.failure()).hasMessageContaining("not its own any more");
        });
    }

    @Test
    void aRecordThatIsNoLongerItsOwnIsNotCommitted() {
        isNotCommitted(call("k", context -> {
            engine.memory.release(ownership());
            return "first";
        }));
        isNotCommitted(call("k", context -> {
            engine.memory.doubt(ownership(), "put in doubt by an operator", Engine.RETENTION);
            context.noEffect();
            return "nothing to do";
        }));
    }

    @Test
    void aLongBodyIsNotInDoubtBecauseThereIsNoLeaseToRenew() {
        Outcome outcome = call("k", context -> {
            engine.time.pass(Engine.LEASE.multipliedBy(2));
            assertThat(engine.record("k").map(StoredRecord::state)).contains(RecordState.IN_PROGRESS);
            return "first";
        });
        assertThat(outcome).isEqualTo(new Outcome.Executed("first", Recorded.YES));
    }

    @Test
    void aLimitOfNewKeysCountsThemAndKeepsMoreFromBeingClaimed() {
        AtomicInteger granted = new AtomicInteger();
        boolean[] reached = new boolean[1];
        engine.admission = new NewKeyAdmission() {
            @Override
            public Optional<Closed> closed() {
                return reached[0] ? Optional.of(new Closed("two a minute", Duration.ofSeconds(7))) : Optional.empty();
            }

            @Override
            public void granted() {
                granted.incrementAndGet();
            }
        };
        call("known", context -> "first");
        reached[0] = true;
        assertThat(call("known", context -> "second")).isEqualTo(new Outcome.Replayed("first"));
        refusal(call("new", context -> "never"), Refusal.TOO_MANY_RECORDS);
        assertThat(granted).hasValue(1);
        assertThat(engine.bodies).hasValue(1);
    }

    @Test
    void aRunThatIsTakenOverAddsNoKeyAndOneThatOnlyAReconcilerCouldPermitIsNotTakenOver() {
        engine.callAsync("k", context -> CompletableFuture.failedFuture(new LinkageError()));
        engine.onAbandoned = OnAbandoned.RECONCILE;
        refusal(call("k", context -> "never"), OutcomeUnknownException.class);
        AtomicInteger granted = new AtomicInteger();
        engine.admission = new NewKeyAdmission() {
            @Override
            public Optional<Closed> closed() {
                return Optional.empty();
            }

            @Override
            public void granted() {
                granted.incrementAndGet();
            }
        };
        engine.onAbandoned = OnAbandoned.TAKE_OVER;
        assertThat(call("k", context -> "second")).isEqualTo(new Outcome.Executed("second", Recorded.YES));
        assertThat(granted).hasValue(0);
    }

    /** The first attempt had committed a part, say. */
    @Test
    void aTakenOverRunWithoutEffectLeavesTheRecordInDoubt() {
        engine.onAbandoned = OnAbandoned.TAKE_OVER;
        engine.callAsync("k", context -> CompletableFuture.failedFuture(new LinkageError()));
        Engine.Body declined = context -> {
            context.noEffect();
            return "declined";
        };
        Outcome inDoubt = new Outcome.Executed("declined", Recorded.IN_DOUBT);
        assertThat(call("k", declined)).isEqualTo(inDoubt);
        assertThat(engine.record("k").orElseThrow().doubt()).startsWith("the last attempt had no effect");
        transactions.failsToCommit(new RollbackOnlyException(new IllegalStateException()));
        assertThat(call("k", declined)).isEqualTo(inDoubt);
    }

    /** The rollback brings back the record that was taken over, which these transactions cannot. */
    @Test
    void aTakenOverRunThatThrowsLeavesTheRecordInDoubt() {
        engine.onAbandoned = OnAbandoned.TAKE_OVER;
        engine.callAsync("k", context -> CompletableFuture.failedFuture(new LinkageError()));
        engine.callAsync("other", context -> CompletableFuture.failedFuture(new LinkageError()));
        IOException failure = new IOException("declined");
        Engine.Body declined = context -> {
            throw failure;
        };
        Outcome inDoubt = new Outcome.Threw(failure, Effect.NONE, Recorded.IN_DOUBT);
        assertThat(call("k", declined)).isEqualTo(inDoubt);
        transactions.sharesConnections();
        assertThat(call("other", declined)).isEqualTo(inDoubt);
    }

    @Test
    void whileTheApplicationShutsDownOnlyWhatIsKnownIsAnswered() {
        call("known", context -> "first");
        engine.shutDown(Duration.ofSeconds(1));
        assertThat(call("known", context -> "second")).isEqualTo(new Outcome.Replayed("first"));
        refusal(call("new", context -> "never"), ApplicationShuttingDownException.class);
        assertThat(engine.bodies).hasValue(1);
    }

    @Test
    void aTransactionBelongsToAThreadSoItsBodyCannotBeAsynchronous() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> engine.executor.executeAsync(invocation("k", context -> "never")))
                .withMessageContaining("transactional");
        assertThat(engine.bodies).hasValue(0);
    }
}
