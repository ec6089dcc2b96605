package io.idempotency.runtime.engine;

import io.idempotency.runtime.store.IdempotencyStore;
import io.idempotency.runtime.store.Settled;
import io.idempotency.runtime.store.UnreadableRecordException;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Function;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What stores still have to be told, tried until they answer. A store that fails is not asked by many at once, however many
 * wait; and what is only good to have is not kept without a limit, so that an outage does not fill the heap. Thread-safe.
 */
final class RetryQueue {

    private static final Logger LOG = LoggerFactory.getLogger(RetryQueue.class);
    private static final Duration FIRST_DELAY = Duration.ofMillis(50);
    private static final Duration LONGEST_DELAY = Duration.ofSeconds(30);
    private static final Duration HURRIED_DELAY = Duration.ofMillis(100);
    private static final Duration GIVE_UP_AFTER = Duration.ofHours(24);

    /** Of the entries that are not {@link Weight#OUTCOME}. */
    static final int MOST_DISPENSABLE = 10_000;

    private final ExecutionServices services;
    private final Set<Entry> entries = ConcurrentHashMap.newKeySet();
    private final Map<IdempotencyStore, BoundedQueue> lanes = new ConcurrentHashMap<>();
    private final AtomicBoolean full = new AtomicBoolean();
    private final CompletableFuture<Void> empty = new CompletableFuture<>();
    private volatile boolean hurrying;
    private volatile boolean awaited;

    RetryQueue(ExecutionServices services) {
        this.services = services;
    }

    /** How much depends on it. */
    enum Weight {
        /** What became of a body that held its claim: never dropped. */
        OUTCOME,
        /** Saves an operator or a caller some waiting. */
        DISPENSABLE
    }

    /**
     * Something to tell.
     *
     * @param operation the operation's name
     * @param keyHash the key's hash
     * @param store whom
     * @param verb what; repeating it is harmless
     * @param weight how much depends on it
     */
    record Message(
            String operation,
            String keyHash,
            IdempotencyStore store,
            Function<IdempotencyStore, CompletionStage<Settled>> verb,
            Weight weight) {}

    /** Tells it after a delay, and again until it is answered; empty when it is given up. */
    CompletableFuture<Optional<Settled>> add(Message message, Duration delay) {
        Entry entry = new Entry(message);
        if (message.weight() == Weight.DISPENSABLE && entries.size() >= MOST_DISPENSABLE) {
            overflow(message.store());
            return CompletableFuture.completedFuture(Optional.empty());
        }
        full.set(false);
        entries.add(entry);
        entry.schedule(delay);
        return entry.answer;
    }

    /** Goes on after a first attempt that failed. */
    CompletableFuture<Optional<Settled>> addFailed(Message message, Throwable failure) {
        Entry entry = new Entry(message);
        entries.add(entry);
        entry.failed(failure);
        return entry.answer;
    }

    int size() {
        return entries.size();
    }

    /** From now on nothing is put off for long. */
    void hurry() {
        hurrying = true;
        entries.forEach(Entry::enqueue);
    }

    /** Completes when there is nothing to tell. To be asked once, when nothing new is added any more. */
    CompletionStage<Void> empty() {
        awaited = true;
        completeIfEmpty();
        return empty;
    }

    private void remove(Entry entry) {
        entries.remove(entry);
        completeIfEmpty();
    }

    private void completeIfEmpty() {
        if (awaited && entries.isEmpty()) {
            empty.complete(null);
        }
    }

    private void overflow(IdempotencyStore store) {
        if (full.compareAndSet(false, true)) {
            LOG.error(
                    "Store '{}' has failed {} calls that it has still to be told of; further ones are not kept. Claims of"
                            + " them that it did apply end in doubt, and outcomes of calls that went on without it are"
                            + " not recorded.",
                    store.name(),
                    MOST_DISPENSABLE);
        }
    }

    /** One message. */
    private final class Entry implements BoundedQueue.Task {
        private final Message message;
        private final CompletableFuture<Optional<Settled>> answer = new CompletableFuture<>();
        private final long since = services.nanoTime().getAsLong();
        private final BoundedQueue lane;
        private final AtomicBoolean waiting = new AtomicBoolean();
        private Duration delay = FIRST_DELAY;

        Entry(Message message) {
            this.message = message;
            this.lane = lanes.computeIfAbsent(message.store(), store -> new BoundedQueue());
            answer.whenComplete((settled, failure) -> remove(this));
        }

        /** Waiting is said before the hurry is asked for: either it is seen here, or this entry is seen waiting. */
        void schedule(Duration after) {
            waiting.set(true);
            boolean sooner = hurrying && after.compareTo(HURRIED_DELAY) > 0;
            try {
                services.timer().after(sooner ? HURRIED_DELAY : after, this::enqueue);
            } catch (RejectedExecutionException e) {
                giveUp(e); // the application shuts down
            }
        }

        /** Whoever comes first of the timer and the hurry: an attempt is due once. */
        private void enqueue() {
            if (waiting.compareAndSet(true, false)) {
                lane.add(this, message.weight() == Weight.OUTCOME);
            }
        }

        @Override
        public void start(Runnable done) {
            new StoreInvoker.Background(services.upkeep())
                    .ask(message.store(), message.verb())
                    .whenComplete((settled, failure) -> {
                        done.run();
                        if (failure == null) {
                            lane.answered();
                            answer.complete(Optional.of(settled));
                        } else {
                            failed(failure);
                        }
                    });
        }

        void failed(Throwable failure) {
            boolean hopeless = StoreInvoker.unwrapped(failure) instanceof UnreadableRecordException
                    || services.nanoTime().getAsLong() - since > GIVE_UP_AFTER.toNanos();
            if (hopeless) {
                giveUp(failure);
                return;
            }
            report(failure);
            schedule(delay);
            delay = delay.multipliedBy(2).compareTo(LONGEST_DELAY) < 0 ? delay.multipliedBy(2) : LONGEST_DELAY;
        }

        /** The stack trace once: it is the same one all through an outage. */
        private void report(Throwable failure) {
            boolean first = lane.failed();
            if (message.weight() == Weight.DISPENSABLE && !first) {
                return;
            }
            LOG.warn(
                    "Idempotent operation '{}' [key {}]: store '{}' could not record what became of the call; trying"
                            + " again in {}{}",
                    message.operation(),
                    message.keyHash(),
                    message.store().name(),
                    delay,
                    first ? "" : ": " + Failures.text(StoreInvoker.unwrapped(failure)),
                    first ? failure : null);
        }

        private void giveUp(Throwable failure) {
            LOG.error(
                    "Idempotent operation '{}' [key {}]: store '{}' cannot record what became of the call, and it is"
                            + " not tried again. Duplicates are refused as in progress, then as outcome unknown,"
                            + " until an operator settles the record.",
                    message.operation(),
                    message.keyHash(),
                    message.store().name(),
                    failure);
            answer.complete(Optional.empty());
        }
    }
}
