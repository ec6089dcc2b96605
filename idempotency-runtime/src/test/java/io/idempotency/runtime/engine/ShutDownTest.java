package io.idempotency.runtime.engine;

import static io.idempotency.runtime.engine.Engine.refusal;
import static org.assertj.core.api.Assertions.assertThat;

import io.idempotency.ApplicationShuttingDownException;
import io.idempotency.IdempotencyException.Executed;
import io.idempotency.IdempotencyException.Retry;
import io.idempotency.IdempotencyKeyReusedException;
import io.idempotency.OnAbandoned;
import io.idempotency.OnStoreFailure;
import io.idempotency.OperationInProgressException;
import io.idempotency.WhenInProgress;
import io.idempotency.runtime.Outcome;
import io.idempotency.runtime.Outcome.Recorded;
import io.idempotency.runtime.call.Invocation;
import io.idempotency.runtime.call.NewKeyAdmission;
import io.idempotency.runtime.engine.IdempotencyEngine.Left;
import io.idempotency.runtime.store.RecordState;
import io.idempotency.test.FaultyStore.Call;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The last calls of an application that stops. */
class ShutDownTest {

    private static final Duration LIMIT = Duration.ofSeconds(10);
    private static final int THREADS = 8;
    private static final int ROUNDS = 300;

    private final Engine engine = new Engine();
    private final CompletableFuture<Object> answer = new CompletableFuture<>();

    private CompletableFuture<Left> shutDown() {
        return engine.shutDown(LIMIT);
    }

    @Test
    void aBodyThatRunsEndsAndIsRecordedBeforeTheShutdownGoesOn() {
        CompletionStage<Outcome> running = engine.callAsync("k", context -> answer);
        CompletableFuture<Left> left = shutDown();
        engine.time.pass(Duration.ofSeconds(5));
        assertThat(left).isNotDone();

        answer.complete("first");
        assertThat(running.toCompletableFuture().join()).isEqualTo(new Outcome.Executed("first", Recorded.YES));
        assertThat(left.join()).isEqualTo(new Left(0, 0));
    }

    @Test
    void nothingNewIsStartedAndTheCallerMaySendTheSameKeyAgain() {
        shutDown();
        ApplicationShuttingDownException refused =
                refusal(engine.call("k", context -> "first"), ApplicationShuttingDownException.class);
        assertThat(refused.executed()).isEqualTo(Executed.NO);
        assertThat(refused.retry()).isEqualTo(Retry.SAME_KEY);
        assertThat(engine.bodies).hasValue(0);
        assertThat(engine.record("k")).isEmpty();
    }

    @Test
    void whatIsRecordedIsStillAnswered() {
        engine.call("done", context -> "first");
        engine.callAsync("running", context -> answer);
        shutDown();
        assertThat(engine.call("done", context -> "second")).isEqualTo(new Outcome.Replayed("first"));
        refusal(engine.call("done", "others", context -> "second"), IdempotencyKeyReusedException.class);
        refusal(engine.call("running", context -> "second"), OperationInProgressException.class);
        assertThat(engine.bodies).hasValue(2);
    }

    /** That the outcome is unknown is told with a claim only, which the store's replicas may have to acknowledge. */
    @ParameterizedTest
    @EnumSource(OnAbandoned.class)
    void whoseOwnerDiedIsLeftToAnotherNode(OnAbandoned onAbandoned) {
        engine.onAbandoned = onAbandoned;
        engine.store.crashNextOwner();
        engine.callAsync("k", context -> answer);
        engine.time.pass(Engine.LEASE.plusMillis(1));
        shutDown();
        refusal(engine.call("k", context -> "second"), OperationInProgressException.class);
        assertThat(engine.bodies).hasValue(1);
    }

    @Test
    void aStoreThatIsAwayThenIsNoReasonToProceed() {
        engine.onStoreFailure = OnStoreFailure.PROCEED;
        engine.store.refuse(Call.values());
        shutDown();
        refusal(engine.call("k", context -> "first"), ApplicationShuttingDownException.class);
        assertThat(engine.bodies).hasValue(0);
    }

    private Invocation nested() {
        Invocation inner = engine.invocation("inner", "a", c -> CompletableFuture.completedFuture("part"));
        return new Invocation(
                inner.operation(),
                inner.id(),
                inner.fingerprint(),
                inner.body(),
                null,
                null,
                true,
                NewKeyAdmission.UNLIMITED,
                null);
    }

    @Test
    void aCallThatARunningBodyMakesStillClaimsSoThatTheBodyCanEnd() {
        CompletableFuture<Left> left = new CompletableFuture<>();
        Outcome outcome = engine.call("outer", context -> {
            shutDown().thenAccept(left::complete);
            assertThat(engine.executor.execute(nested())).isEqualTo(new Outcome.Executed("part", Recorded.YES));
            assertThat(left).isNotDone();
            return "whole";
        });
        assertThat(outcome).isEqualTo(new Outcome.Executed("whole", Recorded.YES));
        assertThat(left.join()).isEqualTo(new Left(0, 0));
    }

    /** Nobody waits for what a body left behind when it ended. */
    @Test
    void aCallOfABodyThatIsOverIsNotNestedAnyMore() {
        engine.call("outer", context -> "whole");
        shutDown();
        refusal(engine.executor.execute(nested()), ApplicationShuttingDownException.class);
    }

    @Test
    void afterTheLimitABodyThatStillRunsIsLeftForWhatItIs() {
        engine.callAsync("k", context -> answer);
        CompletableFuture<Left> left = shutDown();
        engine.time.pass(LIMIT);
        assertThat(left.join()).isEqualTo(new Left(1, 0));
        assertThat(engine.record("k").orElseThrow().state()).isEqualTo(RecordState.IN_PROGRESS);
    }

    @Test
    void whatTheStoreHasStillToBeToldIsToldAtOnce() {
        engine.callAsync("k", context -> {
            engine.store.refuse(Call.values());
            return CompletableFuture.completedFuture("first");
        });
        engine.time.pass(Duration.ofMinutes(5)); // the attempts are far apart by now
        engine.store.mend();
        assertThat(shutDown().join()).isEqualTo(new Left(0, 0));
        assertThat(engine.record("k").orElseThrow().state()).isEqualTo(RecordState.COMPLETED);
    }

    @Test
    void aStoreThatComesBackWithinTheLimitIsStillTold() {
        engine.callAsync("k", context -> {
            engine.store.refuse(Call.values());
            return CompletableFuture.completedFuture("first");
        });
        engine.time.pass(Duration.ofMinutes(5));
        CompletableFuture<Left> left = shutDown();
        engine.time.pass(Duration.ofSeconds(5));
        assertThat(left).isNotDone();
        engine.store.mend();
        engine.time.pass(Duration.ofSeconds(1));
        assertThat(left.join()).isEqualTo(new Left(0, 0));
    }

    @Test
    void aCallerDoesNotWaitForAStoreThatIsAwayLongerThanTheApplicationIsThere() {
        CompletionStage<Outcome> late = engine.callAsync("late", context -> answer);
        CompletionStage<Outcome> early = engine.callAsync("early", context -> {
            engine.store.refuse(Call.values());
            return CompletableFuture.completedFuture("first");
        });
        assertThat(early.toCompletableFuture()).isNotDone();

        engine.shutDown(Duration.ofMillis(1));
        engine.time.pass(Duration.ofMillis(1));
        assertThat(early.toCompletableFuture()).isCompletedWithValue(new Outcome.Executed("first", Recorded.DEGRADED));

        answer.complete("second"); // the timer may be gone before a budget that begins now is over
        assertThat(late.toCompletableFuture()).isCompletedWithValue(new Outcome.Executed("second", Recorded.DEGRADED));
    }

    @Test
    void whatTheStoreCannotBeToldWithinTheLimitIsCounted() {
        engine.callAsync("k", context -> {
            engine.store.refuse(Call.values());
            return CompletableFuture.completedFuture("first");
        });
        CompletableFuture<Left> left = shutDown();
        engine.time.pass(LIMIT);
        assertThat(left.join()).isEqualTo(new Left(0, 1));
    }

    @Test
    void duplicatesThatWaitAreAnsweredBeforeTheApplicationIsGone() {
        engine.whenInProgress = WhenInProgress.WAIT;
        IdempotencyEngine elsewhere = engine.executorThatShutsDownWhen(() -> false);
        elsewhere.executeAsync(engine.invocation("there", "arguments", context -> new CompletableFuture<>()));
        CompletionStage<Outcome> waitsForAnother =
                engine.callAsync("there", context -> CompletableFuture.completedFuture("second"));
        engine.callAsync("here", context -> answer);
        CompletionStage<Outcome> waitsForThis =
                engine.callAsync("here", context -> CompletableFuture.completedFuture("second"));

        shutDown();
        refusal(waitsForAnother.toCompletableFuture().join(), OperationInProgressException.class);
        answer.complete("first");
        assertThat(waitsForThis.toCompletableFuture().join()).isEqualTo(new Outcome.Replayed("first"));
    }

    @Test
    void duplicatesOfABodyThatOutlastsTheLimitAreToldThatItStillRuns() {
        engine.whenInProgress = WhenInProgress.WAIT;
        engine.waitTimeout = Duration.ofMinutes(1);
        engine.callAsync("k", context -> answer);
        CompletableFuture<Outcome> waits = engine.callAsync("k", context -> CompletableFuture.completedFuture("second"))
                .toCompletableFuture();
        shutDown();
        assertThat(waits).isNotDone();
        engine.time.pass(LIMIT);
        assertThat(refusal(waits.join(), OperationInProgressException.class))
                .hasMessageContaining("shuts down")
                .hasMessageNotContaining("waitTimeout");
        refusal(
                engine.callAsync("k", context -> CompletableFuture.completedFuture("third"))
                        .toCompletableFuture()
                        .join(),
                OperationInProgressException.class);
        assertThat(engine.bodies).hasValue(1);
    }

    /** Real threads: once the shutdown goes on, no body starts any more, and none is half done. */
    @Test
    void noBodySlipsInWhileTheApplicationShutsDown() throws Exception {
        ExecutorService threads = Executors.newFixedThreadPool(THREADS);
        try {
            for (int round = 0; round < ROUNDS; round++) {
                Engine racing = Engine.thatStandsStill();
                AtomicBoolean gone = new AtomicBoolean();
                AtomicInteger tooLate = new AtomicInteger();
                CountDownLatch ready = new CountDownLatch(THREADS);
                CountDownLatch ended = new CountDownLatch(THREADS);
                for (int i = 0; i < THREADS; i++) {
                    String key = "k" + i;
                    threads.execute(() -> {
                        ready.countDown();
                        for (int n = 0; n < 20; n++) {
                            racing.call(key + n, context -> {
                                if (gone.get()) {
                                    tooLate.incrementAndGet();
                                }
                                return "done";
                            });
                        }
                        ended.countDown();
                    });
                }
                ready.await();
                racing.executor.shutDown(LIMIT);
                gone.set(true);
                ended.await();
                assertThat(tooLate).hasValue(0);
            }
        } finally {
            threads.shutdownNow();
        }
    }
}
