package io.idempotency.jdbc;

import java.sql.SQLException;
import java.sql.SQLTimeoutException;
import java.sql.SQLTransientConnectionException;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashSet;
import java.util.Iterator;
import java.util.List;
import java.util.Set;
import java.util.concurrent.locks.LockSupport;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.IntSupplier;
import java.util.function.LongSupplier;

/**
 * Turns at connections, first come, first served: a pool lets whoever happens to run take a connection that
 * comes back, and with many virtual threads some get none for most of a second. Only a turn that comes back within 200 us of the
 * last one that somebody who waited was given is left for whoever runs. Whoever has a turn may take along those
 * that wait with the same statement. Thread-safe; parks no carrier of virtual threads.
 *
 * <p>In a crowd few turns are given at a time: so more callers wait for each, and every statement answers more of them.
 * Those whom a statement under way will answer count too: otherwise few would wait once it is sent, the rest of the pool would
 * be lent to single callers, and the next statement would answer few.
 */
final class Turns {

    /** So many that wait are a crowd; with fewer every connection of the pool is worth more. */
    static final int CROWD = 16;

    private static final int IN_A_CROWD = 2;
    private static final int MOST = 64;

    /**
     * To wake somebody for a turn takes longer than a statement of a database in the same process: within so long of the
     * last time a turn that comes back is left for whoever runs.
     */
    private static final long HAND_OVER_NANOS = 200_000;

    private static final long LARGEST = 1 << 16;
    private static final long LARGEST_TOGETHER = 1 << 20;

    /** After this part of a caller's time (50 ms of 2 s) the given turns are slow ones: the rest of the pool is better used. */
    private static final int OVERDUE_PART = 40;

    /** No statement takes so many limits and so long: whoever sent it for others has died of an Error. */
    private static final int LIMITS = 4;

    private static final long LEFT_NANOS = 10_000_000_000L;

    private final String connections;
    private final String remedies;
    private final IntSupplier size;
    private final int crowd;
    private final Duration limit;
    private final long overdueNanos;
    private final LongSupplier nanoTime;
    private final ReentrantLock lock = new ReentrantLock();
    private final Deque<Caller<?>> waiting = new ArrayDeque<>();
    private int given;

    /** Those that wait or are answered, and can be taken along. */
    private int present;

    /** When somebody who waited was given a turn. */
    private long handedOverNanos;

    /**
     * Gives none yet.
     *
     * @param connections what they are of, for messages
     * @param remedies what to do where there are too few of them; empty where the time-out's name says it
     * @param size how many there are
     * @param crowd from how many on those that wait, and can be, are taken along; 0 for never
     * @param limit how long a caller waits
     * @param nanoTime as {@link System#nanoTime}
     */
    Turns(String connections, String remedies, IntSupplier size, int crowd, Duration limit, LongSupplier nanoTime) {
        this.connections = connections;
        this.remedies = remedies;
        this.size = size;
        this.crowd = crowd;
        this.limit = limit;
        this.overdueNanos = limit.toNanos() / OVERDUE_PART;
        this.nanoTime = nanoTime;
        this.handedOverNanos = nanoTime.getAsLong();
    }

    /**
     * Waits for a turn, or for an answer.
     *
     * @return whether the caller has a turn, and has to give it back; if not, another one took it along
     * @throws SQLException when its time is over, or its thread was interrupted: nothing was sent for it, except where the
     *     one that took it along never came back
     */
    boolean take(Caller<?> caller) throws SQLException {
        boolean heard = false;
        try {
            ask(caller);
            await(caller);
            heard = true;
        } finally {
            if (!heard) {
                leave(caller);
            }
        }
        return caller.hasTurn();
    }

    /** It is counted when it is queued: what fails before changes nothing. */
    private void ask(Caller<?> caller) {
        lock.lock();
        try {
            int here = present + caller.counts();
            boolean now = given < allowed(here) && (waiting.isEmpty() || !due());
            if (!now) {
                waiting.add(caller);
            }
            present = here;
            if (now) {
                given++;
                caller.turn();
            } else {
                next(allowed());
            }
        } finally {
            lock.unlock();
        }
    }

    private void await(Caller<?> caller) throws SQLException {
        boolean interrupted = false;
        long since = nanoTime.getAsLong();
        try {
            while (caller.waits()) {
                LockSupport.parkNanos(this, caller.isNext() ? HAND_OVER_NANOS : overdueNanos);
                interrupted |= Thread.interrupted(); // who was taken along has to hear the answer
                long waited = nanoTime.getAsLong() - since;
                if (waited >= overdueNanos || interrupted) {
                    overdue(caller, interrupted, waited);
                } else if (caller.isNext()) {
                    free(caller);
                }
            }
        } finally {
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }

    /** A turn that is given to nobody any more would be missing for ever. An Error leads here, from wherever it comes. */
    private void leave(Caller<?> caller) {
        lock.lock();
        try {
            if (caller.hasTurn()) {
                giveBack(caller, List.of());
            } else if (caller.queued() && waiting.remove(caller)) {
                present -= caller.counts();
            }
        } finally {
            lock.unlock();
        }
    }

    private void overdue(Caller<?> caller, boolean interrupted, long waited) throws SQLException {
        lock.lock();
        try {
            next(size.getAsInt());
            if (caller.waits() && !caller.queued() && waited >= LIMITS * limit.toNanos() + LEFT_NANOS) {
                throw new SQLTimeoutException("the caller that sent the statement for several left it", "08007");
            }
            if (!caller.queued() || !(interrupted || waited >= limit.toNanos())) {
                return;
            }
            waiting.remove(caller);
            present -= caller.counts();
        } finally {
            lock.unlock();
        }
        if (interrupted) {
            throw new TimeLimit.Interrupted("a turn at " + connections);
        }
        throw new SQLTransientConnectionException(
                "no turn within idempotency.jdbc.command-timeout (" + limit + ") at " + connections
                        + "; nothing was sent" + remedies,
                "08001");
    }

    /** Whoever is to be next has woken, and takes what was left for it or for others that run; or waits for the next one. */
    private void free(Caller<?> caller) {
        lock.lock();
        try {
            next(allowed());
            caller.notNext();
        } finally {
            lock.unlock();
        }
    }

    /**
     * Ends a turn.
     *
     * @param own had it
     * @param taken those whom it took along
     */
    void giveBack(Caller<?> own, List<? extends Caller<?>> taken) {
        lock.lock();
        try {
            given--;
            present -= own.counts() + taken.size();
            Caller<?> head = waiting.peek();
            if (head != null && given < allowed()) {
                if (due()) {
                    next(allowed());
                } else {
                    head.wakeAsNext();
                }
            }
        } finally {
            lock.unlock();
        }
    }

    private boolean due() {
        return nanoTime.getAsLong() - handedOverNanos >= HAND_OVER_NANOS;
    }

    private int allowed() {
        return allowed(present);
    }

    private int allowed(int here) {
        int all = size.getAsInt();
        return crowded(here) ? Math.min(all, IN_A_CROWD) : all;
    }

    /** Whether so many would wait if every connection were lent. The turns of who goes alone are not made fewer. */
    private boolean crowded(int here) {
        return crowd > 0 && here - size.getAsInt() >= crowd;
    }

    private void next(int most) {
        while (given < most && !waiting.isEmpty()) {
            given++;
            waiting.remove().turn();
            handedOverNanos = nanoTime.getAsLong();
        }
    }

    /** Whether a statement is small enough to be one of many. */
    static boolean small(Values values) {
        return values.bytes() <= LARGEST;
    }

    /**
     * Takes along who waits with the same statement about another record, where there is a crowd.
     *
     * @param own has a turn
     * @return the others, who wait for an answer from now on
     */
    <T> List<Caller<T>> others(Caller<T> own) {
        lock.lock();
        try {
            List<Caller<T>> taken = crowded(present) ? alike(own) : List.of();
            next(allowed());
            return taken;
        } finally {
            lock.unlock();
        }
    }

    /** Chosen first: where that fails nobody waits for an answer that nobody will send. */
    private <T> List<Caller<T>> alike(Caller<T> own) {
        List<Caller<T>> chosen = new ArrayList<>();
        Set<Object> records = new HashSet<>(Set.of(own.id()));
        long bytes = own.values().bytes();
        for (Iterator<Caller<?>> each = waiting.iterator(); each.hasNext() && chosen.size() < MOST - 1; ) {
            Caller<T> other = each.next().with(own.sql());
            // one record has one owner: who asks for it a second time is answered by a later statement
            if (other != null && bytes + other.values().bytes() <= LARGEST_TOGETHER && records.add(other.id())) {
                bytes += other.values().bytes();
                chosen.add(other);
            }
        }
        for (Caller<T> other : chosen) {
            waiting.remove(other);
            other.takeAlong();
        }
        return chosen;
    }
}
