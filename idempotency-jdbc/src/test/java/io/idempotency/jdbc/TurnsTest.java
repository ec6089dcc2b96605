package io.idempotency.jdbc;

import static io.idempotency.jdbc.TurnTakers.ANOTHER;
import static io.idempotency.jdbc.TurnTakers.LOOK;
import static io.idempotency.jdbc.TurnTakers.POOL;
import static io.idempotency.jdbc.TurnTakers.STATEMENT;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import java.sql.Connection;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
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
        List<Caller<Object>> crowd = crowd(takers, STATEMENT);
        Caller<Object> leader = crowd.get(0);
        List<Caller<Object>> taken = turns.others(leader);
        assertThat(taken).isEqualTo(crowd.subList(1, 8));
        List<Caller<Object>> later = takers.callers(3, STATEMENT);
        assertThat(later).noneMatch(Caller::hasTurn);
        turns.giveBack(leader, taken);
        taken.forEach(caller -> caller.answer(null));
        assertThat(later.get(0).hasTurn()).isTrue();
        takers.aSecondPasses();
        turns.giveBack(later.get(0), List.of());
        assertThat(later).allMatch(Caller::hasTurn);
        takers.awaitAll();
    }

    /** Those who were answered come back one by one: each would go alone, and the next statement would answer few. */
    @Test
    void aCrowdStaysOneForAMomentAfterItWasAnswered() throws Exception {
        takers.stopTheClock();
        List<Caller<Object>> crowd = crowd(takers, STATEMENT);
        turns.giveBack(crowd.get(0), turns.others(crowd.get(0)));
        List<Caller<Object>> back = takers.callers(3, STATEMENT);
        assertThat(back).filteredOn(Caller::hasTurn).containsExactly(back.get(0));
        assertThat(turns.others(back.get(0))).isEqualTo(back.subList(1, 3));
        turns.giveBack(back.get(0), back.subList(1, 3));
        takers.aSecondPasses();
        assertThat(takers.callers(POOL, STATEMENT)).allMatch(Caller::hasTurn);
    }

    @Test
    void inACrowdEachStatementIsUnderWayOnce() throws Exception {
        List<Caller<Object>> first = takers.callers(POOL, null);
        List<Caller<Object>> some = takers.callers(4, STATEMENT);
        List<Caller<Object>> others = takers.callers(4, ANOTHER);
        List<Caller<Object>> alone = takers.callers(3, null);
        giveBack(first);
        assertThat(some).filteredOn(Caller::hasTurn).containsExactly(some.get(0));
        assertThat(others).filteredOn(Caller::hasTurn).containsExactly(others.get(0));
        assertThat(alone).filteredOn(Caller::hasTurn).as("have what is left").isEqualTo(alone.subList(0, 2));
        assertThat(turns.others(others.get(0))).isEqualTo(others.subList(1, 4));
        turns.giveBack(some.get(0), List.of());
        assertThat(some.get(1).hasTurn()).as("who came before who goes alone").isTrue();
        assertThat(alone.get(2).hasTurn()).isFalse();
    }

    @Test
    void andOnceMoreForEachSixtyFourThatWait() throws Exception {
        List<Caller<Object>> crowd = crowd(takers, STATEMENT);
        takers.callers(56, STATEMENT);
        assertThat(crowd.get(1).hasTurn()).isFalse();
        takers.callers(1, STATEMENT);
        assertThat(crowd).filteredOn(Caller::hasTurn).isEqualTo(crowd.subList(0, 2));
        assertThat(turns.others(crowd.get(0))).hasSize(63).startsWith(crowd.get(2));
    }

    @Test
    void whoHasWaitedTooLongInACrowdHasAnotherTurnAsLongAsThereAreAny() throws Exception {
        TurnTakers impatient = new TurnTakers(Duration.ofMinutes(10));
        List<Caller<Object>> crowd = crowd(impatient, STATEMENT);
        impatient.aSecondPasses();
        await().until(() -> crowd.stream().filter(Caller::hasTurn).count() == POOL);
        assertThat(crowd.subList(0, POOL)).allMatch(Caller::hasTurn);
        assertThat(impatient.turns.others(crowd.get(1))).isEqualTo(crowd.subList(POOL, 8));
    }

    @Test
    void whoCameFirstIsServedFirstWhateverItSends() throws Exception {
        List<Caller<Object>> first = takers.callers(POOL, null);
        List<Caller<Object>> more = new ArrayList<>();
        for (Sql each : Arrays.asList(LOOK, null, STATEMENT, ANOTHER)) {
            more.addAll(takers.callers(1, each));
        }
        for (int i = 0; i < POOL; i++) {
            turns.giveBack(first.get(i), List.of());
            assertThat(more).filteredOn(Caller::hasTurn).isEqualTo(more.subList(0, i + 1));
        }
    }

    /** One record has one owner. */
    @Test
    void whoClaimsARecordForTheSecondTimeWaitsForTheNextStatement() throws Exception {
        List<Caller<Object>> crowd = crowd(takers, STATEMENT);
        Caller<Object> again = takers.caller(crowd.get(3).id(), STATEMENT);
        assertThat(turns.others(crowd.get(0))).isEqualTo(crowd.subList(1, 8));
        assertThat(again.queued()).isTrue();
    }

    @Test
    void whoLooksAtOneRecordIsAnsweredWithAllOthersThatDo() throws Exception {
        List<Caller<Object>> crowd = crowd(takers, LOOK);
        Caller<Object> again = takers.caller(crowd.get(3).id(), LOOK);
        List<Caller<Object>> others = turns.others(crowd.get(0));
        assertThat(others).hasSize(8).endsWith(again);
        List<Values> asked = new ArrayList<>();
        new Combined<>(crowd.get(0), others)
                .send(
                        values -> {
                            asked.addAll(values);
                            return Map.of(again.id(), Optional.of("answer"));
                        },
                        () -> null);
        assertThat(asked).hasSize(8);
        assertThat(List.of(crowd.get(3), again)).allMatch(caller -> "answer".equals(caller.answered()));
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
        takers.pass(Duration.ofMillis(1));
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

    /** Eight, of whom the first has a turn. */
    private static List<Caller<Object>> crowd(TurnTakers takers, Sql statement) throws Exception {
        List<Caller<Object>> first = takers.callers(POOL, null);
        List<Caller<Object>> crowd = takers.callers(8, statement);
        first.forEach(caller -> takers.turns.giveBack(caller, List.of()));
        await().until(crowd.get(0)::hasTurn);
        assertThat(crowd).filteredOn(Caller::hasTurn).hasSize(1);
        return crowd;
    }

    private void giveBack(List<Caller<Object>> callers) {
        callers.forEach(caller -> turns.giveBack(caller, List.of()));
    }
}
