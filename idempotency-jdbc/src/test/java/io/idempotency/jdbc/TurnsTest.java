package io.idempotency.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.idempotency.jdbc.Sql.Param;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.FutureTask;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Who may use the pool, and with whom. */
@Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class TurnsTest {

    private static final Sql STATEMENT = Sql.parse("SELECT 1");
    private static final int POOL = 4;

    /** Each look at the clock, so that whoever waits is always due; or nothing, so that nobody ever is. */
    private final AtomicLong step = new AtomicLong(1_000_000);

    private final AtomicLong time = new AtomicLong();

    /** So long that nobody is overdue here. */
    private final Turns turns = new Turns("the pool", () -> POOL, 2, Duration.ofHours(10), this::now);

    private final List<FutureTask<Boolean>> asked = new ArrayList<>();
    private final List<Thread> threads = new ArrayList<>();

    @Test
    void whoComesWhileACrowdIsAnsweredWaitsForTheNextStatement() throws Exception {
        List<Caller<Object>> first = callers(POOL);
        List<Caller<Object>> crowd = callers(8);
        assertThat(first).allMatch(Caller::hasTurn);
        for (int i = 0; i < POOL - 1; i++) {
            turns.giveBack(first.get(i), List.of());
        }
        Caller<Object> leader = crowd.get(0);
        await().until(leader::hasTurn);
        List<Caller<Object>> taken = turns.others(leader);
        assertThat(taken).hasSize(7);
        List<Caller<Object>> later = callers(3);
        assertThat(later).noneMatch(Caller::hasTurn);
        turns.giveBack(leader, taken);
        taken.forEach(caller -> caller.answer(null));
        assertThat(later).allMatch(Caller::hasTurn);
        for (FutureTask<Boolean> each : asked) {
            each.get();
        }
    }

    @Test
    void whoLeavesWithoutATurnIsNoLongerOneOfTheCrowd() throws Exception {
        List<Caller<Object>> first = callers(POOL);
        callers(8);
        for (Thread thread : threads.subList(POOL, POOL + 8)) {
            thread.interrupt();
            thread.join();
        }
        for (int i = 0; i < POOL; i++) {
            turns.giveBack(first.get(i), List.of());
        }
        assertThat(callers(POOL)).allMatch(Caller::hasTurn);
    }

    @Test
    void thoseWhoGoAloneAreNoCrowdAndHaveEveryConnection() throws Exception {
        List<Caller<Object>> first = callers(POOL, null);
        List<Caller<Object>> more = callers(8, null);
        for (int i = 0; i < POOL; i++) {
            turns.giveBack(first.get(i), List.of());
        }
        assertThat(more.subList(0, POOL)).allMatch(Caller::hasTurn);
        assertThat(more.subList(POOL, 8)).noneMatch(Caller::hasTurn);
        for (int i = 0; i < POOL; i++) {
            turns.giveBack(more.get(i), List.of());
        }
        assertThat(more.subList(POOL, 8)).allMatch(Caller::hasTurn);
    }

    /** A turn that comes back at once is left for whoever runs: but nobody may come. */
    @Test
    void whoWaitsTakesATurnThatNobodyElseTakes() throws Exception {
        List<Caller<Object>> first = callers(POOL, null);
        List<Caller<Object>> more = callers(3, null);
        step.set(0);
        turns.giveBack(first.get(0), List.of());
        turns.giveBack(first.get(1), List.of());
        turns.giveBack(first.get(2), List.of());
        await().until(() -> more.stream().allMatch(Caller::hasTurn));
    }

    @Test
    void whoGetsNoTurnInsideATransactionIsToldWhatToChange() throws Exception {
        TimeLimit limit = TimeLimit.of(Duration.ofMillis(50));
        try (UnpooledConnections beside = new UnpooledConnections("default", null, null, limit, false)) {
            for (int i = 0; i < POOL; i++) {
                assertThat(beside.turns().take(new Caller<>(null, new Values())))
                        .isTrue();
            }
            assertThatThrownBy(() -> beside.turns().take(new Caller<>(null, new Values())))
                    .hasMessageContainingAll(
                            "idempotency.jdbc.command-timeout",
                            "nothing was sent",
                            "transactional = true",
                            "idempotency.jdbc.datasource");
        }
    }

    @Test
    void whoLeavesIsNotWaitedForByThoseBehindIt() throws Exception {
        List<Caller<Object>> first = callers(POOL, null);
        List<Caller<Object>> more = callers(2, null);
        step.set(0);
        threads.get(POOL).interrupt();
        turns.giveBack(first.get(0), List.of());
        turns.giveBack(first.get(1), List.of());
        await().until(more.get(1)::hasTurn);
    }

    private long now() {
        return time.addAndGet(step.get());
    }

    private List<Caller<Object>> callers(int count) throws Exception {
        return callers(count, STATEMENT);
    }

    /** Those that have asked, each in a thread of its own. */
    private List<Caller<Object>> callers(int count, @Nullable Sql statement) throws Exception {
        List<Caller<Object>> all = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            String key = "key" + asked.size();
            FutureTask<Caller<Object>> made = new FutureTask<>(() -> caller(key, statement));
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
    private static Caller<Object> caller(String id, @Nullable Sql statement) {
        return new Caller<>(statement, new Values().with(Param.ID, id));
    }
}
