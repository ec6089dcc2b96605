package io.idempotency.jdbc;

import io.idempotency.jdbc.Sql.Param;
import java.util.Objects;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * One that waits for a turn, with what it wants to send. It is queued, then has a turn; or another caller takes it along,
 * and answers it.
 *
 * @param <T> the answer's type
 */
final class Caller<T> {

    private enum State {
        QUEUED,
        NEXT,
        TURN,
        TAKEN_ALONG,
        ANSWERED,
        ALONE
    }

    private final @Nullable Sql sql;
    private final Values values;
    private final Thread thread = Thread.currentThread();
    private volatile State state = State.QUEUED;
    private long place;
    private @Nullable T answer;
    private @Nullable Throwable failure;

    /** One that is not taken along where the statement is null. */
    Caller(@Nullable Sql sql, Values values) {
        this.sql = sql;
        this.values = values;
    }

    @Nullable
    Sql sql() {
        return sql;
    }

    Values values() {
        return values;
    }

    String id() {
        return (String) Objects.requireNonNull(values.get(Param.ID));
    }

    /** This, which sends the same statement. */
    @SuppressWarnings("unchecked") // the statement decides what is answered
    <U> Caller<U> like(Caller<U> other) {
        if (sql == null || sql != other.sql()) {
            throw new IllegalArgumentException("another statement");
        }
        return (Caller<U>) this;
    }

    /** Who has a lower one came earlier. */
    long place() {
        return place;
    }

    void place(long number) {
        place = number;
    }

    boolean waits() {
        return queued() || state == State.TAKEN_ALONG;
    }

    boolean queued() {
        State now = state;
        return now == State.QUEUED || now == State.NEXT;
    }

    /** Whether it is the first of those that wait, and was woken to see whether a turn is left for it. */
    boolean isNext() {
        return state == State.NEXT;
    }

    void wakeAsNext() {
        if (state == State.QUEUED) {
            become(State.NEXT);
        }
    }

    /** Somebody else has taken what was left: it is woken again when there is more. */
    void notNext() {
        if (state == State.NEXT) {
            state = State.QUEUED;
        }
    }

    /** 1 where it can be taken along. */
    int counts() {
        return sql == null ? 0 : 1;
    }

    boolean hasTurn() {
        return state == State.TURN;
    }

    /** The statement that it was part of changed nothing: it is sent again for this caller alone. */
    boolean alone() {
        return state == State.ALONE;
    }

    void turn() {
        become(State.TURN);
    }

    void takeAlong() {
        state = State.TAKEN_ALONG; // goes on waiting
    }

    void goAlone() {
        become(State.ALONE);
    }

    void answer(@Nullable T value) {
        answer = value;
        become(State.ANSWERED);
    }

    /** The thread that fails others may have no memory and no stack left: this caller makes its own exception. */
    void fail(Throwable cause) {
        failure = cause;
        become(State.ANSWERED);
    }

    private void become(State next) {
        state = next;
        if (thread != Thread.currentThread()) {
            LockSupport.unpark(thread);
        }
    }

    @Nullable
    T answered() {
        if (failure instanceof JdbcStoreException told) {
            throw new JdbcStoreException(String.valueOf(told.getMessage()), told.getCause());
        }
        if (failure != null) {
            throw new JdbcStoreException(
                    "The statement that was sent for several callers was left in the middle by " + failure, failure);
        }
        return answer;
    }
}
