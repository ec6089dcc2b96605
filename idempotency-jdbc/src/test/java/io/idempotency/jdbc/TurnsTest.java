package io.idempotency.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.idempotency.jdbc.Sql.Param;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.FutureTask;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Who may use the pool, and with whom. */
@Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class TurnsTest {

    private static final Sql STATEMENT = Sql.parse("SELECT 1");
    private static final int POOL = 4;

    /** So long that nobody is overdue here. */
    private final Turns turns = new Turns(() -> POOL, 2, Duration.ofHours(10));

    private final List<FutureTask<Boolean>> asked = new ArrayList<>();
    private final List<Thread> threads = new ArrayList<>();

    @Test
    void whoComesWhileACrowdIsAnsweredWaitsForTheNextStatement() throws Exception {
        List<Caller<Object>> first = callers(POOL);
        List<Caller<Object>> crowd = callers(8);
        assertThat(first).allMatch(Caller::hasTurn);
        for (int i = 0; i < POOL - 1; i++) {
            turns.giveBack(1);
        }
        Caller<Object> leader = crowd.get(0);
        await().until(leader::hasTurn);
        assertThat(turns.others(leader)).hasSize(7);
        List<Caller<Object>> later = callers(3);
        assertThat(later).noneMatch(Caller::hasTurn);
        turns.giveBack(8);
        crowd.subList(1, 8).forEach(caller -> caller.answer(null));
        assertThat(later).allMatch(Caller::hasTurn);
        for (FutureTask<Boolean> each : asked) {
            each.get();
        }
    }

    @Test
    void whoLeavesWithoutATurnIsNoLongerOneOfTheCrowd() throws Exception {
        callers(POOL);
        callers(8);
        for (Thread thread : threads.subList(POOL, POOL + 8)) {
            thread.interrupt();
            thread.join();
        }
        for (int i = 0; i < POOL; i++) {
            turns.giveBack(1);
        }
        assertThat(callers(POOL)).allMatch(Caller::hasTurn);
    }

    /** Those that have asked, each in a thread of its own. */
    private List<Caller<Object>> callers(int count) throws Exception {
        List<Caller<Object>> all = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            String key = "key" + asked.size();
            FutureTask<Caller<Object>> made = new FutureTask<>(() -> caller(key));
            FutureTask<Boolean> task = new FutureTask<>(() -> {
                made.run();
                return turns.take(made.get());
            });
            Thread thread = new Thread(task);
            thread.start();
            asked.add(task);
            threads.add(thread);
            await().until(() -> thread.getState() == Thread.State.TIMED_WAITING || task.isDone());
            all.add(made.get());
        }
        return all;
    }

    /** Of the thread that makes it. */
    private static Caller<Object> caller(String id) {
        return new Caller<>(STATEMENT, new Values().with(Param.ID, id));
    }
}
