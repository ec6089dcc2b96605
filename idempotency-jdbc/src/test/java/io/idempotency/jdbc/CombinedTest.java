package io.idempotency.jdbc;

import static io.idempotency.jdbc.Calls.LEASE;
import static io.idempotency.jdbc.Calls.RESULT;
import static io.idempotency.jdbc.Calls.RETENTION;
import static io.idempotency.jdbc.Calls.claim;
import static io.idempotency.jdbc.Calls.get;
import static io.idempotency.jdbc.Calls.own;
import static io.idempotency.jdbc.Calls.store;
import static org.assertj.core.api.Assertions.assertThat;

import io.idempotency.runtime.store.ClaimResult;
import io.idempotency.runtime.store.IdempotencyStore;
import io.idempotency.runtime.store.Ownership;
import io.idempotency.runtime.store.Settled;
import io.idempotency.runtime.store.StoredFailure;
import io.idempotency.test.servers.PostgresServer;
import io.micronaut.context.ApplicationContext;
import io.micronaut.core.type.Argument;
import io.micronaut.inject.qualifiers.Qualifiers;
import io.micronaut.transaction.TransactionDefinition;
import io.micronaut.transaction.TransactionOperations;
import java.sql.Connection;
import java.time.Duration;
import java.util.List;
import java.util.function.Supplier;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Callers that wait for the one connection of the pool are answered by one statement, and each is told the truth. */
@Tag("thorough")
@Timeout(value = 120, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class CombinedTest {

    private static final StoredFailure FAILURE = new StoredFailure("Declined", null, null);
    private static PostgresServer server;

    private final Place place = Place.postgres(server);
    private final PiledUp callers = new PiledUp(place);

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
            List<Ownership> owned = callers.claimed(store, claim -> claim);
            List<Settled> settled = callers.answers(store, i -> {
                Ownership own = owned.get(i);
                Ownership asked = switch (i % 3) {
                    case 0 -> own;
                    case 1 -> new Ownership(own.id(), "somebody else", own.fence());
                    default -> new Ownership(own.id(), own.owner(), own.fence() + 1);
                };
                return get(store.complete(asked, RESULT, RETENTION));
            });
            assertThat(sent("UPDATE " + place.table() + "%unnest")).isEqualTo(1);
            for (int i = 0; i < PiledUp.CALLERS; i++) {
                assertThat(settled.get(i) instanceof Settled.Applied).isEqualTo(i % 3 == 0);
                assertThat(get(store.find(owned.get(i).id())).orElseThrow().result() != null)
                        .isEqualTo(i % 3 == 0);
            }
        }
    }

    /** In whatever state its record is. What the statement left out would be sent alone, and nobody would notice. */
    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void whatItsOwnerMaySettleIsSettledByTheStatementForMany(boolean fails) throws Exception {
        try (ApplicationContext application = place.application(PostgresStoreTck.COMBINED)) {
            IdempotencyStore store = store(application);
            List<Ownership> owned = IntStream.range(0, PiledUp.CALLERS)
                    .mapToObj(i -> open(store, i))
                    .toList();
            long before = sent("UPDATE " + place.table());
            List<Settled> settled = callers.answers(
                    store,
                    i -> get(
                            fails
                                    ? store.fail(owned.get(i), FAILURE, RETENTION)
                                    : store.complete(owned.get(i), RESULT, RETENTION)));
            assertThat(settled).containsOnly(new Settled.Applied());
            assertThat(sent("UPDATE " + place.table()))
                    .as("the first one alone, the others together")
                    .isEqualTo(before + 2);
        }
    }

    /** Every seventh looks the same. */
    private Ownership open(IdempotencyStore store, int i) {
        Duration retention = i % 7 == 0 ? IdempotencyStore.FOREVER : RETENTION;
        Ownership own = own(store, claim("key" + i, i % 7 == 1 ? Calls.SHORT : LEASE, retention, false));
        switch (i % 7) {
            case 2 -> get(store.doubt(own, "lost", RETENTION));
            case 3 -> callers.set(own, "format_version = 1");
            case 4 -> callers.set(own, "expires_at_ms = 0");
            case 5 -> callers.set(own, "expires_at_ms = 0, retention_ms = NULL");
            default -> {}
        }
        return own;
    }

    @Test
    void claimsCompletionsAndReplaysOfThoseThatWaitAreOneStatementEach() throws Exception {
        try (ApplicationContext application = place.application(PostgresStoreTck.COMBINED)) {
            IdempotencyStore store = store(application);
            List<Ownership> owned = callers.claimed(store, claim -> claim);
            assertThat(sent("INSERT INTO " + place.table() + "%unnest")).isEqualTo(1);
            List<Settled> settled = callers.answers(store, i -> get(store.complete(owned.get(i), RESULT, RETENTION)));
            assertThat(settled).containsOnly(new Settled.Applied());
            assertThat(sent("UPDATE " + place.table() + "%unnest")).isEqualTo(1);
            for (int i = 0; i < 500; i++) {
                get(store.claim(claim("key0"))); // most calls are replays now
            }
            List<ClaimResult> replays = callers.answers(store, i -> get(store.claim(claim("key" + i))));
            assertThat(replays)
                    .allSatisfy(replay -> assertThat(
                                    ((ClaimResult.Duplicate) replay).record().result())
                            .isEqualTo(RESULT));
            assertThat(sent("FROM " + place.table() + ", (SELECT unnest")).isEqualTo(1);
        }
    }

    /** Each holds a connection of the pool; what they share are the few beside it, and no rollback takes anything with it. */
    @Test
    void insideTransactionsThoseThatWaitAreAnsweredTogetherToo() throws Exception {
        try (ApplicationContext application =
                place.application("datasources.default.maximum-pool-size", PiledUp.CALLERS + 1)) {
            IdempotencyStore store = store(application);
            List<Ownership> owned = callers.claimed(store, claim -> () -> rolledBack(application, claim));
            assertThat(sent("INSERT INTO " + place.table() + "%unnest")).isBetween(1L, 3L);
            assertThat(sent("INSERT INTO " + place.table())).isLessThan(PiledUp.CALLERS);
            List<Settled> settled = callers.answers(
                    store, i -> rolledBack(application, () -> get(store.complete(owned.get(i), RESULT, RETENTION))));
            assertThat(settled).containsOnly(new Settled.Applied());
            assertThat(sent("UPDATE " + place.table() + "%unnest")).isBetween(1L, 3L);
            for (Ownership own : owned) {
                assertThat(get(store.find(own.id())).orElseThrow().result()).isEqualTo(RESULT);
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
    void ofTwoClaimsOfOneKeyOneIsToldOfTheOther() throws Exception {
        try (ApplicationContext application = place.application(PostgresStoreTck.COMBINED)) {
            IdempotencyStore store = store(application);
            List<ClaimResult> answers = callers.answers(store, i -> get(store.claim(claim("key" + i / 2))));
            for (int i = 0; i < PiledUp.CALLERS; i += 2) {
                assertThat(answers.subList(i, i + 2))
                        .filteredOn(ClaimResult.Acquired.class::isInstance)
                        .hasSize(1);
            }
        }
    }

    private long sent(String like) {
        return Long.parseLong(place.ask(
                "SELECT coalesce(sum(calls), 0)::text FROM pg_stat_statements WHERE query LIKE '%" + like + "%'"));
    }
}
