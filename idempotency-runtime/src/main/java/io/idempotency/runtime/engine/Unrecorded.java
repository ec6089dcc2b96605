package io.idempotency.runtime.engine;

import io.idempotency.runtime.call.Operation;
import io.idempotency.runtime.engine.PendingMessages.Entry;
import io.idempotency.runtime.engine.StoreMessages.Message;
import io.idempotency.runtime.failure.RedactedThrowable;
import io.idempotency.runtime.store.Claim;
import io.idempotency.runtime.store.IdempotencyStore;
import io.idempotency.runtime.store.RecordId;
import io.idempotency.runtime.store.ResultRejectedException;
import io.idempotency.runtime.store.Settled;
import io.idempotency.runtime.store.UnreadableRecordException;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.RejectedExecutionException;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Records the outcomes of calls in one store. The caller makes the first attempt; what the store does not take waits in
 * a queue, which one task at a time sends. A failed message goes to the end of the queue, and the queue
 * pauses: longer with each failure in a row, until the store takes a message. Bounded, so that an outage does not fill
 * the heap. A claim whose body ran is never released because recording failed. Thread-safe.
 */
final class Unrecorded {

    private static final Logger LOG = LoggerFactory.getLogger(Unrecorded.class);

    private static final Duration FIRST_PAUSE = Duration.ofMillis(50);
    private static final Duration LONGEST_PAUSE = Duration.ofSeconds(30);
    private static final Duration LONGEST_HURRIED = Duration.ofMillis(100);
    private static final Duration GIVE_UP_AFTER = Duration.ofHours(24);

    private final IdempotencyStore store;
    private final ExecutionServices services;
    private final CompletableFuture<@Nullable Void> empty = new CompletableFuture<>();
    private final CompletableFuture<@Nullable Void> dismissed = new CompletableFuture<>();

    /** Guarded by {@code this}, as are the following. */
    private final PendingMessages queue = new PendingMessages();

    private boolean sending;
    private boolean planned;
    private long plannedNanos;
    private long pausedUntilNanos;
    private Duration nextPause = FIRST_PAUSE;
    private Duration longestPause = LONGEST_PAUSE;

    /** Whether a caller's success has ended a pause since the store last took a message of the queue. */
    private boolean hastened;

    private boolean awaited;

    /** Whether the store failed since it last answered. */
    private volatile boolean failing;

    Unrecorded(IdempotencyStore store, ExecutionServices services) {
        this.store = store;
        this.services = services;
        this.pausedUntilNanos = services.time().nanos();
    }

    /**
     * Records the outcome of a body.
     *
     * @param mayWait whether to wait for a store that is away, within the operation's budget
     * @param afterwards gets the store's answer, however late; empty when the store is not asked any more
     * @return empty when the outcome is not recorded (yet), or can never be
     */
    Optional<Settled> record(
            ActiveClaim claim, OutcomeCommand verdict, boolean mayWait, Consumer<Optional<Settled>> afterwards) {
        Operation operation = claim.call().operation();
        Message message = StoreMessages.outcome(verdict, claim.ownership(), operation.policy());
        Optional<Settled> settled;
        try {
            settled = Optional.of(BlockingCalls.ofStore(() -> message.send(store)));
        } catch (Throwable e) { // a store may throw anything
            long now = services.time().nanos();
            Entry entry = new Entry(operation, claim.call().id(), true, message, now, afterwards);
            failed(entry, e, false);
            plan();
            CompletableFuture<?> end = CompletableFuture.anyOf(entry.answer, dismissed);
            long budget = mayWait ? operation.policy().settleBudget().toNanos() : 0;
            BlockingCalls.awaitEnd(services.time(), end, budget);
            return entry.answer.getNow(Optional.empty());
        }
        afterwards.accept(settled);
        if (failing) {
            answered(false);
            plan();
        }
        return settled;
    }

    /** Sends, in the background, a message without a claimed body's outcome. Drops it when the queue is full. */
    void later(Operation operation, RecordId id, Message message, Consumer<Optional<Settled>> afterwards) {
        keep(new Entry(operation, id, false, message, services.time().nanos(), afterwards), message);
        plan();
    }

    /**
     * Gives back a claim whose answer was lost. Looks for it at once and, unless the queue is full, once more after one
     * lease, because it may be applied late; if the application has shut down by then, it ends in doubt.
     *
     * @param late the reason for the doubt of a claim that is found when its lease is over
     */
    void abandon(Operation operation, Claim abandoned, String late) {
        Claim claim = abandoned.withoutArguments(); // the claim is kept for as long as the store is away
        Message look = StoreMessages.givingBack(claim, late);
        RecordId id = claim.id();
        Runnable again = () -> later(operation, id, look, second -> {});
        later(operation, id, look, first -> first.ifPresent(looked -> after(claim.lease(), again)));
    }

    /** Returns how much has still to be recorded. */
    synchronized IdempotencyEngine.Backlog backlog() {
        return new IdempotencyEngine.Backlog(queue.size(), queue.bytes());
    }

    /** Ends the pause, and shortens all later ones: the application shuts down. */
    void hurry() {
        synchronized (this) {
            longestPause = LONGEST_HURRIED;
            nextPause = shorter(nextPause, longestPause);
            pausedUntilNanos = services.time().nanos();
        }
        plan();
    }

    /** Returns a future that completes when the queue is empty. Called once, when no more messages are added. */
    synchronized CompletableFuture<@Nullable Void> empty() {
        awaited = true;
        completeIfEmpty();
        return empty;
    }

    private synchronized void completeIfEmpty() {
        if (awaited && queue.next() == null) {
            empty.complete(null);
        }
    }

    /** Lets no caller wait any longer, from now on. */
    void dismiss() {
        dismissed.complete(null);
    }

    /** Ends the pause: for each message that the store takes, but once for callers, as a message may fail alone. */
    private synchronized void answered(boolean queued) {
        failing = false;
        pausedUntilNanos = queued || !hastened ? services.time().nanos() : pausedUntilNanos;
        nextPause = queued ? FIRST_PAUSE : nextPause;
        hastened = !queued;
    }

    private void keep(Entry entry, Message message) {
        boolean kept;
        synchronized (this) {
            boolean full = queue.isFull();
            kept = queue.add(entry, message);
            if (!full && queue.isFull()) {
                LOG.error(
                        "Store '{}' is away, and what it has still to be told reached {} calls or {} bytes. Of further calls"
                                + " that ran only that is kept, without their results; of calls that it did not answer"
                                + " nothing is kept: their claims, where it did apply them, end in doubt.",
                        store.name(),
                        PendingMessages.MOST_KEPT,
                        PendingMessages.MOST_BYTES);
            }
        }
        if (!kept) {
            end(entry, Optional.empty());
        }
    }

    private void end(Entry entry, Optional<Settled> settled) {
        synchronized (this) {
            queue.remove(entry); // first, so that the message is not sent again whatever follows
        }
        entry.answer.complete(settled);
        entry.afterwards.accept(settled);
        completeIfEmpty();
    }

    /** Handles a failed attempt, the caller's own or one in the background. */
    private void failed(Entry entry, Throwable failure, boolean background) {
        boolean rejected = failure instanceof ResultRejectedException;
        Message lean = rejected
                ? entry.message.withoutResult("the store rejected it: " + Failures.text(failure))
                : entry.message;
        if (lean != entry.message) { // that the body ran is worth more than what it returned
            LOG.error(
                    "Idempotent operation '{}' [key {}]: store '{}' can never hold the result; it is recorded that the body"
                            + " ran, without its result: {}",
                    entry.operation,
                    entry.id,
                    store.name(),
                    Failures.text(failure),
                    shown(failure));
            keep(entry, lean);
        } else if (rejected
                || failure instanceof UnreadableRecordException
                || services.time().nanos() - entry.sinceNanos > GIVE_UP_AFTER.toNanos()) {
            LOG.error(
                    "Idempotent operation '{}' [key {}]: store '{}' cannot record what became of the call, and it is"
                            + " not tried again. Duplicates are refused as in progress, then as outcome unknown,"
                            + " until an operator settles the record.",
                    entry.operation,
                    entry.id,
                    store.name(),
                    shown(failure));
            end(entry, Optional.empty());
        } else {
            boolean first = !failing;
            failing = true;
            Duration pause = pause(background);
            if (entry.outcome || first) { // the stack trace once for an outage
                LOG.warn(
                        "Idempotent operation '{}' [key {}]: store '{}' could not record what became of the call; trying"
                                + " again in {}{}",
                        entry.operation,
                        entry.id,
                        store.name(),
                        pause,
                        first ? "" : ": " + Failures.text(failure),
                        first ? failure : null);
            }
            keep(entry, entry.message);
        }
    }

    /** Returns the exception in a form that may be logged: a database that rejects a value may quote it. */
    private static @Nullable Throwable shown(Throwable failure) {
        return failure instanceof ResultRejectedException ? RedactedThrowable.of(failure) : failure;
    }

    /** Begins a pause. A caller's failure begins only the first: each of many would lengthen it. */
    private synchronized Duration pause(boolean background) {
        long now = services.time().nanos();
        if (background) {
            double jittered = nextPause.toNanos() * (0.5 + services.jitter().getAsDouble() / 2);
            pausedUntilNanos = now + (long) jittered;
            nextPause = shorter(nextPause.multipliedBy(2), longestPause);
        } else if (pausedUntilNanos - now <= 0) {
            pausedUntilNanos = now + FIRST_PAUSE.toNanos();
        }
        return Duration.ofNanos(pausedUntilNanos - now);
    }

    private static Duration shorter(Duration one, Duration other) {
        return one.compareTo(other) < 0 ? one : other;
    }

    /** Plans the sending of the queue after the pause, unless it is planned early enough or under way. */
    private void plan() {
        Duration delay;
        synchronized (this) {
            long now = services.time().nanos();
            long due = pausedUntilNanos - now > 0 ? pausedUntilNanos : now;
            if (queue.next() == null || sending || planned && plannedNanos - due <= 0) {
                return; // the task that sends plans the next one
            }
            planned = true;
            plannedNanos = due;
            delay = Duration.ofNanos(due - now);
        }
        after(delay, this::drain);
    }

    private void after(Duration delay, Runnable task) {
        try {
            services.maintenance().after(store, delay, task);
        } catch (RejectedExecutionException e) {
            LOG.debug("Store '{}' is told nothing any more: the application has shut down", store.name(), e);
        }
    }

    /** Sends the queue on the store's maintenance thread, up to its end or the next pause. */
    private void drain() {
        synchronized (this) {
            planned = planned && plannedNanos - services.time().nanos() > 0;
            if (sending) {
                return;
            }
            sending = true;
        }
        try {
            for (Entry next = due(); next != null; next = due()) {
                attempt(next);
            }
        } finally {
            synchronized (this) {
                sending = false;
            }
            plan();
        }
    }

    /** Returns the next message, and leaves it in the queue; null when there is none, or a pause lasts. */
    private synchronized @Nullable Entry due() {
        return pausedUntilNanos - services.time().nanos() > 0 ? null : queue.next();
    }

    private void attempt(Entry entry) {
        Settled settled;
        try {
            settled = entry.message.send(store);
        } catch (Throwable e) { // a store may throw anything
            failed(entry, e, true);
            return;
        }
        answered(true);
        end(entry, Optional.of(settled));
    }
}
