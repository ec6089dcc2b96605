package io.idempotency.runtime.engine;

import io.idempotency.runtime.store.Settled;
import java.util.Comparator;
import java.util.Optional;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * The messages that a {@link RetryQueue} keeps, by the moment at which they are due, and how much memory they take. Guarded by
 * the queue.
 */
final class KeptMessages {

    /** Of the entries that are not {@link RetryQueue.Weight#OUTCOME}; and of outcomes that keep their results. */
    static final int MOST_KEPT = 10_000;

    /** Of results, per store. */
    static final long MOST_BYTES = Math.min(64L << 20, Runtime.getRuntime().maxMemory() / 16);

    private static final String NO_MEMORY = "there was not enough memory to keep it while the store was away";

    private final TreeSet<Entry> outcomes = new TreeSet<>(Entry.BY_DUE_TIME);
    private final TreeSet<Entry> dispensable = new TreeSet<>(Entry.BY_DUE_TIME);
    private final Runnable overflow;
    private @Nullable Entry last;
    private long numbered;
    private long bytes;
    private int size;
    private boolean full;

    /**
     * None yet.
     *
     * @param overflow told once, when what was kept before is too much to keep all of the next one
     */
    KeptMessages(Runnable overflow) {
        this.overflow = overflow;
    }

    /** One message on its way. */
    static final class Entry {
        /** Differences, because {@code System.nanoTime} may overflow. */
        private static final Comparator<Entry> BY_DUE_TIME = (one, other) -> one.dueNanos == other.dueNanos
                ? Long.compare(one.number, other.number)
                : Long.signum(one.dueNanos - other.dueNanos);

        private final RetryQueue.Message message;
        private final long sinceNanos;
        private final CompletableFuture<Optional<Settled>> answer = new CompletableFuture<>();
        private volatile RetryQueue.Verb verb;

        /** Guarded by the queue, as the rest. */
        private boolean kept;

        private int bytes;
        private long dueNanos;
        private long number;
        private @Nullable Entry before;
        private @Nullable Entry after;

        Entry(RetryQueue.Message message, RetryQueue.Verb verb, long sinceNanos) {
            this.message = message;
            this.verb = verb;
            this.sinceNanos = sinceNanos;
        }

        RetryQueue.Message message() {
            return message;
        }

        long sinceNanos() {
            return sinceNanos;
        }

        RetryQueue.Verb verb() {
            return verb;
        }

        /** Empty when it is given up. */
        CompletableFuture<Optional<Settled>> answer() {
            return answer;
        }

        boolean isKept() {
            return kept;
        }
    }

    int size() {
        return size;
    }

    long bytes() {
        return bytes;
    }

    /** False for one that has to be dropped: there are too many of those that nothing depends on. */
    boolean accepts(Entry entry) {
        boolean accepted =
                entry.message.weight() == RetryQueue.Weight.OUTCOME || entry.kept || dispensable.size() < MOST_KEPT;
        if (!accepted) {
            overflowed();
        }
        return accepted;
    }

    /** Behind those that are due at the same time. What does not fit into memory keeps that the body ran, and no more. */
    void keep(Entry entry, long dueNanos) {
        of(entry).remove(entry);
        if (!entry.kept) {
            link(entry);
            int wanted = entry.verb.bytes();
            if (wanted > 0 && (bytes + wanted > MOST_BYTES || outcomes.size() >= MOST_KEPT)) {
                entry.verb = entry.verb.withoutResult(NO_MEMORY);
                overflowed();
            }
            entry.bytes = entry.verb.bytes();
            bytes += entry.bytes;
        }
        entry.dueNanos = dueNanos;
        entry.number = ++numbered;
        of(entry).add(entry);
    }

    /** All but the one that is under way. */
    void keepAll(long dueNanos, @Nullable Entry underWay) {
        for (Entry entry = last; entry != null; entry = entry.before) {
            if (entry != underWay) {
                keep(entry, dueNanos);
            }
        }
    }

    /** Puts back what an Error left without a time at which it is due: for a new place in a set there may be no memory. */
    void restore(@Nullable Entry underWay) {
        Entry before;
        for (Entry entry = last; entry != null; entry = before) {
            before = entry.before;
            if (entry.answer.isDone()) {
                remove(entry);
            } else if (entry != underWay) {
                of(entry).add(entry);
            }
        }
    }

    /** Takes no memory, so that whatever fails afterwards the message is not lost. */
    private void link(Entry entry) {
        entry.kept = true;
        size++;
        entry.before = last;
        if (last != null) {
            last.after = entry;
        }
        last = entry;
    }

    private void unlink(Entry entry) {
        entry.kept = false;
        size--;
        if (entry.before != null) {
            entry.before.after = entry.after;
        }
        if (entry.after != null) {
            entry.after.before = entry.before;
        } else {
            last = entry.before;
        }
        entry.before = null;
        entry.after = null;
    }

    void lighten(Entry entry, RetryQueue.Verb lean) {
        entry.verb = lean;
        bytes -= entry.bytes;
        entry.bytes = 0;
    }

    void remove(Entry entry) {
        of(entry).remove(entry);
        if (entry.kept) {
            unlink(entry);
            bytes -= entry.bytes;
        }
        full = full && size > 0;
    }

    /** What is due by now, outcomes first; it stays counted until it is removed. Null when nothing is. */
    @Nullable
    Entry pollDue(long now) {
        TreeSet<Entry> first = isDue(outcomes, now) ? outcomes : dispensable;
        return isDue(first, now) ? first.pollFirst() : null;
    }

    /** When something is due next; null when there is nothing. */
    @Nullable
    Long next() {
        Long one = next(outcomes);
        Long other = next(dispensable);
        return one == null || other != null && other - one < 0 ? other : one;
    }

    private TreeSet<Entry> of(Entry entry) {
        return entry.message.weight() == RetryQueue.Weight.OUTCOME ? outcomes : dispensable;
    }

    private void overflowed() {
        if (!full) {
            full = true;
            overflow.run();
        }
    }

    private static boolean isDue(TreeSet<Entry> entries, long now) {
        return !entries.isEmpty() && entries.first().dueNanos - now <= 0;
    }

    private static @Nullable Long next(TreeSet<Entry> entries) {
        return entries.isEmpty() ? null : entries.first().dueNanos;
    }
}
