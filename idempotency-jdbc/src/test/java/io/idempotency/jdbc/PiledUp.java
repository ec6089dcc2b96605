package io.idempotency.jdbc;

import static io.idempotency.jdbc.Calls.LEASE;
import static io.idempotency.jdbc.Calls.RETENTION;
import static io.idempotency.jdbc.Calls.claim;
import static io.idempotency.jdbc.Calls.get;
import static org.awaitility.Awaitility.await;

import io.idempotency.jdbc.connection.OwnConnections;
import io.idempotency.jdbc.connection.StatementRunner;
import io.idempotency.runtime.group.GroupCommit;
import io.idempotency.runtime.store.Claim;
import io.idempotency.runtime.store.ClaimResult;
import io.idempotency.runtime.store.IdempotencyStore;
import io.idempotency.runtime.store.Ownership;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.FutureTask;
import java.util.function.IntFunction;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * Callers that come while every connection is busy.
 *
 * @param place where the records are, in PostgreSQL
 */
record PiledUp(Place place) {

    static final int CALLERS = 20;

    static List<Claim> claims() {
        return IntStream.range(0, CALLERS)
                .mapToObj(i -> claim("key" + i, LEASE, RETENTION, false))
                .toList();
    }

    static Object outcome(Supplier<?> call) {
        try {
            return call.get();
        } catch (RuntimeException e) {
            return e;
        }
    }

    /**
     * Claims that are granted to those who wait.
     *
     * @param around makes each claim
     */
    List<Ownership> claimed(IdempotencyStore store, UnaryOperator<Supplier<ClaimResult>> around) throws Exception {
        List<Claim> claims = claims();
        List<ClaimResult> granted = answers(
                store, i -> around.apply(() -> get(store.claim(claims.get(i)))).get());
        return IntStream.range(0, CALLERS)
                .mapToObj(i -> new Ownership(
                        claims.get(i).id(), claims.get(i).owner(), ((ClaimResult.Acquired) granted.get(i)).fence()))
                .toList();
    }

    /** What the callers are answered that came while the connection was busy. */
    <T> List<T> answers(IdempotencyStore store, IntFunction<T> call) throws Exception {
        List<FutureTask<T>> tasks;
        FutureTask<Object> plug;
        try (Connection other = locked()) {
            plug = task(() -> get(store.claim(claim(Place.fresh()))), new Thread[1]);
            awaitBlocked();
            tasks = started(call);
            other.rollback();
        }
        plug.get();
        List<T> answers = new ArrayList<>();
        for (FutureTask<T> task : tasks) {
            answers.add(task.get());
        }
        return answers;
    }

    static <T> List<FutureTask<T>> started(IntFunction<T> call) {
        List<FutureTask<T>> tasks = new ArrayList<>();
        Thread[] threads = new Thread[CALLERS];
        for (int i = 0; i < CALLERS; i++) {
            int number = i;
            Thread[] thread = new Thread[1];
            tasks.add(task(() -> call.apply(number), thread));
            threads[i] = thread[0];
        }
        await().until(() -> IntStream.range(0, CALLERS)
                .allMatch(i -> tasks.get(i).isDone()
                        || within(threads[i], GroupCommit.class, "await")
                        || within(threads[i], OwnConnections.class, "borrow")
                        || within(threads[i], StatementRunner.class, "once")));
        return tasks;
    }

    private static boolean within(Thread thread, Class<?> type, String method) {
        return Stream.of(thread.getStackTrace())
                .anyMatch(element -> element.getClassName().equals(type.getName())
                        && element.getMethodName().equals(method));
    }

    static <T> FutureTask<T> task(Supplier<T> call, Thread[] thread) {
        FutureTask<T> task = new FutureTask<>(call::get);
        thread[0] = new Thread(task);
        thread[0].start();
        return task;
    }

    Connection open() throws SQLException {
        return DriverManager.getConnection(place.url(), place.user(), place.password());
    }

    Connection locked() throws SQLException {
        Connection other = open();
        other.setAutoCommit(false);
        lock(other);
        return other;
    }

    /** Waits for its turn at the table. */
    void lock(Connection other) {
        Place.run(other, "LOCK TABLE " + place.table() + " IN ACCESS EXCLUSIVE MODE");
    }

    void awaitBlocked() {
        awaitBlocked(1);
    }

    void awaitBlocked(int statements) {
        await().atMost(Duration.ofSeconds(30))
                .pollDelay(Duration.ZERO)
                .pollInterval(Duration.ofMillis(5))
                .until(() -> place.ask(
                                "SELECT count(*) FROM pg_stat_activity WHERE wait_event_type = 'Lock' AND query LIKE '%"
                                        + place.table() + "%'")
                        .equals(Integer.toString(statements)));
    }

    /** By hand. */
    void set(Ownership own, String change) {
        place.run("UPDATE " + place.table() + " SET " + change + " WHERE id = '"
                + own.id().value() + "'");
    }
}
