package io.idempotency.runtime.engine;

import io.idempotency.runtime.call.Operation;
import io.idempotency.runtime.store.RecordId;
import io.idempotency.runtime.store.Settled;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** The messages that a store has not taken yet, by due time and within bounds. Guarded by {@link Unrecorded}. */
final class PendingMessages {

    /** The most messages that record no outcome of a claimed body, and the most outcomes that keep their results. */
    static final int MOST_KEPT = 10_000;

    /** The most bytes of results, for one store. */
    static final long MOST_BYTES = Math.min(64L << 20, Runtime.getRuntime().maxMemory() / 16);

    private static final String NO_MEMORY = "there was not enough memory to keep it while the store was away";

    /** Compares differences, because {@code System.nanoTime} may overflow. */
    private static final Comparator<Entry> BY_DUE_TIME = (one, other) -> one.dueNanos == other.dueNanos
            ? Long.compare(one.number, other.number)
            : Long.signum(one.dueNanos - other.dueNanos);

    /** One message that the store has not taken. */
    static final class Entry {
        final String operation;
        final RecordId id;

        /** Whether the message records the outcome of a claimed body; such a message is never dropped. */
        final boolean outcome;

        final long sinceNanos;
        final Consumer<Optional<Settled>> afterwards;

        /** Completes with the store's answer; empty when the message is given up or the caller stops waiting. */
        final CompletableFuture<Optional<Settled>> answer = new CompletableFuture<>();

        volatile StoreMessages.Message message;

        /** Guarded by {@link Unrecorded}, as are the following. */
        private long dueNanos;

        private long number;

        /** The size of the message's result, in bytes; negative while the message is not in the backlog. */
        private int keptBytes = -1;

        Entry(
                Operation operation,
                RecordId id,
                boolean outcome,
                StoreMessages.Message message,
                long sinceNanos,
                Consumer<Optional<Settled>> afterwards) {
            this.operation = operation.name();
            this.id = id;
            this.outcome = outcome;
            this.message = message;
            this.sinceNanos = sinceNanos;
            this.afterwards = afterwards;
        }
    }

    private final TreeSet<Entry> outcomes = new TreeSet<>(BY_DUE_TIME);
    private final TreeSet<Entry> others = new TreeSet<>(BY_DUE_TIME);
    private long numbered;
    private long bytes;
    private boolean full;

    int size() {
        return outcomes.size() + others.size();
    }

    long bytes() {
        return bytes;
    }

    /** Tells whether a message or result was dropped since the backlog was last empty. */
    boolean isFull() {
        return full;
    }

    /** Adds a message, or puts it back for another attempt. Returns false when it has to be dropped. */
    boolean add(Entry entry, long dueNanos) {
        boolean kept = entry.keptBytes >= 0;
        remove(entry);
        if (!kept && !entry.outcome && others.size() >= MOST_KEPT) {
            full = true;
            return false;
        }
        int wanted = entry.message.bytes();
        if (!kept && wanted > 0 && (bytes + wanted > MOST_BYTES || outcomes.size() >= MOST_KEPT)) {
            entry.message = entry.message.withoutResult(NO_MEMORY);
            full = true;
        }
        entry.keptBytes = entry.message.bytes();
        bytes += entry.keptBytes;
        put(entry, dueNanos);
        return true;
    }

    private void put(Entry entry, long dueNanos) {
        entry.dueNanos = dueNanos;
        entry.number = ++numbered;
        of(entry).add(entry);
    }

    void remove(Entry entry) {
        if (entry.keptBytes >= 0) {
            of(entry).remove(entry);
            bytes -= entry.keptBytes;
            entry.keptBytes = -1;
            full = full && size() > 0;
        }
    }

    /** Makes all messages due. */
    void allDue(long now) {
        for (Entry entry : entries().toList()) {
            of(entry).remove(entry);
            put(entry, now);
        }
    }

    Stream<Entry> entries() {
        return Stream.of(outcomes, others).flatMap(entries -> List.copyOf(entries).stream());
    }

    /** Returns the first message that is due, outcomes first, and leaves it in the backlog; null when none is due. */
    @Nullable
    Entry firstDue(long now) {
        if (isDue(outcomes, now)) {
            return outcomes.first();
        }
        return isDue(others, now) ? others.first() : null;
    }

    private static boolean isDue(TreeSet<Entry> entries, long now) {
        return !entries.isEmpty() && entries.first().dueNanos - now <= 0;
    }

    /** Returns when the next message is due; null when there is none. */
    @Nullable
    Long nextDue() {
        if (outcomes.isEmpty() || others.isEmpty()) {
            return size() == 0 ? null : (Long) (outcomes.isEmpty() ? others : outcomes).first().dueNanos;
        }
        long one = outcomes.first().dueNanos;
        long other = others.first().dueNanos;
        return one - other <= 0 ? one : other;
    }

    private TreeSet<Entry> of(Entry entry) {
        return entry.outcome ? outcomes : others;
    }
}
