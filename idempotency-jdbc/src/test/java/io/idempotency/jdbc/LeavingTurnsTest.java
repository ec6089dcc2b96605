package io.idempotency.jdbc;

import static io.idempotency.jdbc.TurnTakers.POOL;
import static io.idempotency.jdbc.TurnTakers.STATEMENT;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import java.sql.SQLTransientConnectionException;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Whoever goes, and of whatever, leaves every turn to the others, and everybody is answered. */
@Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class LeavingTurnsTest {

    private final TurnTakers takers = new TurnTakers();
    private final Turns turns = takers.turns;

    @Test
    void whoLeavesWithoutATurnIsNoLongerOneOfTheCrowd() throws Exception {
        List<Caller<Object>> first = takers.callers(POOL, STATEMENT);
        takers.callers(8, STATEMENT);
        for (int i = POOL; i < POOL + 8; i++) {
            takers.thread(i).interrupt();
            takers.thread(i).join();
        }
        takers.aSecondPasses();
        first.forEach(caller -> turns.giveBack(caller, List.of()));
        assertThat(takers.callers(POOL, STATEMENT)).allMatch(Caller::hasTurn);
    }

    @Test
    void whoLeavesIsNotWaitedForByThoseBehindIt() throws Exception {
        List<Caller<Object>> first = takers.callers(POOL, null);
        List<Caller<Object>> more = takers.callers(2, null);
        takers.stopTheClock();
        takers.thread(POOL).interrupt();
        turns.giveBack(first.get(0), List.of());
        turns.giveBack(first.get(1), List.of());
        await().until(more.get(1)::hasTurn);
    }

    @Test
    void whoDiesOfAnErrorWhileItWaitsIsGivenNoTurnAnyMore() throws Exception {
        List<Caller<Object>> first = takers.callers(POOL, STATEMENT);
        List<Caller<Object>> more = takers.callers(9, STATEMENT);
        for (int i = 0; i < 8; i++) {
            takers.dies(POOL + i);
        }
        takers.aSecondPasses();
        first.forEach(caller -> turns.giveBack(caller, List.of()));
        assertThat(more.get(8).hasTurn()).isTrue();
        assertThat(takers.callers(POOL - 1, STATEMENT)).as("no crowd either").allMatch(Caller::hasTurn);
    }

    /** Here the third has no key; there the memory may be full. */
    @Test
    void whoCannotChooseWhomToTakeAlongLeavesThemWaiting() throws Exception {
        List<Caller<Object>> first = takers.callers(POOL, STATEMENT);
        List<Caller<Object>> more = takers.callers(8, STATEMENT);
        takers.caller(null, STATEMENT);
        first.forEach(caller -> turns.giveBack(caller, List.of()));
        await().until(more.get(0)::hasTurn);
        assertThatThrownBy(() -> turns.others(more.get(0))).isInstanceOf(NullPointerException.class);
        assertThat(more.subList(1, 8)).allMatch(Caller::queued);
        turns.giveBack(more.get(0), List.of());
        assertThat(more.get(1).hasTurn()).isTrue();
    }

    @Test
    void whoWasTakenAlongIsToldOfTheErrorThatTheOtherDiedOf() {
        Caller<Object> own = new Caller<>(STATEMENT, Values.of(Calls.id("own")));
        Caller<Object> other = new Caller<>(STATEMENT, Values.of(Calls.id("other")));
        Error error = new OutOfMemoryError("of this test");
        assertThatThrownBy(() -> new Combined<>(own, List.of(other))
                        .send(
                                callers -> {
                                    throw error;
                                },
                                () -> null))
                .isSameAs(error);
        assertThatThrownBy(other::answered)
                .isInstanceOf(JdbcStoreException.class)
                .hasMessageContaining("left in the middle by java.lang.OutOfMemoryError")
                .hasCause(error);
    }

    /** An exception knows where it was thrown: nobody is told of the other's calls. */
    @Test
    void whoWasTakenAlongHasAnExceptionOfItsOwn() {
        Caller<Object> own = new Caller<>(STATEMENT, Values.of(Calls.id("own")));
        Caller<Object> other = new Caller<>(STATEMENT, Values.of(Calls.id("other")));
        JdbcStoreException lost =
                new JdbcStoreException("did not answer", new SQLTransientConnectionException("lost", "08006"));
        assertThatThrownBy(() -> new Combined<>(own, List.of(other))
                        .send(
                                callers -> {
                                    throw lost;
                                },
                                () -> null))
                .isSameAs(lost);
        assertThatThrownBy(other::answered)
                .isNotSameAs(lost)
                .hasMessage("did not answer")
                .cause()
                .isSameAs(lost.getCause());
    }
}
