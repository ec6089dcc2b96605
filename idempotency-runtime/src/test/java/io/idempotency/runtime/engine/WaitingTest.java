package io.idempotency.runtime.engine;

import static io.idempotency.runtime.engine.Engine.refusal;
import static io.idempotency.runtime.store.RecordState.COMPLETED;
import static io.idempotency.runtime.store.RecordState.IN_PROGRESS;
import static org.assertj.core.api.Assertions.assertThat;

import io.idempotency.IdempotencyKeyReusedException;
import io.idempotency.IdempotencyStoreUnavailableException;
import io.idempotency.OnAbandoned;
import io.idempotency.OperationInProgressException;
import io.idempotency.OutcomeUnknownException;
import io.idempotency.PreviousAttemptFailedException;
import io.idempotency.Reconciliation;
import io.idempotency.WhenInProgress;
import io.idempotency.runtime.Effect;
import io.idempotency.runtime.Outcome;
import io.idempotency.runtime.Outcome.Recorded;
import io.idempotency.runtime.ResultCodec;
import io.idempotency.test.FaultyStore.Call;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Collections;
import java.util.Map;
import java.util.Objects;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Duplicates that wait for a call of their own JVM. */
class WaitingTest {

    private static final int MANY = 1000;

    private final Engine engine = new Engine();
    private final CompletableFuture<Object> answer = new CompletableFuture<>();
    private CompletableFuture<Outcome> owner;

    @BeforeEach
    void aBodyIsRunning() {
        engine.whenInProgress = WhenInProgress.WAIT;
        engine.declaredEffects = Map.of(UnsupportedOperationException.class, Effect.NONE);
        owner = engine.callAsync("k", context -> answer).toCompletableFuture();
    }

    @Test
    void aWaiterGetsTheStoredResult() {
        Calls waiter = Calls.of(engine, 1);
        engine.time.pass(Duration.ofSeconds(5));
        assertThat(waiter.ended()).isEmpty();

        answer.complete("first");
        assertThat(waiter.ended()).containsExactly(new Outcome.Replayed("first"));
        assertThat(engine.bodies).hasValue(1);
    }

    @Test
    void aThousandWaitersCostTheStoreAsMuchAsOne() {
        Calls waiters = Calls.of(engine, MANY);
        engine.time.pass(Duration.ofSeconds(5));
        answer.complete("first");
        assertThat(waiters.ended()).isEqualTo(Collections.nCopies(MANY, new Outcome.Replayed("first")));
        assertThat(engine.claims).as("the owner's, and one that saw the result").hasValue(2);
    }

    @Test
    void everyWaiterGetsACopyOfItsOwn() {
        engine.codec = new ResultCodec() {
            @Override
            public byte[] encode(@Nullable Object value) {
                return (byte[]) Objects.requireNonNull(value);
            }

            @Override
            public Object decode(byte[] bytes) {
                return bytes.clone();
            }
        };
        CompletableFuture<Object> array = new CompletableFuture<>();
        engine.callAsync("array", context -> array);
        CompletableFuture<Outcome> one =
                engine.callAsync("array", context -> array).toCompletableFuture();
        CompletableFuture<Outcome> two =
                engine.callAsync("array", context -> array).toCompletableFuture();
        array.complete(new byte[] {1});
        assertThat(((Outcome.Replayed) one.join()).value())
                .isEqualTo(new byte[] {1})
                .isNotSameAs(((Outcome.Replayed) two.join()).value());
    }

    @Test
    void aWaiterThatGivesUpLeavesEverybodyElseAlone() {
        Calls early = Calls.of(engine, 1);
        engine.time.pass(Duration.ofSeconds(6));
        Calls late = Calls.of(engine, 1);
        engine.time.pass(Duration.ofSeconds(5));
        refusal(early.all().get(0).join(), OperationInProgressException.class);
        assertThat(late.ended()).isEmpty();

        answer.complete("first");
        assertThat(owner).isCompletedWithValue(new Outcome.Executed("first", Recorded.YES));
        assertThat(late.ended()).containsExactly(new Outcome.Replayed("first"));
        assertThat(engine.bodies).hasValue(1);
    }

    @Test
    void aWaiterLearnsThatTheBodyFailed() {
        Calls waiter = Calls.of(engine, 1);
        answer.completeExceptionally(new IllegalStateException("declined"));
        refusal(waiter.all().get(0).join(), PreviousAttemptFailedException.class);
    }

    @Test
    void afterAReleaseExactlyOneOfManyWaitersRunsTheBody() {
        CompletableFuture<Object> again = new CompletableFuture<>();
        Calls waiters = Calls.of(engine, MANY, context -> again);
        answer.completeExceptionally(new UnsupportedOperationException("nothing was sent"));
        assertThat(engine.bodies).as("the second one is running").hasValue(2);

        again.complete("again");
        assertThat(waiters.ended())
                .hasSize(MANY)
                .containsOnlyOnce(new Outcome.Executed("again", Recorded.YES))
                .contains(new Outcome.Replayed("again"));
        assertThat(engine.bodies).hasValue(2);
    }

    /** Each of them ends the one before it, and all of that on one small stack. */
    @Test
    void aThousandReleasesInARowNeedNoDeepStack() throws Exception {
        Calls waiters = Calls.of(engine, MANY, context -> {
            throw new UnsupportedOperationException("not this time either");
        });
        Thread small = new Thread(
                null, () -> answer.completeExceptionally(new UnsupportedOperationException()), "small", 256 * 1024);
        small.start();
        small.join();
        assertThat(waiters.ended()).hasSize(MANY).hasOnlyElementsOfType(Outcome.Threw.class);
        assertThat(engine.bodies).hasValue(MANY + 1);
    }

    @Test
    void aFailingStoreIsAskedOnceForAllWhoWait() {
        Calls waiters = Calls.of(engine, MANY);
        engine.store.refuse(Call.CLAIM);
        answer.complete("first");
        assertThat(waiters.ended()).hasSize(MANY);
        waiters.ended().forEach(outcome -> refusal(outcome, IdempotencyStoreUnavailableException.class));
        assertThat(engine.claims).hasValue(2);
    }

    @Test
    void otherArgumentsAreToldSoAtOnce() {
        Calls.of(engine, 3);
        Outcome outcome = engine.call("k", "other arguments", context -> "second");
        refusal(outcome, IdempotencyKeyReusedException.class);
    }

    @Test
    void oneMoreThanMayWaitIsRejectedAtOnce() {
        Engine small = Engine.thatLetsWait(2);
        small.whenInProgress = WhenInProgress.WAIT;
        small.callAsync("k", context -> answer);
        Calls.of(small, 2);
        OperationInProgressException refusal =
                refusal(Calls.of(small, 1).ended().get(0), OperationInProgressException.class);
        assertThat(refusal).hasMessageContaining("idempotency.max-waiters-per-key");
        assertThat(small.claims).hasValue(1);
    }

    @Test
    void aBodyThatCallsItselfIsToldSoRatherThanLeftWaiting() {
        Outcome outcome = engine.call("self", context -> {
            Outcome inner = engine.call("self", again -> "inner");
            return refusal(inner, OperationInProgressException.class).getMessage();
        });
        assertThat(((Outcome.Executed) outcome).value()).asString().contains("would wait for itself");
    }

    @Test
    void aBodyMayCallItselfWithAnotherKey() {
        Outcome outcome =
                engine.call("outer", context -> ((Outcome.Executed) engine.call("inner", again -> "done")).value());
        assertThat(outcome).isEqualTo(new Outcome.Executed("done", Recorded.YES));
    }

    /** Its store cannot be reached for so long that its lease is over; it hangs all the same. */
    @Test
    void waitersOfAnOwnerThatLostItsLeaseLookForThemselves() {
        Calls waiters = Calls.of(engine, 3);
        engine.store.refuse(Call.RENEW);
        engine.time.pass(Duration.ofSeconds(5));
        assertThat(waiters.ended()).isEmpty();
        engine.waitTimeout = Duration.ofMinutes(2);
        Calls patient = Calls.of(engine, 3);
        engine.time.pass(Duration.ofMinutes(1));
        assertThat(owner).isNotDone();
        patient.all().forEach(call -> refusal(call.join(), OutcomeUnknownException.class));
        assertThat(engine.bodies).hasValue(1);
    }

    @Test
    void aWaiterTakesOverWhatItsOwnerLeftInDoubt() {
        engine.onAbandoned = OnAbandoned.TAKE_OVER;
        Calls waiter = Calls.of(engine, 2);
        answer.completeExceptionally(new LinkageError());
        assertThat(waiter.ended())
                .containsExactly(new Outcome.Executed("second", Recorded.YES), new Outcome.Replayed("second"));
        assertThat(engine.bodies).hasValue(2);
    }

    @Test
    void aReconcilerThatDoesNotKnowIsAskedOnceForAllWhoWait() {
        AtomicInteger asked = new AtomicInteger();
        CompletableFuture<Reconciliation<?>> found = new CompletableFuture<>();
        engine.onAbandoned = OnAbandoned.RECONCILE;
        engine.reconciler = context -> {
            asked.incrementAndGet();
            return found;
        };
        answer.completeExceptionally(new LinkageError());
        Calls callers = Calls.of(engine, MANY);
        found.complete(Reconciliation.unknown("the provider is closed"));
        engine.time.settle();
        assertThat(callers.ended()).hasSize(MANY);
        callers.ended()
                .forEach(outcome -> assertThat(refusal(outcome, OutcomeUnknownException.class))
                        .hasMessageContaining("the provider is closed"));
        assertThat(asked).hasValue(1);
    }

    /** It would take the place of a body that nobody wants any more. */
    @Test
    void whoHasGoneBeforeItWaitsClaimsNothing() {
        CompletionStage<Outcome> gone = engine.executor.executeAsync(
                engine.invocation("free", "arguments", context -> CompletableFuture.completedFuture("unwanted")),
                CompletableFuture.completedFuture(null));
        assertThat(refusal(gone.toCompletableFuture().join(), OperationInProgressException.class))
                .hasMessageContaining("its caller has gone");
        assertThat(engine.record("free")).isEmpty();
    }

    /** Calls "slow" on an executor that has no thread left once the body has begun. */
    private CompletableFuture<Outcome> slowOnAFullExecutor(CompletableFuture<Object> result, Queue<Runnable> queued) {
        AtomicBoolean full = new AtomicBoolean();
        CompletableFuture<Outcome> running = engine.executorThatIsFullWhile(full::get, queued)
                .executeAsync(engine.invocation("slow", "arguments", context -> result))
                .toCompletableFuture();
        full.set(true);
        return running;
    }

    /** All threads of a small executor may be held by duplicates. What follows the answer must not hold up renewals. */
    @Test
    void theOutcomeIsRecordedAlthoughDuplicatesHoldEveryThreadAndAnsweredByTheExecutor() {
        Queue<Runnable> queued = new ArrayDeque<>();
        CompletableFuture<Object> result = new CompletableFuture<>();
        CompletableFuture<Outcome> running = slowOnAFullExecutor(result, queued);
        result.complete("first");
        assertThat(engine.record("slow"))
                .hasValueSatisfying(it -> assertThat(it.state()).isEqualTo(IN_PROGRESS));
        engine.time.pass(Duration.ofMillis(100));
        assertThat(engine.record("slow"))
                .hasValueSatisfying(it -> assertThat(it.state()).isEqualTo(COMPLETED));
        assertThat(running).isNotDone();
        queued.forEach(Runnable::run);
        assertThat(running).isCompletedWithValue(new Outcome.Executed("first", Recorded.YES));
    }

    /** It would wait for itself. */
    @Test
    void theThreadThatRecordsInTheBackgroundDoesNotWaitForAStoreThatIsAway() {
        Queue<Runnable> queued = new ArrayDeque<>();
        CompletableFuture<Object> result = new CompletableFuture<>();
        CompletableFuture<Outcome> running = slowOnAFullExecutor(result, queued);
        engine.store.refuse(Call.COMPLETE);
        result.complete("first");
        engine.time.pass(Duration.ofMillis(100));
        queued.forEach(Runnable::run);
        assertThat(running).isCompletedWithValue(new Outcome.Executed("first", Recorded.DEGRADED));
        engine.store.mend();
        engine.time.pass(Duration.ofSeconds(1));
        assertThat(engine.record("slow"))
                .hasValueSatisfying(it -> assertThat(it.state()).isEqualTo(COMPLETED));
    }

    @Test
    void afterwardsNothingIsLeft() {
        Calls.of(engine, 10);
        answer.complete("first");
        engine.nothingIsLeft();
    }
}
