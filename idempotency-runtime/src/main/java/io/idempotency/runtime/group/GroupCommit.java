package io.idempotency.runtime.group;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashSet;
import java.util.Iterator;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.locks.LockSupport;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * Sends statements of one kind, a limited number at a time. A caller that finds a free place sends its statement alone,
 * at once. Other callers wait; a caller that is done hands its place to the first of them, whose statement answers all
 * that wait. So no statement waits to become larger. While one is slow, for instance because a row is locked, waiting
 * callers get further places, as long as the store has connections. Thread-safe; callers may be virtual threads.
 */
public final class GroupCommit<Q, A> {

    /** The most callers that share a statement. */
    private static final int MOST = 64;

    private static final long MOST_BYTES = 1 << 20;

    /** How long a caller waits before the statements under way count as slow. */
    private static final long LONG_NANOS = TimeUnit.MILLISECONDS.toNanos(50);

    private final Sender<Q, A> sender;
    private final ReentrantLock lock = new ReentrantLock();

    /** Guarded by the lock, as are the following. */
    private final Deque<Seat> waiting = new ArrayDeque<>();

    private int underWay;

    private final int width;
    private final int most;

    /** Creates a group commit; {@code most} statements, at least the width, may be under way while some are slow. */
    public GroupCommit(int width, int most, Sender<Q, A> sender) {
        this.width = width;
        this.most = most;
        this.sender = sender;
    }

    /** Sends statements. */
    public interface Sender<Q, A> {

        /** Asks for one caller, and returns its answer; null for none. */
        @Nullable
        A alone(Q question);

        /** Asks for two or more callers, and returns their answers in the same order. Each gets what is thrown. */
        List<Answer<A>> together(List<Q> questions);

        /**
         * Tells whether a failed statement for several callers did nothing for any of them, so that each asks alone;
         * false, the default, when it may have been executed.
         */
        default boolean didNothing(RuntimeException failure) {
            return false;
        }

        /** Tells whether the sender's interruption may be why a statement failed; true, the default, unless it is not. */
        default boolean isInterruption(RuntimeException failure) {
            return true;
        }

        /** Returns a question's subject, by default the question itself: a statement has at most one about it. */
        default Object subject(Q question) {
            return question;
        }

        /** Returns the size of a question in bytes; 0, the default, when it does not matter. */
        default long bytes(Q question) {
            return 0;
        }
    }

    /** The answer to one of several callers, null for none; {@code again} says that the caller has to ask alone. */
    public record Answer<A>(@Nullable A value, boolean again) {}

    private enum State {
        WAITING,
        LEADS,
        ANSWERED
    }

    private final class Seat {
        private final Q question;
        private final Thread caller = Thread.currentThread();
        private List<Seat> group = List.of();
        private @Nullable Answer<A> answer;
        private @Nullable Throwable failure;

        /** Written last, so that a caller that reads it sees the others. */
        private volatile State state = State.WAITING;

        Seat(Q question) {
            this.question = question;
        }

        void become(State next) {
            state = next;
            LockSupport.unpark(caller);
        }
    }

    /**
     * Asks, alone or together with other callers. Returns the answer; null for none. Sends nothing when it throws
     * {@code TimeoutException}, as no place became free in so many nanoseconds, or {@code InterruptedException}.
     */
    public @Nullable A ask(Q question, long nanos) throws TimeoutException, InterruptedException {
        Seat mine = new Seat(question);
        enter(mine, nanos);
        if (mine.state == State.LEADS) {
            try {
                if (mine.group.size() == 1) {
                    return sender.alone(question);
                }
                lead(mine);
            } finally {
                leave(mine);
            }
        }
        return answered(mine); // after the other callers have their answers, because asking alone may take long
    }

    /** Waits until this caller leads a statement, or has its answer. */
    private void enter(Seat mine, long nanos) throws TimeoutException, InterruptedException {
        lock.lock();
        try {
            if (underWay < width) {
                underWay++;
                mine.state = State.LEADS;
                mine.group = List.of(mine);
                return;
            }
            waiting.add(mine);
        } finally {
            lock.unlock();
        }
        await(mine, nanos);
    }

    private void await(Seat mine, long nanos) throws TimeoutException, InterruptedException {
        long start = System.nanoTime();
        long patient = LONG_NANOS;
        boolean interrupted = false;
        boolean leaves = false;
        while (mine.state == State.WAITING) {
            long waited = System.nanoTime() - start;
            if (!leaves && (interrupted || waited >= nanos)) {
                leaves = true;
                boolean removed = removed(mine);
                if (removed && interrupted) {
                    throw new InterruptedException();
                } else if (removed) {
                    throw new TimeoutException("no place");
                }
            } else if (waited >= patient) {
                patient = waited + LONG_NANOS;
                leadBeforeItsTurn(mine);
            } else { // also after it could not leave, as another caller sends its question: its answer comes
                LockSupport.parkNanos(this, Math.min(patient, leaves ? patient : nanos) - waited);
                interrupted |= Thread.interrupted();
            }
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    private boolean removed(Seat mine) {
        lock.lock();
        try {
            return waiting.remove(mine);
        } finally {
            lock.unlock();
        }
    }

    private void leadBeforeItsTurn(Seat mine) {
        lock.lock();
        try {
            if (waiting.peek() == mine && underWay < most) {
                nextLeader().state = State.LEADS;
            }
        } finally {
            lock.unlock();
        }
    }

    /** Gives a place to the first waiting caller, which has to be told. */
    private Seat nextLeader() {
        Seat next = waiting.element();
        next.group = nextGroup();
        underWay++;
        return next;
    }

    private void lead(Seat mine) {
        try {
            List<Answer<A>> answers = sender.together(
                    mine.group.stream().map(seat -> seat.question).toList());
            for (int i = 0; i < answers.size(); i++) {
                mine.group.get(i).answer = answers.get(i);
            }
        } catch (RuntimeException e) {
            boolean again = sender.didNothing(e);
            boolean interrupted = Thread.currentThread().isInterrupted() && sender.isInterruption(e);
            for (Seat seat : mine.group) {
                seat.answer = again || seat != mine && interrupted
                        ? new Answer<>(null, true) // the interruption of the sender is not theirs
                        : null;
                seat.failure = e;
            }
        }
    }

    /**
     * Hands the place on and then answers the other callers, whatever was thrown. They are many, and the next statement
     * need not wait until each of them has run. All are woken without the lock, which they need next.
     */
    private void leave(Seat mine) {
        List<Seat> leaders = new ArrayList<>(1);
        lock.lock();
        try {
            underWay--;
            while (underWay < width && !waiting.isEmpty()) {
                leaders.add(nextLeader());
            }
        } finally {
            lock.unlock();
            leaders.forEach(next -> next.become(State.LEADS));
            for (Seat seat : mine.group) {
                if (seat != mine) {
                    seat.become(State.ANSWERED);
                }
            }
        }
    }

    /** Removes and returns the first waiting caller and all that can share its statement. */
    private List<Seat> nextGroup() {
        List<Seat> group = new ArrayList<>();
        Set<Object> subjects = new HashSet<>();
        long bytes = 0;
        for (Iterator<Seat> seats = waiting.iterator(); seats.hasNext() && group.size() < MOST; ) {
            Seat seat = seats.next();
            long more = sender.bytes(seat.question);
            if (group.isEmpty() || bytes + more <= MOST_BYTES && !subjects.contains(sender.subject(seat.question))) {
                group.add(seat);
                subjects.add(sender.subject(seat.question));
                bytes += more;
                seats.remove();
            }
        }
        return group;
    }

    private @Nullable A answered(Seat mine) {
        Answer<A> answer = mine.answer;
        if (answer != null) {
            return answer.again() ? sender.alone(mine.question) : answer.value();
        }
        if (mine.failure instanceof RuntimeException failure) {
            throw failure;
        }
        throw new IllegalStateException(
                "The caller that sent the statement for several died: it may have been executed");
    }
}
