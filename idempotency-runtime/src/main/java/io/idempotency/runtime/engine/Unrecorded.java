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
 * Records the outcomes of calls in one store. The caller makes the first attempt; what the store does not take is sent
 * again in the background: one attempt at a time, outcomes of bodies first, with growing pauses, and bounded, so that
 * an outage does not fill the heap. A claim whose body ran is never released because recording failed. Thread-safe.
 */
final class Unrecorded {

    private static final Logger LOG = LoggerFactory.getLogger(Unrecorded.class);

    private static final Duration GIVE_UP_AFTER = Duration.ofHours(24);

    private final IdempotencyStore store;
    private final ExecutionServices services;

    /** Guarded by {@code this}, as are the following. */
    private final PendingMessages kept = new PendingMessages();

    private final GrowingPause pause = new GrowingPause();
    private final CompletableFuture<@Nullable Void> empty = new CompletableFuture<>();
    private @Nullable Entry attempt;
    private volatile boolean failing;
    private boolean awaited;
    private boolean dismissed;
    private boolean woken;
    private long wakeAtNanos;

    Unrecorded(IdempotencyStore store, ExecutionServices services) {
        this.store = store;
        this.services = services;
    }

    /**
     * Records the outcome of a body, and waits for the store within the operation's budget.
     *
     * @param afterwards runs when the store has answered, or is not asked any more
     * @return empty when the outcome is not recorded (yet): the budget ran out, or the store can never record it
     */
    @SuppressWarnings("CatchingUnchecked") // a store may throw anything
    Optional<Settled> record(ActiveClaim claim, OutcomeCommand verdict, Runnable afterwards) {
        Operation operation = claim.call().operation();
        Message message = StoreMessages.outcome(verdict, claim.ownership(), operation.policy());
        Settled settled;
        try {
            settled = BlockingCalls.ofStore(() -> message.send(store));
        } catch (Throwable e) {
            long now = services.time().nanos();
            Entry entry = new Entry(operation, claim.call().id(), true, message, now, come -> afterwards.run());
            failed(entry, e, GrowingPause.FIRST);
            return answer(entry, operation.policy().settleBudget());
        }
        afterwards.run();
        answered();
        return Optional.of(settled);
    }

    private Optional<Settled> answer(Entry entry, Duration budget) {
        synchronized (this) {
            if (dismissed) {
                entry.answer.complete(Optional.empty());
            }
        }
        BlockingCalls.awaitEnd(services.time(), entry.answer, budget.toNanos());
        return entry.answer.getNow(Optional.empty());
    }

    /** Sends, in the background, a message without a claimed body's outcome. Drops it when the backlog is full. */
    void later(Operation operation, RecordId id, Message message, Consumer<Optional<Settled>> afterwards) {
        keep(entry(operation, id, message, afterwards), Duration.ZERO);
    }

    private Entry entry(Operation operation, RecordId id, Message message, Consumer<Optional<Settled>> afterwards) {
        return new Entry(operation, id, false, message, services.time().nanos(), afterwards);
    }

    /** Gives back a claim whose answer was lost. Looks for it at once and after one lease: it may be applied late. */
    void abandon(Operation operation, Claim abandoned) {
        Claim claim = abandoned.withoutArguments(); // the claim is kept for as long as the store is away
        Message look = StoreMessages.givingBack(claim);
        RecordId id = claim.id();
        later(operation, id, look, first -> keep(entry(operation, id, look, second -> {}), claim.lease()));
    }

    /** Returns how much has still to be recorded. */
    synchronized IdempotencyEngine.Backlog backlog() {
        return new IdempotencyEngine.Backlog(kept.size(), kept.bytes());
    }

    /** Shortens all pauses from now on: the application shuts down. */
    void hurry() {
        synchronized (this) {
            pause.hurry();
            kept.allDue(services.time().nanos());
        }
        wake();
    }

    /** Returns a future that completes when the backlog is empty. Called once, when no more messages are added. */
    CompletableFuture<@Nullable Void> empty() {
        synchronized (this) {
            awaited = true;
        }
        completeIfEmpty();
        return empty;
    }

    private void completeIfEmpty() {
        boolean last;
        synchronized (this) {
            last = awaited && kept.size() == 0;
        }
        if (last) {
            empty.complete(null);
        }
    }

    /** Lets no caller wait any longer, from now on. */
    synchronized void dismiss() {
        dismissed = true;
        kept.entries().forEach(entry -> entry.answer.complete(Optional.empty()));
    }

    /** Ends the pause, because the store has answered. */
    private void answered() {
        if (pause.isBegun() || failing) {
            synchronized (this) {
                failing = false;
                pause.end();
            }
            wake();
        }
    }

    private void keep(Entry entry, Duration delay) {
        boolean accepted;
        synchronized (this) {
            boolean full = kept.isFull();
            accepted = kept.add(
                    entry, services.time().nanos() + pause.shortened(delay).toNanos());
            if (!full && kept.isFull()) {
                LOG.error(
                        "Store '{}' is away, and what it has still to be told reached {} calls or {} bytes. Of further calls"
                                + " that ran only that is kept, without their results; of calls that it did not answer"
                                + " nothing is kept: their claims, where it did apply them, end in doubt.",
                        store.name(),
                        PendingMessages.MOST_KEPT,
                        PendingMessages.MOST_BYTES);
            }
        }
        if (accepted) {
            wake();
        } else {
            end(entry, Optional.empty());
        }
    }

    private void end(Entry entry, Optional<Settled> settled) {
        synchronized (this) {
            kept.remove(entry);
        }
        entry.answer.complete(settled);
        entry.afterwards.accept(settled);
        completeIfEmpty();
    }

    /** Handles a failed attempt, the caller's own or one in the background. */
    private void failed(Entry entry, Throwable failure, Duration delay) {
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
            entry.message = lean;
            keep(entry, Duration.ZERO);
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
            report(entry, failure, first, delay);
            keep(entry, delay);
        }
    }

    /** Returns the exception in a form that may be logged: a database that rejects a value may quote it. */
    private static @Nullable Throwable shown(Throwable failure) {
        return failure instanceof ResultRejectedException ? RedactedThrowable.of(failure) : failure;
    }

    /** Logs a failed attempt, with the stack trace once for an outage. */
    private void report(Entry entry, Throwable failure, boolean first, Duration delay) {
        if (entry.outcome || first) {
            LOG.warn(
                    "Idempotent operation '{}' [key {}]: store '{}' could not record what became of the call; trying"
                            + " again in {}{}",
                    entry.operation,
                    entry.id,
                    store.name(),
                    delay,
                    first ? "" : ": " + Failures.text(failure),
                    first ? failure : null);
        }
    }

    /** Sends the due messages on the store's maintenance thread. A failed message does not stop the others. */
    private void drain() {
        try {
            for (Entry next = begin(); next != null; next = begin()) {
                try {
                    attempt(next);
                } finally {
                    over(next, false);
                }
            }
        } finally {
            wake();
        }
    }

    @SuppressWarnings("CatchingUnchecked") // a store may throw anything
    private void attempt(Entry entry) {
        Settled settled;
        try {
            settled = entry.message.send(store);
        } catch (Throwable e) {
            failed(entry, e, rest());
            return;
        }
        over(entry, true); // first, so that the message is not sent again whatever follows
        answered();
        end(entry, Optional.of(settled));
    }

    /** Returns the next message that is due; null when there is none, or an attempt is under way. */
    private synchronized @Nullable Entry begin() {
        long now = services.time().nanos();
        woken = woken && wakeAtNanos - now > 0;
        if (attempt != null || pause.lasts(now)) {
            return null;
        }
        attempt = kept.firstDue(now);
        return attempt;
    }

    private synchronized void over(Entry entry, boolean recorded) {
        attempt = attempt == entry ? null : attempt;
        if (recorded) {
            kept.remove(entry);
        }
    }

    /** Begins the next pause. Callers do not: each of those that fail at the same time would lengthen it. */
    private synchronized Duration rest() {
        return pause.begin(services.time().nanos(), services.jitter().getAsDouble());
    }

    /** Plans the next look for due messages, unless an early enough one is planned. */
    private void wake() {
        Duration delay;
        synchronized (this) {
            Long due = kept.nextDue();
            if (due == null || attempt != null) {
                return; // the thread that ends the attempt looks again
            }
            long now = services.time().nanos();
            long earliest = pause.notBeforeEnd(due);
            if (woken && wakeAtNanos - earliest <= 0) {
                return;
            }
            woken = true;
            wakeAtNanos = earliest;
            delay = Duration.ofNanos(Math.max(0, earliest - now));
        }
        try {
            services.maintenance().after(store, delay, this::drain);
        } catch (RejectedExecutionException e) {
            LOG.debug("Store '{}' is told nothing any more: the application has shut down", store.name(), e);
        }
    }
}
