package io.idempotency.runtime.engine;

import io.idempotency.runtime.memory.MemoryIdempotencyStore;
import io.idempotency.runtime.store.IdempotencyStore;
import io.idempotency.runtime.store.RecordId;
import io.idempotency.runtime.store.Settled;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.BiConsumer;
import java.util.function.BooleanSupplier;
import java.util.function.LongSupplier;
import org.jetbrains.lincheck.datastructures.Operation;
import org.jetbrains.lincheck.datastructures.Validate;
import org.junit.jupiter.api.Test;

/** As {@link InterleavingsTest}, for what a queue has still to tell its store. */
class RetryQueueInterleavingsTest {

    private static final Instant NOW = Instant.parse("2026-01-01T00:00:00Z");

    @Test
    void aStoreIsToldOneThingAtATimeAndNothingIsForgotten() {
        InterleavingsTest.check(
                Attempts.class,
                10,
                2,
                4); // to end some must run already, and a miscount shows only in what comes later
    }

    @Test
    void whatIsToBeToldIsToldOnceAndSoonWhenTheApplicationShutsDown() {
        InterleavingsTest.check(LastMessages.class, 5);
    }

    /** What services of a queue are, with a timer that only remembers. */
    private static ExecutionServices services(LongSupplier nanoTime, BiConsumer<Duration, Runnable> later) {
        DelayTimer timer = new DelayTimer() {
            @Override
            public Runnable after(Duration delay, Runnable task) {
                later.accept(delay, task);
                return () -> {};
            }

            @Override
            public Runnable every(Duration period, BooleanSupplier task) {
                return () -> {};
            }
        };
        return new ExecutionServices(
                timer,
                Runnable::run,
                Engine.upkeep(Runnable::run, Runnable::run),
                nanoTime,
                () -> "token",
                () -> 0.0,
                List.of());
    }

    /** Made before: a digest has loops that would be explored. */
    private static final RecordId ID = new RecordId("0".repeat(64));

    private static RetryQueue.Message message(RetryQueue.Weight weight) {
        return new RetryQueue.Message("pay", ID, weight);
    }

    /** Attempts that begin, and end later, at once or from another thread. */
    public static final class Attempts {

        private final Queue<Runnable> timer = new ConcurrentLinkedQueue<>();
        private final RetryQueue queue = new RetryQueue(
                services(() -> 0L, (delay, task) -> timer.add(task)), new MemoryIdempotencyStore(() -> NOW));
        private final Queue<CompletableFuture<Settled>> running = new ConcurrentLinkedQueue<>();
        private final AtomicInteger added = new AtomicInteger();
        private final AtomicInteger started = new AtomicInteger();
        private final AtomicInteger ended = new AtomicInteger();

        @Operation
        public void add() {
            added.incrementAndGet();
            tell(RetryQueue.Weight.DISPENSABLE, store -> {
                started.incrementAndGet();
                CompletableFuture<Settled> attempt = new CompletableFuture<>();
                running.add(attempt);
                return attempt;
            });
        }

        @Operation
        public void addShort() {
            added.incrementAndGet();
            tell(RetryQueue.Weight.OUTCOME, store -> {
                started.incrementAndGet();
                ended.incrementAndGet();
                return CompletableFuture.completedFuture(new Settled.Applied());
            });
        }

        private void tell(RetryQueue.Weight weight, RetryQueue.Verb verb) {
            queue.putOff(queue.entry(message(weight), verb), Duration.ZERO);
            run(timer);
        }

        @Operation
        public void end() {
            CompletableFuture<Settled> attempt = running.poll();
            if (attempt != null) {
                ended.incrementAndGet();
                attempt.complete(new Settled.Applied());
            }
            run(timer);
        }

        @Validate
        public void asManyAsMayRunDo() {
            run(timer);
            int expected = Math.min(added.get(), ended.get() + 1);
            if (started.get() != expected || queue.size() != added.get() - ended.get()) {
                throw new IllegalStateException(
                        started + " started of " + added + ", " + ended + " ended, " + queue.size() + " left");
            }
        }
    }

    /** What is to be told in an hour, or at once when the application shuts down. */
    public static final class LastMessages {

        private static final Duration LONG = Duration.ofHours(1);

        private final Queue<Runnable> soon = new ConcurrentLinkedQueue<>();
        private final Queue<Runnable> later = new ConcurrentLinkedQueue<>();
        private final AtomicInteger added = new AtomicInteger();
        private final AtomicInteger told = new AtomicInteger();
        private final AtomicLong nanos = new AtomicLong();
        private volatile boolean hurried;
        private final RetryQueue backlog = new RetryQueue(
                services(nanos::get, (delay, task) -> (delay.compareTo(LONG) < 0 ? soon : later).add(task)),
                new MemoryIdempotencyStore(() -> NOW));

        @Operation
        public void add() {
            added.incrementAndGet();
            backlog.putOff(backlog.entry(message(RetryQueue.Weight.OUTCOME), this::tell), LONG);
        }

        private CompletionStage<Settled> tell(IdempotencyStore whom) {
            told.incrementAndGet();
            return CompletableFuture.completedFuture(new Settled.Applied());
        }

        @Operation
        public void hurry() {
            backlog.hurry();
            hurried = true;
        }

        @Validate
        public void everythingIsToldOnce() {
            nanos.set(LONG.toNanos() - 1);
            run(soon);
            if (hurried && backlog.size() > 0) {
                throw new IllegalStateException(backlog.size() + " messages wait for an hour");
            }
            nanos.set(LONG.toNanos());
            run(later);
            if (told.get() != added.get() || backlog.size() > 0) {
                throw new IllegalStateException(told + " told of " + added);
            }
        }
    }

    private static void run(Queue<Runnable> tasks) {
        for (Runnable task = tasks.poll(); task != null; task = tasks.poll()) {
            task.run();
        }
    }
}
