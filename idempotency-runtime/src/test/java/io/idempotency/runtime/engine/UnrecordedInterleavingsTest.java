package io.idempotency.runtime.engine;

import io.idempotency.runtime.memory.MemoryIdempotencyStore;
import io.idempotency.runtime.store.Claim;
import io.idempotency.runtime.store.ForwardingStore;
import io.idempotency.runtime.store.IdempotencyStore;
import io.idempotency.runtime.store.RecordId;
import io.idempotency.runtime.store.Settled;
import io.idempotency.runtime.store.StoredRecord;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.jetbrains.lincheck.datastructures.Operation;
import org.jetbrains.lincheck.datastructures.Validate;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** As {@link InterleavingsTest}, for what a queue has still to tell its store. */
@Tag("thorough")
class UnrecordedInterleavingsTest {

    private static final Instant NOW = Instant.parse("2026-01-01T00:00:00Z");

    @Test
    void aStoreIsToldOneThingAtATimeAndNothingIsForgotten() {
        InterleavingsTest.check(Attempts.class, 1);
    }

    @Test
    void whatIsToBeToldAtOnceAndLaterIsToldTwiceAlsoWhenTheApplicationShutsDown() {
        InterleavingsTest.check(LastMessages.class, 3);
    }

    /** Made before: a digest has loops that would be explored. */
    private static final RecordId ID = new RecordId("0".repeat(64));

    private static final Duration LONG = Duration.ofHours(1);

    private static final IdempotencyStore STORE = new ForwardingStore(new MemoryIdempotencyStore(() -> NOW)) {
        @Override
        public Optional<StoredRecord> find(RecordId id) {
            return Optional.empty();
        }
    };

    private static final io.idempotency.runtime.call.Operation OPERATION = new Engine().operation("pay", STORE);

    private static Unrecorded unrecorded(IdempotencyStore store, ElapsedTime time, Maintenance maintenance) {
        return new Unrecorded(
                store, TestServices.of(Runnable::run, maintenance, time, () -> "token", () -> 0.0, List.of()));
    }

    private static void run(Queue<Runnable> tasks) {
        for (Runnable task = tasks.poll(); task != null; task = tasks.poll()) {
            task.run();
        }
    }

    /** Messages that come while another thread sends. */
    public static final class Attempts {

        private final Queue<Runnable> tasks = new ConcurrentLinkedQueue<>();
        private final Unrecorded unrecorded = unrecorded(STORE, () -> 0L, (store, delay, task) -> tasks.add(task));
        private final AtomicInteger added = new AtomicInteger();
        private final AtomicInteger told = new AtomicInteger();
        private final AtomicInteger atOnce = new AtomicInteger();
        private volatile boolean together;

        @Operation
        public void add() {
            added.incrementAndGet();
            unrecorded.later(
                    OPERATION,
                    ID,
                    new StoreMessages.Message(new OutcomeCommand.Nothing(false), this::send),
                    settled -> {});
            run(tasks);
        }

        private Settled send(OutcomeCommand outcome, IdempotencyStore store) {
            together = together || atOnce.incrementAndGet() > 1;
            told.incrementAndGet();
            atOnce.decrementAndGet();
            return new Settled.Applied();
        }

        @Validate
        public void everythingIsToldOnceAndAlone() {
            run(tasks);
            if (together || told.get() != added.get() || unrecorded.backlog().calls() > 0) {
                throw new IllegalStateException(told + " told of " + added + (together ? ", two at once" : ""));
            }
        }
    }

    /** What is to be looked at at once and again in an hour; the first look does not wait for it, also when the application shuts down. */
    public static final class LastMessages {

        private final Queue<Runnable> now = new ConcurrentLinkedQueue<>();
        private final Queue<Runnable> soon = new ConcurrentLinkedQueue<>();
        private final Queue<Runnable> later = new ConcurrentLinkedQueue<>();
        private final AtomicInteger added = new AtomicInteger();
        private final AtomicInteger told = new AtomicInteger();
        private final AtomicLong nanos = new AtomicLong();
        private volatile boolean hurried;
        private final Unrecorded unrecorded = unrecorded(
                new ForwardingStore(STORE) {
                    @Override
                    public Optional<StoredRecord> find(RecordId id) {
                        told.incrementAndGet();
                        return Optional.empty();
                    }
                },
                nanos::get,
                (store, delay, task) -> (delay.isZero() ? now : delay.compareTo(LONG) < 0 ? soon : later).add(task));

        @Operation
        public void add() {
            added.incrementAndGet();
            unrecorded.abandon(
                    OPERATION,
                    new Claim(ID, "pay", "1:x", "owner", LONG, Duration.ofDays(1), false),
                    StoreMessages.NOT_RUN_LATE);
            run(now);
        }

        @Operation
        public void hurry() {
            unrecorded.hurry();
            hurried = true;
            run(now);
        }

        @Validate
        public void everythingIsToldTwice() {
            run(now);
            nanos.set(LONG.toNanos() - 1);
            run(soon);
            if (hurried && unrecorded.backlog().calls() > 0) {
                throw new IllegalStateException(unrecorded.backlog() + " messages wait for an hour");
            }
            nanos.set(LONG.toNanos());
            run(later);
            run(now);
            if (told.get() != 2 * added.get() || unrecorded.backlog().calls() > 0) {
                throw new IllegalStateException(told + " told of " + added);
            }
        }
    }
}
