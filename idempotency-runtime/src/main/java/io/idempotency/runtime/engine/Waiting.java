package io.idempotency.runtime.engine;

import io.idempotency.runtime.Outcome;
import io.idempotency.runtime.call.Invocation;
import io.idempotency.runtime.call.Operation;
import io.idempotency.runtime.store.IdempotencyStore;
import io.idempotency.runtime.store.RecordId;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Makes the duplicates of a call in this JVM wait for its outcome. One call has the turn: it asks the store or runs the
 * body, or sleeps until the store's signal, the end of the lease or the next poll, and asks again. So a lost signal
 * costs only time. The other calls sleep until they get the outcome or the turn. Thread-safe.
 */
final class Waiting {

    final ExecutionServices services;

    /** The calls of each key in flight. */
    final ConcurrentMap<Key, WaitingGroup> groups = new ConcurrentHashMap<>();

    private final CompletableFuture<@Nullable Void> ended = new CompletableFuture<>();
    private volatile boolean ending;

    /** Makes the answer of every call that still waits once waiting has ended for good; null before. */
    volatile @Nullable Function<Invocation, Outcome> over;

    Waiting(ExecutionServices services) {
        this.services = services;
    }

    /** What the calls of a group have in common. Other calls of the same key form a group of their own. */
    record Key(IdempotencyStore store, RecordId id, String operation, String fingerprint) {

        static Key of(Invocation call) {
            Operation operation = call.operation();
            return new Key(
                    operation.store(),
                    call.id(),
                    operation.name(),
                    call.fingerprint().text());
        }
    }

    /** What a call of a group does next. */
    sealed interface Turn {
        /**
         * Claims the key, and then calls {@code busy}, {@code pass} or {@code answer}.
         *
         * @param takeOver whether a record in doubt may be taken over
         * @param first whether no call of the group has claimed before
         */
        record Claim(boolean takeOver, boolean first) implements Turn {}

        /** Does not claim: gets the answer that another call of the group got, or must not wait any longer. */
        record Told(Function<Invocation, Outcome> answer) implements Turn {}
    }

    /** Takes a seat among the calls of a key. */
    WaitingGroup.Seat join(Key key, Duration limit) {
        while (true) {
            WaitingGroup made = new WaitingGroup(this, key);
            WaitingGroup there = groups.putIfAbsent(key, made);
            WaitingGroup.Seat seat = (there == null ? made : there).join(limit);
            if (seat != null) {
                return seat;
            }
        }
    }

    /** Wakes one call of each key to ask the store. */
    void wakeAll() {
        groups.values().forEach(WaitingGroup::wake);
    }

    /** Ends all waiting for good with an answer. Calls that claim or run their body go on. */
    void dismissAll(Function<Invocation, Outcome> answer) {
        over = answer;
        groups.values().forEach(WaitingGroup::wakeEach);
    }

    /** Returns a future that completes once no key is in flight. */
    CompletableFuture<@Nullable Void> ended() {
        ending = true;
        completeIfEnded();
        return ended;
    }

    void completeIfEnded() {
        if (ending && groups.isEmpty()) {
            ended.complete(null);
        }
    }

    /** Returns how many calls wait at the moment. */
    int waiting() {
        return groups.values().stream().mapToInt(WaitingGroup::waiting).sum();
    }
}
