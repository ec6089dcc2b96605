package io.idempotency.runtime.engine;

import io.idempotency.runtime.engine.KeptMessages.Entry;
import io.idempotency.runtime.store.IdempotencyStore;
import io.idempotency.runtime.store.RecordId;
import io.idempotency.runtime.store.ResultRejectedException;
import io.idempotency.runtime.store.Settled;
import io.idempotency.runtime.store.UnreadableRecordException;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/**
 * What one store still has to be told, tried until it answers: one attempt at a time, outcomes of bodies first, and after a
 * failure the store rests. What is kept meanwhile is bounded, so that an outage does not fill the heap. Thread-safe.
 */
final class RetryQueue {

    private static final Duration FIRST_REST = Duration.ofMillis(50);
    private static final Duration LONGEST_REST = Duration.ofSeconds(30);
    private static final Duration HURRIED_REST = Duration.ofMillis(100);
    private static final Duration GIVE_UP_AFTER = Duration.ofHours(24);
    private static final Duration HEARTBEAT = Duration.ofSeconds(5);

    /** An attempt that takes longer is not waited for; its answer still counts. */
    private static final Duration LONGEST_ATTEMPT = Duration.ofMinutes(1);

    private static final Duration LONGEST_HURRIED_ATTEMPT = Duration.ofSeconds(2);

    private final ExecutionServices services;
    private final IdempotencyStore store;

    private final RetryReports reports;

    /** Guarded by this, as the rest. */
    private final KeptMessages kept;

    private final CompletableFuture<Void> empty = new CompletableFuture<>();
    private @Nullable Entry attempt;
    private long attemptSince;
    private volatile boolean failing;
    private boolean beating;
    private boolean hurrying;
    private boolean awaited;
    private volatile boolean resting;
    private long restUntil;
    private Duration rest = FIRST_REST;
    private @Nullable Long wakeAt;

    RetryQueue(ExecutionServices services, IdempotencyStore store) {
        this.services = services;
        this.store = store;
        this.reports = new RetryReports(store);
        this.kept = new KeptMessages(reports::full);
    }

    /** How much depends on it. */
    enum Weight {
        /** What became of a body that held its claim: never dropped. */
        OUTCOME,
        /** Saves an operator or a caller some waiting. */
        DISPENSABLE
    }

    /** What the store is told; repeating it is harmless. It holds no arguments and no results but those it sends. */
    @FunctionalInterface
    interface Verb {
        CompletionStage<Settled> tell(IdempotencyStore store);

        /** How much memory its result takes. */
        default int bytes() {
            return 0;
        }

        /** The same without the result; itself when there is none to leave out. */
        default Verb withoutResult(String reason) {
            return this;
        }
    }

    /**
     * Something to tell.
     *
     * @param operation the operation's name
     * @param id the record
     * @param weight how much depends on it
     */
    record Message(String operation, RecordId id, Weight weight) {}

    /** Not kept here before it is put off, or its first attempt has failed. */
    Entry entry(Message message, Verb verb) {
        return new Entry(message, verb, now());
    }

    /** The first attempt is over, or a later one. */
    void ended(Entry entry, @Nullable Settled settled, @Nullable Throwable failure) {
        try {
            if (failure == null) {
                answered(entry);
                end(entry, Optional.ofNullable(settled));
            } else {
                failed(entry, StoreInvoker.unwrapped(failure));
            }
        } catch (Throwable e) { // without memory, for instance: telling it again is harmless, forgetting it is not
            synchronized (this) {
                over(entry);
            }
            putOff(entry, FIRST_REST);
            throw e;
        }
    }

    /** Tells it after a delay, and again until it is answered. */
    void putOff(Entry entry, Duration delay) {
        boolean dropped;
        synchronized (this) {
            dropped = !kept.accepts(entry);
            if (!dropped && !entry.answer().isDone()) {
                kept.keep(entry, now() + (hurrying ? shorter(delay, HURRIED_REST) : delay).toNanos());
            }
        }
        if (dropped) {
            end(entry, Optional.empty());
        }
        beat();
        wake();
    }

    /** What the budget of a caller did not suffice for: its first attempt has all the time that another one would have. */
    void putOff(Entry entry) {
        boolean itsFirst;
        synchronized (this) {
            itsFirst = !entry.isKept();
        }
        if (itsFirst) {
            putOff(entry, LONGEST_ATTEMPT);
        }
    }

    synchronized int size() {
        return kept.size();
    }

    synchronized IdempotencyEngine.Backlog backlog() {
        return new IdempotencyEngine.Backlog(kept.size(), kept.bytes());
    }

    /** From now on nothing is put off for long. */
    void hurry() {
        synchronized (this) {
            hurrying = true;
            resting = false;
            wakeAt = null;
            kept.keepAll(now(), attempt);
        }
        drain();
    }

    /** Completes when there is nothing to tell. To be asked once, when nothing new is added any more. */
    CompletionStage<Void> empty() {
        boolean now;
        synchronized (this) {
            awaited = true;
            now = kept.size() == 0;
        }
        if (now) {
            empty.complete(null);
        }
        return empty;
    }

    private long now() {
        return services.nanoTime().getAsLong();
    }

    /** Nothing is to be told any more. */
    private void end(Entry entry, Optional<Settled> settled) {
        entry.answer().complete(settled);
        change(() -> kept.remove(entry));
    }

    /** The thread that waits for the last one is woken. */
    private void change(Runnable change) {
        boolean last;
        synchronized (this) {
            change.run();
            last = awaited && kept.size() == 0;
        }
        if (last) {
            empty.complete(null);
        }
    }

    /** The store is there: nothing need rest any longer. Also said by those who told it something without this queue. */
    void answered() {
        if (resting || failing) {
            synchronized (this) {
                resting = false;
                failing = false;
                rest = FIRST_REST;
            }
            wake();
        }
    }

    private void answered(Entry entry) {
        synchronized (this) {
            over(entry);
            kept.remove(entry); // at once: a flush would tell it again
            failing = false;
            rest = FIRST_REST;
            resting = false;
        }
    }

    /** True when it was the queue's own attempt. */
    private boolean over(Entry entry) {
        boolean own = attempt == entry;
        if (own) {
            attempt = null;
        }
        return own;
    }

    private void failed(Entry entry, Throwable failure) {
        if (failure instanceof ResultRejectedException && withoutResult(entry, failure)) {
            return;
        }
        if (failure instanceof UnreadableRecordException
                || failure instanceof ResultRejectedException
                || now() - entry.sinceNanos() > GIVE_UP_AFTER.toNanos()) {
            synchronized (this) {
                over(entry);
            }
            reports.givenUp(entry.message(), failure);
            end(entry, Optional.empty());
            return;
        }
        boolean first;
        Duration pause = FIRST_REST;
        synchronized (this) {
            first = !failing;
            failing = true;
            if (over(entry)) { // callers that fail at the same time do not make the rest longer
                pause = restNow();
            }
        }
        reports.failed(entry.message(), failure, first, pause);
        putOff(entry, pause);
    }

    private Duration restNow() {
        Duration length = hurrying ? HURRIED_REST : rest;
        long nanos = (long) (length.toNanos() * (0.5 + services.jitter().getAsDouble() / 2));
        restUntil = now() + nanos;
        resting = true;
        rest = shorter(rest.multipliedBy(2), LONGEST_REST);
        return Duration.ofNanos(nanos);
    }

    private static Duration shorter(Duration one, Duration other) {
        return one.compareTo(other) < 0 ? one : other;
    }

    /** That the body ran is worth more than what it returned. False when there is nothing to leave out. */
    private boolean withoutResult(Entry entry, Throwable failure) {
        Verb lean = entry.verb().withoutResult("the store rejected it: " + Failures.text(failure));
        if (lean.equals(entry.verb())) {
            return false;
        }
        reports.withoutResult(entry.message(), failure);
        synchronized (this) {
            over(entry);
            kept.lighten(entry, lean);
        }
        putOff(entry, Duration.ZERO);
        return true;
    }

    /** Starts what is due. Never on a caller's thread: it has its own store to ask, and the queue may be long. */
    private void drain() {
        startDue();
        wake();
    }

    /** A loop for attempts that end at once; the others go on here when they have ended. */
    private void startDue() {
        for (Entry next = begin(); next != null; next = begin()) {
            Entry entry = next;
            CompletableFuture<Settled> told = StoreInvoker.inBackground(
                            services.upkeep().retries(store), store, entry.verb()::tell)
                    .toCompletableFuture();
            if (told.isCompletedExceptionally()) {
                ended(entry, null, told.handle((settled, failure) -> failure).join());
            } else if (told.isDone()) {
                ended(entry, told.join(), null);
            } else {
                told.whenComplete((settled, failure) -> {
                    ended(entry, settled, failure);
                    drain();
                });
                return;
            }
        }
    }

    /** Null when nothing is due, or an attempt is under way. */
    private synchronized @Nullable Entry begin() {
        long now = now();
        wakeAt = wakeAt != null && wakeAt - now <= 0 ? null : wakeAt;
        Duration patience = hurrying ? LONGEST_HURRIED_ATTEMPT : LONGEST_ATTEMPT;
        if (attempt != null && now - attemptSince < patience.toNanos()) {
            return null;
        }
        if (attempt != null && !attempt.answer().isDone()) {
            kept.keep(attempt, now);
        }
        attempt = null;
        Entry next = resting && restUntil - now > 0 ? null : kept.pollDue(now);
        if (next != null) {
            resting = false;
            attempt = next;
            attemptSince = now;
        }
        return next;
    }

    /** Asks the timer for the next moment at which something is due, unless it was asked already. */
    private void wake() {
        Duration pause = untilNext();
        if (pause == null) {
            return;
        }
        try {
            services.timer().after(pause, this::drain);
        } catch (Throwable e) { // closed, or without memory: then the heartbeat or the shutdown does it
            synchronized (this) {
                wakeAt = null;
            }
        }
    }

    private synchronized @Nullable Duration untilNext() {
        long now = now();
        Long next = kept.next();
        if (next == null || attempt != null) {
            return null; // the thread that ends the attempt looks again
        }
        long earliest = resting && restUntil - now > 0 ? restUntil : now;
        long due = next - earliest > 0 ? next : earliest;
        if (wakeAt != null && wakeAt - due <= 0) {
            return null;
        }
        wakeAt = due;
        return Duration.ofNanos(due - now);
    }

    /** Goes on by itself, so that nothing that is lost on the way (a task, an answer, a wake-up, a place in the order) stops the queue for good. */
    private void beat() {
        synchronized (this) {
            if (beating || kept.size() == 0) {
                return;
            }
            beating = true;
        }
        try {
            services.timer().every(HEARTBEAT, () -> {
                change(() -> kept.restore(attempt));
                drain();
                return beats();
            });
        } catch (Throwable e) { // closed, or without memory: the next one that is put off tries again
            synchronized (this) {
                beating = false;
            }
        }
    }

    private synchronized boolean beats() {
        beating = kept.size() > 0;
        return beating;
    }
}
