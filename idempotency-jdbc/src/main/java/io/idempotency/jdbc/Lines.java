package io.idempotency.jdbc;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashSet;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Those that wait for a turn, in one line for each statement that many can share and one for callers that go alone; and how
 * many turns each line has. Not thread-safe.
 */
final class Lines {

    /** So many share a statement at most. */
    private static final int MOST = 64;

    private static final long LARGEST_TOGETHER = 1 << 20;

    /** Few: a store has a handful of statements. */
    private final Map<@Nullable Sql, Line> lines = new IdentityHashMap<>();

    private long joined;

    private static final class Line {
        final Deque<Caller<?>> waiting = new ArrayDeque<>();
        final boolean shares;
        int turns;

        Line(@Nullable Sql sql) {
            shares = sql != null;
        }

        boolean admits(boolean crowd) {
            return !crowd || !shares || turns <= waiting.size() / MOST;
        }
    }

    /** Puts it at the end of its line. What fails changes nothing. */
    void join(Caller<?> caller) {
        of(caller).waiting.add(caller);
        caller.place(++joined);
    }

    /** Whether it was there. */
    boolean leave(Caller<?> caller) {
        return of(caller).waiting.remove(caller);
    }

    /** The caller, who does not wait, has a turn. What fails changes nothing. */
    void began(Caller<?> caller) {
        of(caller).turns++;
    }

    void ended(Caller<?> caller) {
        of(caller).turns--;
    }

    private Line of(Caller<?> caller) {
        return lines.computeIfAbsent(caller.sql(), Line::new);
    }

    /**
     * Whether it may have a turn beside those that others have. In a crowd a statement is under way once, and once more for
     * every full one that waits: a second one would answer half as many at twice the price.
     */
    boolean admits(Caller<?> caller, boolean crowd) {
        return of(caller).admits(crowd);
    }

    /** Who came first of those that may have a turn. */
    @Nullable
    Caller<?> first(boolean crowd) {
        Caller<?> first = null;
        for (Line line : lines.values()) {
            Caller<?> head = line.waiting.peek();
            if (head != null && (first == null || head.place() < first.place()) && line.admits(crowd)) {
                first = head;
            }
        }
        return first;
    }

    /** Who came first of those in the line of one that waits. */
    Caller<?> firstWith(Caller<?> waiting) {
        return of(waiting).waiting.element();
    }

    /**
     * Takes those out of the line who can share the statement of the first, and tells them.
     *
     * @param own has a turn
     * @return the others
     */
    <T> List<Caller<T>> alike(Caller<T> own) {
        Line line = of(own);
        List<Caller<T>> chosen = chosen(own, line.waiting);
        for (Caller<T> other : chosen) {
            line.waiting.remove(other);
            other.takeAlong();
        }
        return chosen;
    }

    /** Chosen first: where that fails no caller waits for an answer that is never sent. */
    private static <T> List<Caller<T>> chosen(Caller<T> own, Deque<Caller<?>> waiting) {
        List<Caller<T>> chosen = new ArrayList<>();
        Set<Object> records = new HashSet<>(Set.of(own.id()));
        boolean reads = Objects.requireNonNull(own.sql()).reads();
        long bytes = own.values().bytes();
        for (Caller<?> each : waiting) {
            if (chosen.size() == MOST - 1) {
                break;
            }
            // one record has one owner: who claims it a second time is answered by a later statement
            if (bytes + each.values().bytes() <= LARGEST_TOGETHER && (records.add(each.id()) || reads)) {
                bytes += each.values().bytes();
                chosen.add(each.like(own));
            }
        }
        return chosen;
    }
}
