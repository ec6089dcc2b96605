package io.idempotency.jdbc;

import java.sql.SQLException;
import java.sql.SQLTimeoutException;
import java.sql.SQLTransientConnectionException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.locks.LockSupport;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.IntSupplier;
import java.util.function.LongSupplier;

/**
 * Turns at connections, first come, first served: a pool lets any running thread take a connection that
 * comes back, and with many virtual threads some get none for most of a second. Only a turn that comes back within 200 us of the
 * last one that a waiting caller was given is left for a running one. The caller with a turn may take along those
 * that wait with the same statement. Thread-safe; parks no carrier of virtual threads.
 *
 * <p>In a crowd each statement that many can share has one turn at a time: so more callers wait for it, and it answers all of
 * them. Those whom a statement under way will answer count too, and a crowd stays one for a moment after it was answered:
 * otherwise the first of them to come back would go alone, one by one, and the next statement would answer few.
 */
final class Turns {

    /** So many callers at once are a crowd; with fewer every connection of the pool is worth more. */
    static final int CROWD = 10;

    /** A crowd stays one for so long after there were so many: some are still told their answers, or on their way back. */
    private static final long CROWD_NANOS = 10_000_000;

    /**
     * To wake somebody for a turn takes longer than a statement of a database in the same process: within so long of the
     * last time a turn that comes back is left for a running caller.
     */
    private static final long HAND_OVER_NANOS = 200_000;

    private static final long LARGEST = 1 << 16;

    /**
     * A turn that takes longer than this part of a caller's time for each of the crowd (100 us of 2 s) is a slow one: who waits
     * for it has another turn, as long as there are connections. Those that many share take longer.
     */
    private static final int PATIENCE_PART = 20_000;

    /** And at most this part (50 ms of 2 s). */
    private static final int MOST_PATIENCE_PART = 40;

    /** No statement takes so many limits and so long: the caller that sent it for others has died of an Error. */
    private static final int LIMITS = 4;

    private static final long LEFT_NANOS = 10_000_000_000L;

    private final String connections;
    private final String remedies;
    private final IntSupplier size;
    private final int crowd;
    private final Duration limit;
    private final long patienceNanos;
    private final long mostPatienceNanos;
    private final LongSupplier nanoTime;
    private final ReentrantLock lock = new ReentrantLock();
    private final Lines lines = new Lines();
    private int given;

    /**
     * Those that wait or are answered, and can be taken along. A caller that calls again before the one that answered it has given back the
     * turn counts twice, on purpose: counted once, 64 callers made fewer calls.
     */
    private int present;

    /** When there was a crowd. */
    private long crowdedNanos;

    /** When somebody who waited was given a turn. */
    private long handedOverNanos;

    /**
     * Gives none yet.
     *
     * @param connections what they are of, for messages
     * @param remedies what to do where there are too few of them; empty where the time-out's name says it
     * @param size how many there are
     * @param crowd from how many at once on those that wait, and can be, are taken along; 0 for never
     * @param limit how long a caller waits
     * @param nanoTime as {@link System#nanoTime}
     */
    Turns(String connections, String remedies, IntSupplier size, int crowd, Duration limit, LongSupplier nanoTime) {
        this.connections = connections;
        this.remedies = remedies;
        this.size = size;
        this.crowd = crowd;
        this.limit = limit;
        this.patienceNanos = limit.toNanos() / PATIENCE_PART;
        this.mostPatienceNanos = limit.toNanos() / MOST_PATIENCE_PART;
        this.nanoTime = nanoTime;
        this.handedOverNanos = nanoTime.getAsLong();
        this.crowdedNanos = handedOverNanos - CROWD_NANOS;
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
            await(caller, ask(caller));
            heard = true;
        } finally {
            if (!heard) {
                leave(caller);
            }
        }
        return caller.hasTurn();
    }

    /**
     * It is counted when it is queued: what fails before changes nothing.
     *
     * @return after how long it has waited long enough for another turn
     */
    private long ask(Caller<?> caller) {
        lock.lock();
        try {
            int here = present + caller.counts();
            boolean crowd = crowded(here);
            boolean now =
                    given < size.getAsInt() && lines.admits(caller, crowd) && (lines.first(crowd) == null || !due());
            if (now) {
                begin(caller);
            } else {
                lines.join(caller);
            }
            present = here;
            if (!now) {
                next(crowd);
            }
            return crowd && caller.counts() > 0 ? Math.min(here * patienceNanos, mostPatienceNanos) : mostPatienceNanos;
        } finally {
            lock.unlock();
        }
    }

    private void await(Caller<?> caller, long patienceAtFirst) throws SQLException {
        boolean interrupted = false;
        long patience = patienceAtFirst;
        long since = nanoTime.getAsLong();
        try {
            while (caller.waits()) {
                LockSupport.parkNanos(this, caller.isNext() ? HAND_OVER_NANOS : patience);
                interrupted |= Thread.interrupted(); // who was taken along has to hear the answer
                long waited = nanoTime.getAsLong() - since;
                if (waited >= patience || interrupted) {
                    patience = Math.min(2 * waited, mostPatienceNanos);
                    overdue(caller, interrupted, waited);
                }
                if (caller.isNext()) {
                    free(caller);
                }
            }
        } finally {
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }

    /** A turn that is not given on would be missing for ever. An Error leads here, from wherever it comes. */
    private void leave(Caller<?> caller) {
        lock.lock();
        try {
            if (caller.hasTurn()) {
                giveBack(caller, List.of());
            } else if (caller.queued()) {
                noLongerWaits(caller);
            }
        } finally {
            lock.unlock();
        }
    }

    private void noLongerWaits(Caller<?> caller) {
        if (lines.leave(caller)) {
            present -= caller.counts();
            next(crowded(present));
        }
    }

    private void overdue(Caller<?> caller, boolean interrupted, long waited) throws SQLException {
        lock.lock();
        try {
            if (caller.queued() && !interrupted && given < size.getAsInt()) {
                handOver(lines.firstWith(caller));
            }
            if (caller.waits() && !caller.queued() && waited >= LIMITS * limit.toNanos() + LEFT_NANOS) {
                throw new SQLTimeoutException("the caller that sent the statement for several left it", "08007");
            }
            if (!caller.queued() || !(interrupted || waited >= limit.toNanos())) {
                return;
            }
            noLongerWaits(caller);
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

    /** The next caller has woken, and takes what was left for it or for others that run; or waits for the next one. */
    private void free(Caller<?> caller) {
        lock.lock();
        try {
            next(crowded(present));
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
            lines.ended(own);
            boolean crowd = crowded(present);
            present -= own.counts() + taken.size();
            Caller<?> head = given < size.getAsInt() ? lines.first(crowd) : null;
            if (head != null) {
                if (due()) {
                    next(crowd);
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

    /** The turns of who goes alone are not made fewer. */
    private boolean crowded(int here) {
        if (crowd == 0) {
            return false;
        }
        long now = nanoTime.getAsLong();
        if (here >= crowd) {
            crowdedNanos = now;
        }
        return now - crowdedNanos < CROWD_NANOS;
    }

    /** Gives turns to those who came first, as long as there are any. */
    private void next(boolean crowd) {
        int most = size.getAsInt();
        for (Caller<?> head = lines.first(crowd); head != null && given < most; head = lines.first(crowd)) {
            handOver(head);
        }
    }

    private void handOver(Caller<?> head) {
        lines.leave(head);
        begin(head);
        handedOverNanos = nanoTime.getAsLong();
    }

    private void begin(Caller<?> caller) {
        lines.began(caller);
        given++;
        caller.turn();
    }

    /** Whether a statement is small enough to be one of many. */
    static boolean small(Values values) {
        return values.bytes() <= LARGEST;
    }

    /**
     * Takes along who waits with the same statement, where there is a crowd.
     *
     * @param own has a turn
     * @return the others, who wait for an answer from now on
     */
    <T> List<Caller<T>> others(Caller<T> own) {
        lock.lock();
        try {
            boolean crowd = crowded(present);
            List<Caller<T>> taken = crowd ? lines.alike(own) : List.of();
            next(crowd);
            return taken;
        } finally {
            lock.unlock();
        }
    }
}
