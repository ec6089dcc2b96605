package io.idempotency.runtime.store;

import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.Iterator;
import java.util.List;
import java.util.concurrent.locks.LockSupport;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * Lets a store answer many callers with one statement or script. At most {@code width} batches are under way. A caller that
 * finds a free place sends its own question at once; the others wait, and the caller that ends a batch hands its place, with all
 * questions that wait, to the first of them. No thread of its own is needed. Thread-safe; virtual threads are not pinned.
 *
 * <p>Use one for each kind of question. On PostgreSQL a width of 2 served writes best, and 4 served reads.
 *
 * @param <Q> the question
 * @param <A> the answer
 */
public final class GroupCommit<Q, A> {

    private final int width;
    private final int most;
    private final long patienceNanos;
    private final Batch<Q, A> batch;
    private final ReentrantLock lock = new ReentrantLock();
    private final Deque<Ask<Q, A>> waiting = new ArrayDeque<>();
    private int underWay;

    /**
     * Sends questions.
     *
     * @param <Q> the question
     * @param <A> the answer
     */
    @FunctionalInterface
    public interface Batch<Q, A> {

        /**
         * Sends them all at once, on the thread of one of the callers. The same question may be there twice: two callers may
         * ask for one record.
         *
         * @param questions one or more
         * @return the answers, in the order of the questions
         * @throws RefusedException where each question may be sent once more by itself
         * @throws RuntimeException where there is no answer: every caller of the batch is told so
         */
        List<? extends A> send(List<Q> questions);
    }

    /** The store refused a batch, or answered one question of it badly: each is sent once more, by itself. */
    public static final class RefusedException extends RuntimeException {

        private static final long serialVersionUID = 1L;

        /**
         * Refuses.
         *
         * @param cause thrown to the caller where it was the only one in the batch
         */
        public RefusedException(RuntimeException cause) {
            super(cause);
        }
    }

    /** A caller waited for as long as it may. Its question was not sent. */
    public static final class NotSentException extends RuntimeException {

        private static final long serialVersionUID = 1L;

        NotSentException(Duration patience) {
            super("The question waited for " + patience + " behind others and was not sent");
        }
    }

    /** One caller's question. What other threads write of it is visible once it is {@code over}. */
    private static final class Ask<Q, A> {
        private final Q question;
        private final boolean alone;
        private final Thread caller = Thread.currentThread();
        private @Nullable A answer;
        private @Nullable Throwable failure;

        /** The batch that this caller is to send. */
        private @Nullable List<Ask<Q, A>> led;

        private volatile boolean over;
        private boolean interrupted;

        Ask(Q question, boolean alone) {
            this.question = question;
            this.alone = alone;
        }

        void wake() {
            over = true;
            LockSupport.unpark(caller);
        }
    }

    /**
     * Nothing is under way yet.
     *
     * @param width how many batches are under way at most
     * @param most how many questions a batch has at most
     * @param patience how long a question waits before it is sent
     * @param batch sends them
     */
    public GroupCommit(int width, int most, Duration patience, Batch<Q, A> batch) {
        this.width = width;
        this.most = most;
        this.patienceNanos = patience.toNanos();
        this.batch = batch;
    }

    /**
     * Asks, with others or alone. An interrupted caller gets its answer too, and is interrupted afterwards.
     *
     * @param question may share a batch
     * @return the answer
     * @throws NotSentException where the question waited for too long
     */
    public A ask(Q question) {
        return ask(new Ask<>(question, false));
    }

    /**
     * Asks in a batch of one, for what must not share a statement with others: a large value, for instance.
     *
     * @param question shares no batch
     * @return the answer
     * @throws NotSentException where the question waited for too long
     */
    public A askAlone(Q question) {
        return ask(new Ask<>(question, true));
    }

    private A ask(Ask<Q, A> own) {
        own.interrupted = Thread.interrupted(); // since JDK 21 it would close the socket of a virtual thread
        try {
            if (!begins(own)) {
                await(own);
            }
            if (own.led != null) {
                lead(own.led);
            }
        } finally {
            if (own.interrupted) {
                Thread.currentThread().interrupt();
            }
        }
        return own.failure == null ? answer(own) : failed(own, own.failure);
    }

    /** True where the caller has a place; otherwise it waits for one. */
    private boolean begins(Ask<Q, A> own) {
        lock.lock();
        try {
            boolean free = underWay < width;
            if (free) {
                own.led = List.of(own);
                underWay++;
            } else {
                waiting.add(own);
            }
            return free;
        } finally {
            lock.unlock();
        }
    }

    private void await(Ask<Q, A> own) {
        long since = System.nanoTime();
        while (!own.over) {
            long left = patienceNanos - (System.nanoTime() - since);
            if (left > 0) {
                LockSupport.parkNanos(this, left);
            } else if (gaveUp(own)) {
                throw new NotSentException(Duration.ofNanos(patienceNanos));
            } else {
                LockSupport.park(this);
            }
            own.interrupted |= Thread.interrupted();
        }
    }

    /** False where its question is part of a batch already: then there will be an answer. */
    private boolean gaveUp(Ask<Q, A> own) {
        lock.lock();
        try {
            return waiting.remove(own);
        } finally {
            lock.unlock();
        }
    }

    /** Whatever happens, every caller of the batch is told, and the place is passed on. */
    private void lead(List<Ask<Q, A>> led) {
        try {
            List<? extends A> answers =
                    batch.send(led.stream().map(ask -> ask.question).toList());
            for (int i = 0; i < led.size(); i++) {
                led.get(i).answer = answers.get(i);
            }
        } catch (Throwable e) {
            fail(led, e);
        } finally {
            passOn();
            led.stream().skip(1).forEach(Ask::wake);
        }
    }

    /** The interruption of the caller that sent the batch is no failure of the others: they ask again. */
    private void fail(List<Ask<Q, A>> led, Throwable failure) {
        boolean interrupted =
                failure instanceof RuntimeException && Thread.currentThread().isInterrupted();
        for (Ask<Q, A> ask : led) {
            ask.failure = interrupted && ask.led == null ? new RefusedException((RuntimeException) failure) : failure;
        }
    }

    private void passOn() {
        lock.lock();
        try {
            Ask<Q, A> next = waiting.poll();
            if (next == null) {
                underWay--;
            } else {
                next.led = batchOf(next);
                next.wake();
            }
        } finally {
            lock.unlock();
        }
    }

    private List<Ask<Q, A>> batchOf(Ask<Q, A> first) {
        List<Ask<Q, A>> asks = new ArrayList<>();
        asks.add(first);
        Iterator<Ask<Q, A>> others = waiting.iterator();
        while (!first.alone && asks.size() < most && others.hasNext()) {
            Ask<Q, A> other = others.next();
            if (!other.alone) {
                others.remove();
                asks.add(other);
            }
        }
        return asks;
    }

    private A failed(Ask<Q, A> own, Throwable failure) {
        boolean single = own.led != null && own.led.size() == 1;
        if (failure instanceof RefusedException refused && single && refused.getCause() instanceof RuntimeException e) {
            throw e;
        }
        if (failure instanceof RefusedException) {
            return askAlone(own.question);
        }
        if (failure instanceof RuntimeException told) {
            throw told;
        }
        if (failure instanceof Error error && own.led != null) {
            throw error;
        }
        throw new IllegalStateException("The caller that sent this question with its own failed: " + failure, failure);
    }

    @SuppressWarnings("NullAway") // null is an answer where the type of the answers says so
    private static <Q, A> A answer(Ask<Q, A> own) {
        return own.answer;
    }
}
