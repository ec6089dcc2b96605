package io.idempotency.jdbc;

import static io.idempotency.jdbc.TurnTakers.POOL;
import static io.idempotency.jdbc.TurnTakers.STATEMENT;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import java.sql.Connection;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Who may use the pool, and with whom. */
@Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class TurnsTest {

    private final TurnTakers takers = new TurnTakers();
    private final Turns turns = takers.turns;

    @Test
    void whoComesWhileACrowdIsAnsweredWaitsForTheNextStatement() throws Exception {
        List<Caller<Object>> first = takers.callers(POOL, STATEMENT);
        List<Caller<Object>> crowd = takers.callers(8, STATEMENT);
        assertThat(first).allMatch(Caller::hasTurn);
        for (int i = 0; i < POOL - 1; i++) {
            turns.giveBack(first.get(i), List.of());
        }
        Caller<Object> leader = crowd.get(0);
        await().until(leader::hasTurn);
        List<Caller<Object>> taken = turns.others(leader);
        assertThat(taken).hasSize(7);
        List<Caller<Object>> later = takers.callers(3, STATEMENT);
        assertThat(later).noneMatch(Caller::hasTurn);
        turns.giveBack(leader, taken);
        taken.forEach(caller -> caller.answer(null));
        assertThat(later).allMatch(Caller::hasTurn);
        takers.awaitAll();
    }

    @Test
    void thoseWhoGoAloneAreNoCrowdAndHaveEveryConnection() throws Exception {
        List<Caller<Object>> first = takers.callers(POOL, null);
        List<Caller<Object>> more = takers.callers(8, null);
        giveBack(first);
        assertThat(more.subList(0, POOL)).allMatch(Caller::hasTurn);
        assertThat(more.subList(POOL, 8)).noneMatch(Caller::hasTurn);
        giveBack(more.subList(0, POOL));
        assertThat(more.subList(POOL, 8)).allMatch(Caller::hasTurn);
    }

    /** A turn that comes back at once is left for whoever runs: but nobody may come. */
    @Test
    void whoWaitsTakesATurnThatNobodyElseTakes() throws Exception {
        List<Caller<Object>> first = takers.callers(POOL, null);
        List<Caller<Object>> more = takers.callers(3, null);
        takers.stopTheClock();
        giveBack(first.subList(0, 3));
        await().until(() -> more.stream().allMatch(Caller::hasTurn));
    }

    /** To wake somebody takes longer than a small statement. */
    @Test
    void whoRunsTakesATurnThatCameBackAtOnceAndWhoeverWasWokenForItWaitsInPeace() throws Exception {
        List<Caller<Object>> more = oneIsWokenForATurn();
        Caller<Object> running = takers.callers(1, null).get(0);
        assertThat(running.hasTurn()).as("without having waited").isTrue();
        takers.goesOn();
        await().untilAsserted(() -> assertThat(more.get(1).isNext()).isFalse());
        assertThat(more.get(1).hasTurn()).isFalse();
        turns.giveBack(running, List.of());
        await().until(more.get(1)::hasTurn);
    }

    @Test
    void whoRunsDoesNotOvertakeThoseThatHaveWaitedLonger() throws Exception {
        List<Caller<Object>> more = oneIsWokenForATurn();
        takers.aMillisecondPasses();
        Caller<Object> running = takers.callers(1, null).get(0);
        assertThat(more.get(1).hasTurn()).isTrue();
        assertThat(running.hasTurn()).isFalse();
        takers.goesOn();
    }

    /** The second of those that wait, who has not run yet. The first was given a turn at the same moment. */
    private List<Caller<Object>> oneIsWokenForATurn() throws Exception {
        List<Caller<Object>> first = takers.callers(POOL, null);
        List<Caller<Object>> more = takers.callers(2, null);
        takers.stopTheClock();
        takers.slowDown(POOL + 1);
        giveBack(first.subList(0, 2));
        assertThat(more.get(0).hasTurn()).isTrue();
        assertThat(more.get(1).isNext()).isTrue();
        return more;
    }

    @Test
    void whoGetsNoTurnInsideATransactionIsToldWhatToChange() throws Exception {
        try (UnpooledConnections beside = allLent()) {
            assertThatThrownBy(() -> beside.turns().take(new Caller<>(null, new Values())))
                    .hasMessageContainingAll(
                            "idempotency.jdbc.command-timeout",
                            "nothing was sent",
                            "transactional = true",
                            "idempotency.jdbc.datasource");
        }
    }

    @Test
    void whoIsInterruptedThereHasNothingToChange() throws Exception {
        try (UnpooledConnections beside = allLent()) {
            Thread.currentThread().interrupt();
            assertThatThrownBy(() -> beside.turns().take(new Caller<>(null, new Values())))
                    .hasMessageContainingAll("interrupted", "beside the pool", "Nothing was sent")
                    .message()
                    .doesNotContain("transactional", "idempotency.jdbc");
            assertThat(Thread.interrupted()).isTrue();
        }
    }

    @Test
    void norHasWhoIsInterruptedWhileAConnectionIsOpened() {
        CompletableFuture<Connection> opening = new CompletableFuture<>();
        Thread.currentThread().interrupt();
        assertThatThrownBy(() -> TimeLimit.of(Duration.ofHours(1)).open(opening::join))
                .hasMessageContainingAll("interrupted", "Nothing was sent")
                .message()
                .doesNotContain("idempotency.jdbc");
        assertThat(Thread.interrupted()).isTrue();
        opening.cancel(false);
    }

    private static UnpooledConnections allLent() throws Exception {
        UnpooledConnections beside =
                new UnpooledConnections("default", null, null, TimeLimit.of(Duration.ofMillis(50)), false);
        for (int i = 0; i < POOL; i++) {
            assertThat(beside.turns().take(new Caller<>(null, new Values()))).isTrue();
        }
        return beside;
    }

    private void giveBack(List<Caller<Object>> callers) {
        callers.forEach(caller -> turns.giveBack(caller, List.of()));
    }
}
