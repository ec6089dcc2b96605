package io.idempotency.runtime.engine;

import io.idempotency.runtime.call.Operation;
import io.idempotency.runtime.store.RecordId;
import io.idempotency.runtime.store.Settled;
import java.util.LinkedHashSet;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** The messages that a store has not taken yet, within bounds. Guarded by {@link Unrecorded}. */
final class PendingMessages {

    /** The most messages that record no outcome of a claimed body. */
    static final int MOST_KEPT = 10_000;

    /** The most bytes of results, for one store. */
    static final long MOST_BYTES = Math.min(64L << 20, Runtime.getRuntime().maxMemory() / 16);

    private static final String NO_MEMORY = "there was not enough memory to keep it while the store was away";

    private final Set<Entry> outcomes = new LinkedHashSet<>();
    private final Set<Entry> others = new LinkedHashSet<>();
    private boolean othersTurn;
    private long bytes;
    private boolean full;

    /** One message that the store has not taken. */
    static final class Entry {
        final String operation;
        final RecordId id;

        /** Whether the message records the outcome of a claimed body; such a message is never dropped. */
        final boolean outcome;

        final long sinceNanos;
        final Consumer<Optional<Settled>> afterwards;

        /** Completes with the store's answer; empty when the message is given up. */
        final CompletableFuture<Optional<Settled>> answer = new CompletableFuture<>();

        volatile StoreMessages.Message message;

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

    /**
     * Returns the next message, and leaves it there; null when there is none. Outcomes and other messages take turns, each
     * in order: ten thousand claims to give back must not delay an outcome, nor one outcome that fails the claims.
     */
    @Nullable
    Entry next() {
        Set<Entry> next = outcomes.isEmpty() || othersTurn && !others.isEmpty() ? others : outcomes;
        return next.isEmpty() ? null : next.iterator().next();
    }

    private Set<Entry> alike(Entry entry) {
        return entry.outcome ? outcomes : others;
    }

    /** Appends a message, without a result that does not fit, or puts it at the end again. Returns false when it is full. */
    boolean add(Entry entry, StoreMessages.Message message) {
        boolean wasFull = full;
        boolean known = remove(entry);
        boolean kept = known || entry.outcome || others.size() < MOST_KEPT;
        boolean fits = known || bytes + message.bytes() <= MOST_BYTES;
        entry.message = fits ? message : message.withoutResult(NO_MEMORY);
        full = wasFull || !kept || !fits;
        if (kept) {
            alike(entry).add(entry);
            bytes += entry.message.bytes();
        }
        return kept;
    }

    /** Returns whether the message was there. */
    boolean remove(Entry entry) {
        boolean removed = alike(entry).remove(entry);
        if (removed) {
            othersTurn = entry.outcome;
            bytes -= entry.message.bytes();
            full = full && size() > 0;
        }
        return removed;
    }
}
