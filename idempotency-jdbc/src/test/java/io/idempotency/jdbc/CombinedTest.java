package io.idempotency.jdbc;

import static io.idempotency.jdbc.Calls.LEASE;
import static io.idempotency.jdbc.Calls.RESULT;
import static io.idempotency.jdbc.Calls.RETENTION;
import static io.idempotency.jdbc.Calls.claim;
import static io.idempotency.jdbc.Calls.get;
import static io.idempotency.jdbc.Calls.own;
import static io.idempotency.jdbc.Calls.store;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.idempotency.runtime.store.Claim;
import io.idempotency.runtime.store.ClaimResult;
import io.idempotency.runtime.store.IdempotencyStore;
import io.idempotency.runtime.store.Ownership;
import io.idempotency.runtime.store.Settled;
import io.idempotency.runtime.store.StoredFailure;
import io.idempotency.runtime.store.StoredResult;
import io.idempotency.test.servers.FaultProxy;
import io.idempotency.test.servers.PostgresServer;
import io.micronaut.context.ApplicationContext;
import io.micronaut.core.type.Argument;
import io.micronaut.inject.qualifiers.Qualifiers;
import io.micronaut.transaction.TransactionDefinition;
import io.micronaut.transaction.TransactionOperations;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletionException;
import java.util.concurrent.FutureTask;
import java.util.function.IntFunction;
import java.util.function.Supplier;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Callers that wait for the one connection of the pool are answered by one statement, and each is told the truth. */
@Timeout(value = 120, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class CombinedTest {

    private static final int CALLERS = 20;
    private static final StoredFailure FAILURE = new StoredFailure("Declined", null, null);
    private static final Object[] WITHOUT = {
        "datasources.default.maximum-pool-size", 1, "idempotency.jdbc.combine-from", 0
    };
    private static PostgresServer server;

    private final Place place = Place.postgres(server);

    @BeforeAll
    static void start() {
        server = PostgresServer.start("shared_preload_libraries=pg_stat_statements");
        Place.postgres(server).run("CREATE EXTENSION pg_stat_statements");
    }

    @AfterAll
    static void stop() {
        server.close();
    }

    @Test
    void whoHoldsNothingSettlesNothingInCompanyEither() throws Exception {
        try (ApplicationContext application = place.application(PostgresStoreTck.COMBINED)) {
            IdempotencyStore store = store(application);
            List<Claim> claims = claims(CALLERS);
            List<ClaimResult> granted = piled(store, i -> get(store.claim(claims.get(i))));
            List<Settled> settled = piled(store, i -> {
                Ownership own = owned(claims.get(i), granted.get(i));
                Ownership asked = switch (i % 3) {
                    case 0 -> own;
                    case 1 -> new Ownership(own.id(), "somebody else", own.fence());
                    default -> new Ownership(own.id(), own.owner(), own.fence() + 1);
                };
                return get(store.complete(asked, RESULT, RETENTION));
            });
            assertThat(sent("UPDATE " + place.table() + "%unnest")).isEqualTo(1);
            for (int i = 0; i < CALLERS; i++) {
                assertThat(settled.get(i) instanceof Settled.Applied).isEqualTo(i % 3 == 0);
                assertThat(get(store.find(claims.get(i).id())).orElseThrow().result() != null)
                        .isEqualTo(i % 3 == 0);
            }
        }
    }

    /** In whatever state its record is. What the statement left out would be sent alone, and nobody would notice. */
    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void whatItsOwnerMaySettleIsSettledByTheOneStatement(boolean fails) throws Exception {
        try (ApplicationContext application = place.application(PostgresStoreTck.COMBINED)) {
            IdempotencyStore store = store(application);
            List<Ownership> owned =
                    IntStream.range(0, CALLERS).mapToObj(i -> open(store, i)).toList();
            long before = sent("UPDATE " + place.table());
            List<Settled> settled = piled(
                    store,
                    i -> get(
                            fails
                                    ? store.fail(owned.get(i), FAILURE, RETENTION)
                                    : store.complete(owned.get(i), RESULT, RETENTION)));
            assertThat(settled).containsOnly(new Settled.Applied());
            assertThat(sent("UPDATE " + place.table())).isEqualTo(before + 1);
        }
    }

    /** Every seventh looks the same. */
    private Ownership open(IdempotencyStore store, int i) {
        Duration retention = i % 7 == 0 ? IdempotencyStore.FOREVER : RETENTION;
        Ownership own = own(store, claim("key" + i, i % 7 == 1 ? Calls.SHORT : LEASE, retention, false));
        switch (i % 7) {
            case 2 -> get(store.doubt(own, "lost", RETENTION));
            case 3 -> set(own, "format_version = 1");
            case 4 -> set(own, "expires_at_ms = 0");
            case 5 -> set(own, "expires_at_ms = 0, retention_ms = NULL");
            default -> {}
        }
        return own;
    }

    private void set(Ownership own, String change) {
        place.run("UPDATE " + place.table() + " SET " + change + " WHERE id = '"
                + own.id().value() + "'");
    }

    @Test
    void claimsCompletionsAndReplaysOfThoseThatWaitAreOneStatementEach() throws Exception {
        try (ApplicationContext application = place.application(PostgresStoreTck.COMBINED)) {
            IdempotencyStore store = store(application);
            List<Claim> claims = claims(CALLERS);
            List<ClaimResult> granted = piled(store, i -> get(store.claim(claims.get(i))));
            assertThat(granted).allMatch(ClaimResult.Acquired.class::isInstance);
            assertThat(sent("INSERT INTO " + place.table() + "%unnest")).isEqualTo(1);
            List<Settled> settled =
                    piled(store, i -> get(store.complete(owned(claims.get(i), granted.get(i)), RESULT, RETENTION)));
            assertThat(settled).containsOnly(new Settled.Applied());
            assertThat(sent("UPDATE " + place.table() + "%unnest")).isEqualTo(1);
            for (int i = 0; i < 500; i++) {
                get(store.claim(claims.get(0))); // most calls are replays now
            }
            List<ClaimResult> replays = piled(store, i -> get(store.claim(claim("key" + i))));
            assertThat(replays)
                    .allSatisfy(replay -> assertThat(
                                    ((ClaimResult.Duplicate) replay).record().result())
                            .isEqualTo(RESULT));
            assertThat(sent("FROM " + place.table() + " WHERE id = ANY")).isEqualTo(1);
        }
    }

    /** Each holds a connection of the pool; what they share are the few beside it, and no rollback takes anything with it. */
    @Test
    void insideTransactionsThoseThatWaitAreAnsweredTogetherToo() throws Exception {
        try (ApplicationContext application = place.application("datasources.default.maximum-pool-size", CALLERS + 1)) {
            IdempotencyStore store = store(application);
            List<Claim> claims = claims(CALLERS);
            List<ClaimResult> granted =
                    piled(store, i -> rolledBack(application, () -> get(store.claim(claims.get(i)))));
            assertThat(granted).allMatch(ClaimResult.Acquired.class::isInstance);
            assertThat(sent("INSERT INTO " + place.table() + "%unnest")).isBetween(1L, 3L);
            assertThat(sent("INSERT INTO " + place.table())).isLessThan(CALLERS);
            List<Settled> settled = piled(
                    store,
                    i -> rolledBack(
                            application,
                            () -> get(store.complete(owned(claims.get(i), granted.get(i)), RESULT, RETENTION))));
            assertThat(settled).containsOnly(new Settled.Applied());
            assertThat(sent("UPDATE " + place.table() + "%unnest")).isBetween(1L, 3L);
            for (Claim claim : claims) {
                assertThat(get(store.find(claim.id())).orElseThrow().result()).isEqualTo(RESULT);
            }
        }
    }

    private static <T> T rolledBack(ApplicationContext application, Supplier<T> call) {
        TransactionOperations<Connection> transactions = application.getBean(
                Argument.of(TransactionOperations.class, Connection.class), Qualifiers.byName("default"));
        return transactions.execute(TransactionDefinition.DEFAULT, status -> {
            status.setRollbackOnly();
            return call.get();
        });
    }

    @Test
    void whereItIsSwitchedOffEachSendsHisOwn() throws Exception {
        try (ApplicationContext application = place.application(WITHOUT)) {
            IdempotencyStore store = store(application);
            List<ClaimResult> granted = piled(store, i -> get(store.claim(claim("key" + i))));
            assertThat(granted).allMatch(ClaimResult.Acquired.class::isInstance);
            assertThat(sent("INSERT INTO " + place.table() + "%unnest")).isZero();
        }
    }

    /** What a caller whose answer was lost may do: ask again as the same owner, or give back what it may have. */
    @Test
    void whereTheAnswerIsLostEachIsToldSoAndHasWhatItClaimed() throws Exception {
        try (FaultProxy proxy = FaultProxy.to(server.host(), server.port());
                ApplicationContext application = through(proxy).application(PostgresStoreTck.COMBINED)) {
            IdempotencyStore store = store(application);
            List<Claim> claims = claims(CALLERS);
            proxy.resetOnReplyTo("unnest");
            List<Object> answers = piled(store, i -> outcome(() -> get(store.claim(claims.get(i)))));
            assertThat(answers)
                    .allSatisfy(answer -> assertThat(answer)
                            .isInstanceOf(CompletionException.class)
                            .asString()
                            .contains("did not answer"));
            proxy.pass();
            await().ignoreExceptions().until(() -> Calls.find(store, "key0").isPresent());
            for (Claim claim : claims) {
                assertThat(get(store.claim(Calls.claim("key" + claims.indexOf(claim)))))
                        .as("nobody else gets it")
                        .isInstanceOf(ClaimResult.Duplicate.class);
                assertThat(get(store.release(own(store, claim)))).isEqualTo(new Settled.Applied());
            }
        }
    }

    @Test
    void ofTwoClaimsOfOneKeyOneIsToldOfTheOther() throws Exception {
        try (ApplicationContext application = place.application(PostgresStoreTck.COMBINED)) {
            IdempotencyStore store = store(application);
            List<ClaimResult> answers = piled(store, i -> get(store.claim(claim("key" + i / 2))));
            for (int i = 0; i < CALLERS; i += 2) {
                assertThat(answers.subList(i, i + 2))
                        .filteredOn(ClaimResult.Acquired.class::isInstance)
                        .hasSize(1);
            }
        }
    }

    /** As a transactional operation does while its body runs. */
    @Test
    void aKeyThatAnotherTransactionIsClaimingKeepsOnlyItsOwnCallerWaiting() throws Exception {
        try (ApplicationContext application =
                place.application("datasources.default.maximum-pool-size", 2, "idempotency.jdbc.combine-from", 1)) {
            IdempotencyStore store = store(application);
            try (Connection other = open()) {
                other.setAutoCommit(false);
                Place.run(
                        other,
                        "INSERT INTO " + place.table() + " (id, operation, fingerprint, state, owner, fence, attempt,"
                                + " claimed_at_ms, lease_until_ms, format_version) VALUES ('"
                                + Calls.id("key3").value() + "', 'charge', 'fingerprint', 'IN_PROGRESS', 'other', 1, 1,"
                                + " 1, 1, 1)");
                List<FutureTask<ClaimResult>> calls = started(store, i -> get(store.claim(claim("key" + i))));
                for (int i = 0; i < CALLERS; i++) {
                    if (i != 3) {
                        assertThat(calls.get(i).get()).isInstanceOf(ClaimResult.Acquired.class);
                    }
                }
                assertThat(calls.get(3).isDone()).isFalse();
                other.rollback();
                assertThat(calls.get(3).get()).isInstanceOf(ClaimResult.Acquired.class);
            }
        }
    }

    @Test
    void aResultThatTheDatabaseDoesNotTakeIsTheTroubleOfOneCaller() throws Exception {
        try (ApplicationContext application = place.application(PostgresStoreTck.COMBINED)) {
            IdempotencyStore store = store(application);
            List<Ownership> owned =
                    claims(CALLERS).stream().map(claim -> own(store, claim)).toList();
            place.limitResults(10);
            StoredResult large = new StoredResult.Present(new byte[11]);
            List<Object> answers = piled(
                    store, i -> outcome(() -> get(store.complete(owned.get(i), i == 3 ? large : RESULT, RETENTION))));
            for (int i = 0; i < CALLERS; i++) {
                if (i == 3) {
                    assertThat(answers.get(i)).isInstanceOf(CompletionException.class);
                } else {
                    assertThat(answers.get(i)).isEqualTo(new Settled.Applied());
                }
            }
        }
    }

    @Test
    void whoHasLostItsClaimIsToldAndTheOthersAreNotTouched() throws Exception {
        try (ApplicationContext application = place.application(PostgresStoreTck.COMBINED)) {
            IdempotencyStore store = store(application);
            List<Ownership> owned =
                    claims(CALLERS).stream().map(claim -> own(store, claim)).toList();
            Ownership former = owned.get(3);
            set(former, "fence = fence + 1");
            List<Settled> answers = piled(store, i -> get(store.complete(owned.get(i), RESULT, RETENTION)));
            for (int i = 0; i < CALLERS; i++) {
                assertThat(answers.get(i) instanceof Settled.Applied).isEqualTo(i != 3);
            }
        }
    }

    @Test
    void whoeverWaitsIsHeldNoLongerThanTheCommandTimeout() throws Exception {
        try (ApplicationContext application = place.application(
                "datasources.default.maximum-pool-size", 1,
                "idempotency.jdbc.combine-from", 1,
                "idempotency.jdbc.command-timeout", "1s")) {
            IdempotencyStore store = store(application);
            try (Connection other = locked()) {
                List<FutureTask<Object>> calls = started(store, i -> outcome(() -> get(store.claim(claim("key" + i)))));
                for (FutureTask<Object> call : calls) {
                    assertThat(call.get()).asString().contains("idempotency.jdbc.command-timeout");
                }
                other.rollback();
            }
            assertThat(Calls.find(store, "key1")).as("nothing was sent for it").isEmpty();
        }
    }

    @Test
    void whoIsInterruptedWhileItWaitsLeavesAtOnce() throws Exception {
        try (ApplicationContext application = place.application(PostgresStoreTck.COMBINED)) {
            IdempotencyStore store = store(application);
            try (Connection other = locked()) {
                Thread[] waiting = new Thread[1];
                FutureTask<Object> plug = task(() -> get(store.claim(claim("plug"))), new Thread[1]);
                awaitBlocked();
                FutureTask<Object> call = task(
                        () -> {
                            Object answer = outcome(() -> get(store.claim(claim("key"))));
                            return Thread.currentThread().isInterrupted() ? answer : "not interrupted any more";
                        },
                        waiting);
                await().until(() -> waiting[0].getState() == Thread.State.TIMED_WAITING);
                waiting[0].interrupt();
                assertThat(call.get()).asString().contains("interrupted while it waited").doesNotContain("command-timeout");
                other.rollback();
                assertThat(plug.get()).isInstanceOf(ClaimResult.Acquired.class);
            }
            assertThat(Calls.find(store, "key")).isEmpty();
        }
    }

    private static List<Claim> claims(int count) {
        return IntStream.range(0, count)
                .mapToObj(i -> claim("key" + i, LEASE, RETENTION, false))
                .toList();
    }

    private static Ownership owned(Claim claim, ClaimResult granted) {
        return new Ownership(claim.id(), claim.owner(), ((ClaimResult.Acquired) granted).fence());
    }

    private static Object outcome(Supplier<?> call) {
        try {
            return call.get();
        } catch (RuntimeException e) {
            return e;
        }
    }

    /** What the callers are answered that came while the connection was busy. */
    private <T> List<T> piled(IdempotencyStore store, IntFunction<T> call) throws Exception {
        List<FutureTask<T>> tasks;
        FutureTask<Object> plug;
        try (Connection other = locked()) {
            plug = task(() -> get(store.claim(claim(Place.fresh()))), new Thread[1]);
            awaitBlocked();
            tasks = started(store, call);
            other.rollback();
        }
        plug.get();
        List<T> answers = new ArrayList<>();
        for (FutureTask<T> task : tasks) {
            answers.add(task.get());
        }
        return answers;
    }

    private static <T> List<FutureTask<T>> started(IdempotencyStore store, IntFunction<T> call) {
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
                        || within(threads[i], Turns.class, "take")
                        || within(threads[i], Database.class, "once")));
        return tasks;
    }

    private static boolean within(Thread thread, Class<?> type, String method) {
        return Stream.of(thread.getStackTrace())
                .anyMatch(element -> element.getClassName().equals(type.getName())
                        && element.getMethodName().equals(method));
    }

    private static <T> FutureTask<T> task(Supplier<T> call, Thread[] thread) {
        FutureTask<T> task = new FutureTask<>(call::get);
        thread[0] = new Thread(task);
        thread[0].start();
        return task;
    }

    private Connection open() throws SQLException {
        return DriverManager.getConnection(place.url(), place.user(), place.password());
    }

    private Connection locked() throws SQLException {
        Connection other = open();
        other.setAutoCommit(false);
        Place.run(other, "LOCK TABLE " + place.table() + " IN ACCESS EXCLUSIVE MODE");
        return other;
    }

    private void awaitBlocked() {
        await().atMost(Duration.ofSeconds(30))
                .until(() -> place.ask(
                                "SELECT count(*) FROM pg_stat_activity WHERE wait_event_type = 'Lock' AND query LIKE '%"
                                        + place.table() + "%'")
                        .equals("1"));
    }

    private Place through(FaultProxy proxy) {
        return new Place(
                place.url().replaceFirst("//[^/]+/", "//127.0.0.1:" + proxy.port() + "/"),
                place.user(),
                place.password(),
                place.table());
    }

    private long sent(String like) {
        return Long.parseLong(place.ask(
                "SELECT coalesce(sum(calls), 0)::text FROM pg_stat_statements WHERE query LIKE '%" + like + "%'"));
    }
}
