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
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * Sends statements of one kind, at most so many at a time. A caller that finds a free place goes alone, at once; the others wait, and
 * a caller that is done hands its place to the first of them, which takes all along that wait. So statements are as large as there is
 * need, and none waits for company. Where a statement takes long, because a row that it needs is locked for instance, those that wait
 * go before it is done, as long as the store has connections. Thread-safe; callers may be virtual threads.
 *
 * @param <Q> what is asked
 * @param <A> the answer
 */
public final class GroupCommit<Q, A> {

    /** The most callers that share a statement. */
    private static final int MOST = 64;

    private static final long MOST_BYTES = 1 << 20;

    /** After this time a statement counts as slow, and waiting callers go before it is done. */
    private static final long LONG_NANOS = TimeUnit.MILLISECONDS.toNanos(50);

    private final Sender<Q, A> sender;
    private final ReentrantLock lock = new ReentrantLock();

    /** Guarded by the lock, as are the following. */
    private final Deque<Seat> waiting = new ArrayDeque<>();

    private int underWay;

    private final int width;
    private final int most;

    /**
     * Creates one that has sent nothing yet.
     *
     * @param width how many statements are under way, positive
     * @param most how many are under way where some take long, at least the width
     * @param sender sends them
     */
    public GroupCommit(int width, int most, Sender<Q, A> sender) {
        this.width = width;
        this.most = most;
        this.sender = sender;
    }

    /**
     * Sends statements.
     *
     * @param <Q> what is asked
     * @param <A> the answer
     */
    public interface Sender<Q, A> {

        /**
         * Asks for one caller.
         *
         * @param question its question
         * @return the answer
         */
        @Nullable
        A alone(Q question);

        /**
         * Asks for several callers. Each of them gets what it throws.
         *
         * @param questions two or more
         * @return their answers, in the same order
         */
        List<Answer<A>> together(List<Q> questions);

        /**
         * Tells whether a statement for several callers, which failed, did nothing for any of them. Then each of them asks alone.
         *
         * @param failure of {@link #together}
         * @return false where it may have been executed, as is assumed
         */
        default boolean didNothing(RuntimeException failure) {
            return false;
        }

        /**
         * Returns what only one question of a statement may be about.
         *
         * @param question the question
         * @return with {@code equals}; the question itself where any can share a statement
         */
        default Object subject(Q question) {
            return question;
        }

        /**
         * Returns how large a question is.
         *
         * @param question the question
         * @return in bytes; 0 where that is no matter
         */
        default long bytes(Q question) {
            return 0;
        }
    }

    /**
     * The answer to one of several callers.
     *
     * @param value the answer; null for none
     * @param again whether the caller is to ask alone
     * @param <A> its type
     */
    public record Answer<A>(@Nullable A value, boolean again) {}

    private enum State {
        WAITING,
        LEADS,
        ANSWERED
    }

    private final class Seat {
        private final Q question;
        private final Condition changed = lock.newCondition();
        private volatile State state = State.WAITING;
        private List<Seat> group = List.of();
        private @Nullable Answer<A> answer;
        private @Nullable Throwable failure;

        Seat(Q question) {
            this.question = question;
        }
    }

    /**
     * Asks, alone or together with others.
     *
     * @param question the question
     * @param nanos how long to wait for a place at most, in nanoseconds
     * @return the answer; null for none
     * @throws TimeoutException when there was no place in that time: nothing was sent
     * @throws InterruptedException when the thread was interrupted while it waited for a place: nothing was sent
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
        return answered(mine); // when the others have theirs: to ask alone may take long
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
            await(mine, nanos);
        } finally {
            lock.unlock();
        }
    }

    private void await(Seat mine, long nanos) throws TimeoutException, InterruptedException {
        boolean interrupted = false;
        long left = nanos;
        while (mine.state == State.WAITING) {
            try {
                if (left > 0 && !interrupted) {
                    left -= Math.min(left, LONG_NANOS)
                            - Math.max(0, mine.changed.awaitNanos(Math.min(left, LONG_NANOS)));
                    goBeforeItsTurn(mine);
                } else if (waiting.remove(mine)) {
                    if (interrupted) {
                        throw new InterruptedException();
                    }
                    throw new TimeoutException("no place");
                } else {
                    mine.changed.awaitUninterruptibly(); // it was taken along: its answer comes
                }
            } catch (InterruptedException e) {
                if (interrupted) {
                    throw e;
                }
                interrupted = true;
            }
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    private void goBeforeItsTurn(Seat mine) {
        if (mine.state == State.WAITING && waiting.peek() == mine && underWay < most) {
            handOn();
        }
    }

    /** Gives the place to the first waiting caller. */
    private void handOn() {
        Seat next = waiting.element();
        underWay++;
        next.group = nextGroup();
        next.state = State.LEADS;
        next.changed.signal();
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
            for (Seat seat : mine.group) {
                seat.answer = again || seat != mine && Thread.currentThread().isInterrupted()
                        ? new Answer<>(null, true) // an interruption is its own caller's trouble
                        : null;
                seat.failure = e;
            }
        }
    }

    /** Answers the others and hands the place on, whatever was thrown. */
    private void leave(Seat mine) {
        lock.lock();
        try {
            for (Seat seat : mine.group) {
                if (seat != mine) {
                    seat.state = State.ANSWERED;
                    seat.changed.signal();
                }
            }
            underWay--;
            while (underWay < width && !waiting.isEmpty()) {
                handOn();
            }
        } finally {
            lock.unlock();
        }
    }

    /** Removes the first waiting caller and all that can share its statement. */
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
