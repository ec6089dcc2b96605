package io.idempotency.runtime.engine;

import static io.idempotency.runtime.engine.Engine.refusal;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.idempotency.IdempotencyException.Executed;
import io.idempotency.IdempotencyException.Retry;
import io.idempotency.IdempotencyStoreUnavailableException;
import io.idempotency.OnAbandoned;
import io.idempotency.OperationInProgressException;
import io.idempotency.WhenInProgress;
import io.idempotency.runtime.Outcome;
import io.idempotency.runtime.Outcome.Recorded;
import io.idempotency.runtime.store.ForwardingStore;
import io.idempotency.runtime.store.IdempotencyStore;
import io.idempotency.runtime.store.RecordState;
import io.idempotency.test.FaultyStore.Call;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.List;
import java.util.Queue;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Executors that take no task, stacks that end, threads that are wanted elsewhere: nothing stays taken, and nobody waits. */
class ThreadsAtTheirLimitTest {

    private final Engine engine = new Engine();
    private final CompletableFuture<Object> answer = new CompletableFuture<>();

    /** What an executor throws that takes no task. */
    enum Refusal {
        REJECTED {
            @Override
            void happens() {
                throw new RejectedExecutionException("full");
            }
        },
        NO_THREAD {
            @Override
            void happens() {
                throw new OutOfMemoryError("unable to create native thread (made by a test)");
            }
        };

        abstract void happens();
    }

    private IdempotencyEngine engineWith(Executor executor) {
        SameThread sameThread = new SameThread();
        return new IdempotencyEngine(new ExecutionServices(
                engine.time,
                executor,
                sameThread,
                engine.time::nanoTime,
                () -> UUID.randomUUID().toString(),
                () -> 0.5,
                List.of()));
    }

    @ParameterizedTest
    @EnumSource
    void anExecutorThatTakesNoTaskKeepsTheBodyFromRunning(Refusal refusal) {
        IdempotencyEngine full = engineWith(task -> refusal.happens());
        engine.store.hold(Call.CLAIM); // an answer at once needs no other thread
        CompletableFuture<Outcome> outcome = full.executeAsync(engine.invocation("k", "a", context -> {
                    engine.bodies.incrementAndGet();
                    return answer;
                }))
                .toCompletableFuture();
        engine.store.mend();
        IdempotencyStoreUnavailableException refused =
                refusal(outcome.join(), IdempotencyStoreUnavailableException.class);
        assertThat(refused).hasMessageContaining("micronaut.executors.blocking");
        assertThat(refused.executed()).isEqualTo(Executed.NO);
        assertThat(refused.retry()).isEqualTo(Retry.SAME_KEY);
        engine.time.pass(Duration.ofSeconds(1));
        assertThat(engine.record("k")).as("given back").isEmpty();
        assertThat(engine.bodies).hasValue(0);
        assertThat(full.running()).isZero();
    }

    /** Whoever waited for nothing is not moved to another thread either: the caller's own runs the body. */
    @Test
    void anAnswerAtOnceNeedsNoExecutor() {
        IdempotencyEngine full = engineWith(task -> Refusal.REJECTED.happens());
        AtomicReference<Thread> body = new AtomicReference<>();
        CompletableFuture<Outcome> outcome = full.executeAsync(engine.invocation("k", "a", context -> {
                    body.set(Thread.currentThread());
                    return CompletableFuture.completedFuture("first");
                }))
                .toCompletableFuture();
        assertThat(outcome).isCompletedWithValue(new Outcome.Executed("first", Recorded.YES));
        assertThat(body).hasValue(Thread.currentThread());
        assertThat(full.executeAsync(engine.invocation("k", "a", context -> answer))
                        .toCompletableFuture())
                .isCompletedWithValue(new Outcome.Replayed("first"));
    }

    @Test
    void aCallThatWasBegunGoesOnOnTheExecutorOnlyWhenItsBodyHadToBeWaitedFor() {
        Queue<Runnable> tasks = new ArrayDeque<>();
        IdempotencyEngine begins = engineWith(tasks::add);
        CompletableFuture<Outcome> atOnce = begins.begin(
                        engine.invocation("k1", "a", context -> CompletableFuture.completedFuture("first")))
                .toCompletableFuture();
        assertThat(atOnce).isCompletedWithValue(new Outcome.Executed("first", Recorded.YES));
        assertThat(tasks).isEmpty();

        CompletableFuture<Outcome> later =
                begins.begin(engine.invocation("k2", "a", context -> answer)).toCompletableFuture();
        answer.complete("second");
        assertThat(later)
                .as("not on the thread that completes the body's stage")
                .isNotDone();
        tasks.remove().run();
        assertThat(later).isCompletedWithValue(new Outcome.Executed("second", Recorded.YES));
    }

    /** Its calls park threads: neither the caller's nor the timer's may be one of them. */
    @Test
    void aStoreThatBlocksIsAskedAndToldOnTheExecutorAndRenewedOnThreadsOfItsOwn() {
        Queue<Runnable> tasks = new ArrayDeque<>();
        Queue<Runnable> renewals = new ArrayDeque<>();
        IdempotencyEngine parks = new IdempotencyEngine(new ExecutionServices(
                engine.time,
                tasks::add,
                Engine.upkeep(renewals::add, renewals::add),
                engine.time::nanoTime,
                () -> UUID.randomUUID().toString(),
                () -> 0.5,
                List.of()));
        IdempotencyStore store = new ForwardingStore(engine.store) {
            @Override
            public boolean blocking() {
                return true;
            }
        };
        CompletableFuture<Outcome> outcome = parks.executeAsync(new Invocation(
                        engine.operation("pay", store),
                        Engine.id("k"),
                        CallFingerprint.only("1:arguments"),
                        context -> answer,
                        null))
                .toCompletableFuture();
        assertThat(engine.claims).hasValue(0);
        tasks.remove().run();
        assertThat(engine.claims).hasValue(1);

        AtomicInteger renewed = new AtomicInteger();
        engine.store.before(Call.RENEW, renewed::incrementAndGet);
        engine.time.pass(Engine.LEASE.dividedBy(3));
        assertThat(renewed).hasValue(0);
        renewals.remove().run();
        assertThat(renewed).hasValue(1);

        answer.complete("first");
        assertThat(engine.record("k").orElseThrow().state()).isEqualTo(RecordState.IN_PROGRESS);
        while (!tasks.isEmpty()) {
            tasks.remove().run();
        }
        assertThat(outcome).isCompletedWithValue(new Outcome.Executed("first", Recorded.YES));
        assertThat(engine.time.pendingTasks()).isZero();
    }

    @ParameterizedTest
    @EnumSource
    void anExecutorThatTakesNoTaskAfterTheBodyKeepsNothingFromBeingRecorded(Refusal refusal) {
        AtomicBoolean fullNow = new AtomicBoolean();
        IdempotencyEngine full = engineWith(task -> {
            if (fullNow.get()) {
                refusal.happens();
            }
            task.run();
        });
        CompletableFuture<Outcome> outcome = full.executeAsync(engine.invocation("k", "a", context -> answer))
                .toCompletableFuture();
        fullNow.set(true);
        answer.complete("first");
        assertThat(outcome).isCompletedWithValue(new Outcome.Executed("first", Recorded.YES));
        assertThat(engine.record("k").orElseThrow().state()).isEqualTo(RecordState.COMPLETED);
        assertThat(full.running()).isZero();
    }

    /** Their turn comes when there is no thread for any of them; and there are so many that they must not nest. */
    @ParameterizedTest
    @EnumSource
    void duplicatesThatWaitForAFullExecutorAreToldSo(Refusal refusal) {
        engine.whenInProgress = WhenInProgress.WAIT;
        engine.declaredEffects = java.util.Map.of(IllegalStateException.class, io.idempotency.runtime.Effect.NONE);
        AtomicBoolean fullNow = new AtomicBoolean();
        IdempotencyEngine full = engineWith(task -> {
            if (fullNow.get()) {
                refusal.happens();
            }
            task.run();
        });
        full.executeAsync(engine.invocation("k", "a", context -> answer));
        List<CompletableFuture<Outcome>> waiters = java.util.stream.IntStream.range(0, 1000)
                .mapToObj(i -> full.executeAsync(engine.invocation("k", "a", context -> {
                            engine.bodies.incrementAndGet();
                            return CompletableFuture.completedFuture("second");
                        }))
                        .toCompletableFuture())
                .toList();
        fullNow.set(true);
        answer.completeExceptionally(new IllegalStateException("nothing was sent"));
        waiters.forEach(waiter -> refusal(waiter.join(), IdempotencyStoreUnavailableException.class));
        assertThat(engine.bodies).hasValue(0);
        assertThat(full.running()).isZero();
        assertThat(engine.time.pendingTasks()).isZero();
    }

    @Test
    void aRenewalThatThrowsIsNotTheLastOne() {
        engine.onAbandoned = OnAbandoned.TAKE_OVER;
        AtomicInteger renewals = new AtomicInteger();
        engine.store.before(Call.RENEW, () -> {
            if (renewals.incrementAndGet() == 1) {
                throw new OutOfMemoryError("made by a test");
            }
        });
        engine.callAsync("k", context -> answer);
        engine.time.pass(Engine.LEASE.multipliedBy(10));
        assertThat(renewals).hasValueGreaterThan(20);
        refusal(engine.call("k", context -> "second"), OperationInProgressException.class);
        assertThat(engine.bodies).hasValue(1);
    }

    @Test
    void aRenewalWhoseAnswerNeverComesIsNotTheLastOne() {
        engine.callAsync("k", context -> answer);
        engine.store.hold(Call.RENEW);
        AtomicInteger renewals = new AtomicInteger();
        engine.store.before(Call.RENEW, renewals::incrementAndGet);
        engine.time.pass(Engine.LEASE.multipliedBy(3));
        assertThat(renewals)
                .as("one for each lease, not one for each firing")
                .satisfies(sent -> assertThat(sent.get()).isBetween(2, 3));
        engine.store.mend();
        engine.time.pass(Engine.LEASE);
        refusal(engine.call("k", context -> "second"), OperationInProgressException.class);
    }

    /** What runs out of memory in its own engine, whose timer it is. */
    private IdempotencyEngine engineWhoseTimerFailsWhen(AtomicBoolean failing) {
        DelayTimer timer = new DelayTimer() {
            @Override
            public Runnable after(Duration delay, Runnable task) {
                if (failing.get()) {
                    throw new OutOfMemoryError("made by a test");
                }
                return engine.time.after(delay, task);
            }

            @Override
            public Runnable every(Duration period, BooleanSupplier task) {
                return engine.time.every(period, task);
            }
        };
        SameThread sameThread = new SameThread();
        return new IdempotencyEngine(new ExecutionServices(
                timer,
                sameThread,
                sameThread,
                engine.time::nanoTime,
                () -> UUID.randomUUID().toString(),
                () -> 0.5,
                List.of()));
    }

    /** Its seat would get the next turn, and nobody would ever take that: the key would be blocked on this node for good. */
    @Test
    void aDuplicateThatNoTimerCanEndDoesNotWait() {
        engine.whenInProgress = WhenInProgress.WAIT;
        AtomicBoolean failing = new AtomicBoolean();
        IdempotencyEngine node = engineWhoseTimerFailsWhen(failing);
        Invocation call = engine.invocation("k", "a", context -> answer);
        CompletableFuture<Outcome> first = node.executeAsync(call).toCompletableFuture();
        failing.set(true);
        CompletableFuture<Outcome> duplicate = node.executeAsync(call).toCompletableFuture();
        assertThat(duplicate).isDone();
        refusal(duplicate.join(), OperationInProgressException.class);
        failing.set(false);
        answer.complete("first");
        assertThat(first).isCompletedWithValue(new Outcome.Executed("first", Recorded.YES));
        assertThat(node.executeAsync(call).toCompletableFuture()).isCompletedWithValue(new Outcome.Replayed("first"));
        assertThat(node.shutDown(Duration.ofHours(1)).toCompletableFuture()).isDone();
    }

    @SuppressWarnings("InfiniteRecursion") // until the stack is used up
    private static int dive() {
        return dive() + 1;
    }

    /** At every depth, the body itself using up the stack or not; what the call took it gives back. */
    @ParameterizedTest
    @EnumSource
    void nearAStackOverflowNothingStaysTaken(WhenInProgress whenInProgress) throws InterruptedException {
        engine.whenInProgress = whenInProgress;
        engine.settleBudget = Duration.ofMillis(1); // many outcomes are told later, and this thread waits in real time
        for (String key : new String[] {"warm", "warm", "warmer"}) {
            engine.call(key, context -> "classes are loaded");
        }
        AtomicInteger overflowed = new AtomicInteger();
        AtomicReference<Throwable> unexpected = new AtomicReference<>();
        Thread small = new Thread(null, () -> callAtEveryDepth(overflowed, unexpected), "small", 512 * 1024);
        small.start();
        small.join();
        assertThat(unexpected.get()).isNull();
        assertThat(overflowed).as("calls that did not come to an outcome").hasPositiveValue();
        assertThat(engine.executor.running()).isZero();

        engine.time.pass(Engine.LEASE.multipliedBy(2));
        int renewals = engine.claims.get();
        engine.store.before(Call.RENEW, engine.claims::incrementAndGet);
        engine.time.pass(Engine.LEASE.multipliedBy(2));
        assertThat(engine.claims.get()).as("nothing is renewed any more").isEqualTo(renewals);
        for (int i = 0; i < 3000; i += 7) {
            CompletableFuture<Outcome> again = engine.callAsync(
                            "deep" + i, context -> CompletableFuture.completedFuture("again"))
                    .toCompletableFuture();
            assertThat(again).as("key %s is not stuck", i).isDone();
            assertThat(again.join())
                    .satisfiesAnyOf(
                            outcome -> assertThat(outcome).isInstanceOf(Outcome.Executed.class),
                            outcome -> assertThat(outcome).isInstanceOf(Outcome.Replayed.class),
                            outcome -> refusal(outcome, io.idempotency.OutcomeUnknownException.class),
                            outcome -> refusal(outcome, io.idempotency.ResultUnavailableException.class));
        }
        assertThat(engine.executor.running()).isZero();
    }

    private void callAtEveryDepth(AtomicInteger overflowed, AtomicReference<Throwable> unexpected) {
        AtomicInteger frames = new AtomicInteger();
        fromTheBottomUp(() -> {
            int i = frames.getAndIncrement();
            if (i % 7 != 0 || i >= 3000) {
                return;
            }
            boolean uses = i % 2 == 0;
            try {
                engine.call("deep" + i, context -> uses ? "" + dive() : "first");
            } catch (Throwable e) { // an InternalError comes of an overflow while a lambda is linked
                if (!(StoreInvoker.unwrapped(e) instanceof VirtualMachineError)) {
                    unexpected.set(e);
                }
                overflowed.incrementAndGet();
            }
        });
    }

    /** In every frame of a stack that is used up, the last one first, however large the compiler makes a frame. */
    @SuppressWarnings("InfiniteRecursion") // until the stack is used up
    private static void fromTheBottomUp(Runnable step) {
        try {
            fromTheBottomUp(step);
        } catch (StackOverflowError e) {
            // this frame is the last one, or its step did not fit
        }
        step.run();
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void aThreadThatIsInterruptedWhileItWaitsForADuplicateLeavesAtOnce(boolean before) throws InterruptedException {
        engine.whenInProgress = WhenInProgress.WAIT;
        engine.waitTimeout = Duration.ofMinutes(10);
        engine.callAsync("k", context -> answer);
        AtomicReference<Outcome> outcome = new AtomicReference<>();
        AtomicBoolean stillInterrupted = new AtomicBoolean();
        Thread waiter = new Thread(() -> {
            if (before) {
                Thread.currentThread().interrupt();
            }
            outcome.set(engine.call("k", context -> "second"));
            stillInterrupted.set(Thread.currentThread().isInterrupted());
        });
        waiter.start();
        if (!before) {
            await().until(() -> waiter.getState() == Thread.State.WAITING);
            waiter.interrupt();
        }
        waiter.join(20_000);
        assertThat(refusal(outcome.get(), OperationInProgressException.class)).hasMessageContaining("interrupted");
        assertThat(engine.executor.waiting()).isZero();
        assertThat(stillInterrupted).isTrue();

        answer.complete("first");
        assertThat(engine.call("k", context -> "second")).isEqualTo(new Outcome.Replayed("first"));
        assertThat(engine.bodies).hasValue(1);
    }

    @Test
    void aThreadWhoseBodyGoesOnElsewhereIsNotInsideIt() {
        engine.whenInProgress = WhenInProgress.WAIT;
        engine.callAsync("k", context -> answer);
        Thread.currentThread().interrupt();
        Outcome outcome = engine.call("k", context -> "second");
        assertThat(Thread.interrupted()).isTrue();
        assertThat(refusal(outcome, OperationInProgressException.class)).hasMessageContaining("interrupted");
    }

    @Test
    void aCallerThatHasGoneWhileItWaitedDoesNotClaimLater() {
        engine.whenInProgress = WhenInProgress.WAIT;
        engine.declaredEffects = java.util.Map.of(IllegalStateException.class, io.idempotency.runtime.Effect.NONE);
        engine.callAsync("k", context -> answer);
        CompletableFuture<Void> gone = new CompletableFuture<>();
        Invocation call = engine.invocation("k", "arguments", context -> {
            engine.bodies.incrementAndGet();
            return CompletableFuture.completedFuture("second");
        });
        CompletableFuture<Outcome> waits =
                engine.executor.executeAsync(call, gone).toCompletableFuture();
        assertThat(waits).isNotDone();
        gone.complete(null);
        refusal(waits.join(), OperationInProgressException.class);
        answer.completeExceptionally(new IllegalStateException("nothing was sent"));
        assertThat(engine.bodies).hasValue(1);
        assertThat(engine.record("k")).isEmpty();
    }
}
