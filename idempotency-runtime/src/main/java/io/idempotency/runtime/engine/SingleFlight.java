package io.idempotency.runtime.engine;

import io.idempotency.runtime.Outcome;
import io.idempotency.runtime.store.IdempotencyStore;
import io.idempotency.runtime.store.RecordId;
import io.idempotency.runtime.store.StoredRecord;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * The calls of one key on this JVM take turns: one of them asks the store or runs the body, the others wait for what
 * comes of it. A group begins with its first call and is gone with its last. Thread-safe: a group changes only inside
 * its entry of the map, and no foreign code runs there.
 */
final class SingleFlight {

    private final ConcurrentMap<Key, Group> groups = new ConcurrentHashMap<>();
    private final CompletableFuture<Void> ended = new CompletableFuture<>();
    private volatile boolean ending;
    private volatile boolean over;

    /** What makes calls duplicates of each other. Others learn from the store what they are. */
    record Key(IdempotencyStore store, RecordId id, String operation, String fingerprint) {}

    /** Wakes a group of which every member waits. */
    interface Alarm {
        /** Wakes it later; the record is what is known now. */
        void set(StoredRecord record);

        /** Off until it is set again. */
        void off();

        /** Off for good. */
        void close();
    }

    /** What a call that waited does now. */
    sealed interface Turn {
        /**
         * It claims, and ends its turn by {@code pass}, {@code pause} or {@code answer}.
         *
         * @param takeOver false when what is in doubt is not to be taken over once more
         * @param alarm the group's, null while it has none
         * @param first whether no member of the group has had a turn before
         */
        record Claim(boolean takeOver, @Nullable Alarm alarm, boolean first) implements Turn {}

        /** It gets the answer that another call of the group got. */
        record Told(Function<Invocation, Outcome> answer) implements Turn {}

        /** Its time is over; the record is how the group saw it last, null when it runs on this JVM. */
        record Over(@Nullable StoredRecord seen) implements Turn {}

        /** Too many wait already. */
        record Full() implements Turn {}

        /** It comes from inside the body that it would wait for. */
        record Nested() implements Turn {}
    }

    /** One call's place among those of its key. */
    static final class Waiter {
        private final Key key;
        private boolean leaving;
        private volatile CompletableFuture<Turn> turn = new CompletableFuture<>();
        private volatile @Nullable Thread bodysThread;

        private Waiter(Key key) {
            this.key = key;
        }

        Key key() {
            return key;
        }

        /** Completes when it is this call's turn; another one after every pause. */
        CompletableFuture<Turn> turn() {
            return turn;
        }

        /** Says that the body runs on this thread, until told otherwise by null. */
        void bodyOn(@Nullable Thread thread) {
            bodysThread = thread;
        }
    }

    private static final class Group {
        private final Set<Waiter> waiting = new LinkedHashSet<>();
        private @Nullable Waiter holder;
        private @Nullable Alarm alarm;
        private @Nullable StoredRecord seen;
        private boolean woken;
        private boolean fresh = true;

        void tell(Waiter waiter, Turn turn, List<Runnable> after) {
            CompletableFuture<Turn> promise = waiter.turn;
            after.add(() -> promise.complete(turn));
        }

        /** The alarm goes off before the call is told, which may set it again. */
        @Nullable
        Group next(boolean takeOver, List<Runnable> after) {
            Iterator<Waiter> first = waiting.iterator();
            if (!first.hasNext()) {
                return ended(after);
            }
            woken = false;
            seen = null;
            holder = first.next();
            first.remove();
            if (alarm != null) {
                after.add(alarm::off);
            }
            tell(holder, new Turn.Claim(takeOver, alarm, fresh), after);
            fresh = false;
            return this;
        }

        @Nullable
        Group ended(List<Runnable> after) {
            if (alarm != null) {
                after.add(alarm::close);
            }
            return null;
        }
    }

    /**
     * Takes a place: the first call's turn begins at once.
     *
     * @param most how many may wait
     * @param blocks whether the calling thread will do nothing else while it waits
     */
    Waiter join(Key key, int most, boolean blocks) {
        Waiter waiter = new Waiter(key);
        List<Runnable> after = new ArrayList<>(1);
        groups.compute(key, (same, there) -> {
            Group group = there == null ? new Group() : there;
            Waiter holder = group.holder;
            if (there == null) {
                group.waiting.add(waiter);
                return group.next(true, after);
            } else if (blocks && holder != null && Thread.currentThread().equals(holder.bodysThread)) {
                group.tell(waiter, new Turn.Nested(), after);
            } else if (over) {
                group.tell(waiter, new Turn.Over(group.seen), after);
            } else if (group.waiting.size() >= most) {
                group.tell(waiter, new Turn.Full(), after);
            } else {
                group.waiting.add(waiter);
            }
            return group;
        });
        after.forEach(Runnable::run);
        return waiter;
    }

    /** Ends a turn: the next call claims, now. No effect when the turn was passed on before. */
    void pass(Waiter waiter, boolean takeOver) {
        change(waiter.key, (group, after) -> group.holder == waiter ? group.next(takeOver, after) : group);
    }

    /** Ends a turn because the key is held elsewhere: the call waits with the others until the alarm wakes the group. */
    void pause(Waiter waiter, StoredRecord record, Alarm alarm) {
        change(waiter.key, (group, after) -> {
            group.seen = record;
            group.alarm = alarm;
            group.holder = null;
            waiter.turn = new CompletableFuture<>();
            if (waiter.leaving || over) {
                group.tell(waiter, new Turn.Over(record), after);
            } else {
                group.waiting.add(waiter);
            }
            if (group.waiting.isEmpty()) {
                return group.ended(after);
            }
            return group.woken ? group.next(true, after) : group;
        });
    }

    /** Ends a turn, and the group, with an answer for all members. */
    void answer(Waiter waiter, Function<Invocation, Outcome> answer) {
        change(waiter.key, (group, after) -> {
            if (group.holder != waiter) {
                return group;
            }
            group.waiting.forEach(other -> group.tell(other, new Turn.Told(answer), after));
            return group.ended(after);
        });
    }

    /** One of those who wait claims; when somebody is at it, once more after that. */
    void wake(Key key) {
        change(key, (group, after) -> {
            group.woken = true;
            return group.holder == null ? group.next(true, after) : group;
        });
    }

    /** One of those who wait claims, for every key. */
    void wakeAll() {
        groups.keySet().forEach(this::wake);
    }

    /** Ends all waiting, from now on; turns go on. */
    void dismissAll() {
        over = true;
        groups.keySet()
                .forEach(key -> change(key, (group, after) -> {
                    group.waiting.forEach(waiter -> group.tell(waiter, new Turn.Over(group.seen), after));
                    group.waiting.clear();
                    return group.holder == null ? group.ended(after) : group;
                }));
    }

    /** A call stops waiting. The others do not notice; it keeps the turn that it has. */
    void leave(Waiter waiter) {
        change(waiter.key, (group, after) -> {
            if (group.waiting.remove(waiter)) {
                group.tell(waiter, new Turn.Over(group.seen), after);
                return group.holder == null && group.waiting.isEmpty() ? group.ended(after) : group;
            }
            waiter.leaving = waiter.leaving || group.holder == waiter;
            return group;
        });
    }

    /** Completes once no key is in flight. */
    CompletionStage<Void> ended() {
        ending = true;
        completeIfEnded();
        return ended;
    }

    private void completeIfEnded() {
        if (ending && groups.isEmpty()) {
            ended.complete(null);
        }
    }

    /** How many keys are in flight. */
    int size() {
        return groups.size();
    }

    /** How many calls wait at the moment. Read beside the groups' changes: a number for people. */
    int waiting() {
        return groups.values().stream().mapToInt(group -> group.waiting.size()).sum();
    }

    private interface Change {
        @Nullable
        Group apply(Group group, List<Runnable> after);
    }

    /** No foreign code runs before the change is made. */
    private void change(Key key, Change change) {
        List<Runnable> after = new ArrayList<>(2);
        groups.computeIfPresent(key, (same, group) -> change.apply(group, after));
        after.forEach(Runnable::run);
        completeIfEnded();
    }
}
