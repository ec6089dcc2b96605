package io.idempotency.jdbc;

import static io.idempotency.jdbc.Calls.LEASE;
import static io.idempotency.jdbc.Calls.RESULT;
import static io.idempotency.jdbc.Calls.RETENTION;
import static io.idempotency.jdbc.Calls.claim;
import static io.idempotency.jdbc.Calls.get;
import static io.idempotency.jdbc.Calls.own;
import static io.idempotency.jdbc.Calls.store;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.idempotency.jdbc.connection.JdbcStoreException;
import io.idempotency.runtime.store.ClaimResult;
import io.idempotency.runtime.store.IdempotencyStore;
import io.idempotency.runtime.store.Ownership;
import io.idempotency.runtime.store.RecordState;
import io.idempotency.runtime.store.Renewal;
import io.idempotency.runtime.store.Settled;
import io.idempotency.runtime.store.TransactionalStore;
import io.idempotency.test.servers.PostgresServer;
import io.micronaut.context.ApplicationContext;
import java.sql.Connection;
import java.sql.DriverManager;
import java.time.Duration;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** What a call costs, as the server counts it. */
@Tag("any-jdk")
class RoundTripsTest {

    private static PostgresServer server;

    private Place place;

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
    void firstCallIsTwoStatementsAndSoIsAReplayUntilMostCallsAreReplays() {
        place = Place.postgres(server);
        try (ApplicationContext application = place.application()) {
            IdempotencyStore store = store(application);
            own(store, claim("first of the process, which looks at the timeline as well"));
            long before = statements();
            Ownership own = own(store, claim("key"));
            get(store.complete(own, RESULT, RETENTION));
            assertThat(statements() - before).isEqualTo(2);
            before = statements();
            assertThat(get(store.claim(claim("key")))).isInstanceOf(ClaimResult.Duplicate.class);
            assertThat(statements() - before).isEqualTo(2);
            for (int i = 0; i < 64; i++) {
                get(store.claim(claim("key")));
            }
            before = statements();
            assertThat(get(store.claim(claim("key")))).isInstanceOf(ClaimResult.Duplicate.class);
            assertThat(statements() - before).isEqualTo(1);
        }
    }

    @Test
    void everyOtherVerbIsOneStatementAndAPurgeKeepsTheTimeToo() {
        place = Place.postgres(server);
        try (ApplicationContext application = place.application()) {
            IdempotencyStore store = store(application);
            Ownership own = own(store, claim("key"));
            long before = statements();
            get(store.renew(List.of(new Renewal(own, LEASE, RETENTION))).get(0));
            get(store.doubt(own, "unknown", RETENTION));
            get(store.find(own.id()));
            get(store.purge(10));
            assertThat(statements() - before).isEqualTo(5);
            Ownership other = own(store, claim("other"));
            before = statements();
            get(store.release(other));
            assertThat(statements() - before).isEqualTo(1);
        }
    }

    @Test
    void aClaimInATransactionIsOneStatementThatAlsoLimitsItsWait() throws Exception {
        place = Place.postgres(server);
        try (ApplicationContext application = place.application()) {
            TransactionalStore store = store(application).transactional().orElseThrow();
            long before = statements();
            store.inTransaction(Duration.ofSeconds(1), view -> own(view, claim("key")));
            assertThat(statements() - before).isEqualTo(1);
            assertThat(sent("SELECT set_config(%") + sent("SELECT current_setting(%"))
                    .isZero();
        }
    }

    /** Each statement reads all rows of the one before again. */
    @Test
    void aListPassesOverManyUnreadableRowsInAFewStatements() {
        place = Place.postgres(server);
        try (ApplicationContext application = place.application()) {
            IdempotencyStore store = store(application);
            IntStream.range(0, 100).forEach(i -> own(store, claim("key" + i)));
            place.run("UPDATE " + place.table() + " SET checksum = 1 WHERE attempt > 0");
            long before = statements();
            assertThat(store.list(RecordState.IN_PROGRESS, Duration.ZERO, 1)).isEmpty();
            assertThat(statements() - before).isLessThan(10);
        }
    }

    @Test
    void theLeasesOfASweepAreRenewedInOneTransaction() {
        place = Place.postgres(server);
        try (ApplicationContext application = place.application()) {
            IdempotencyStore store = store(application);
            List<Ownership> owned = IntStream.range(0, 20)
                    .mapToObj(i -> own(store, claim("key" + i)))
                    .toList();
            assertThat(get(store.renew(owned.stream()
                            .map(own -> new Renewal(own, LEASE, RETENTION))
                            .toList())))
                    .containsOnly(new Settled.Applied())
                    .hasSize(20);
            assertThat(place.ask("SELECT count(DISTINCT xmin::text) FROM " + place.table() + " WHERE attempt > 0"))
                    .isEqualTo("1");
        }
    }

    @Test
    void aRowThatIsLockedKeepsNoOtherLeaseFromBeingRenewed() throws Exception {
        place = Place.postgres(server);
        try (ApplicationContext application = place.application("idempotency.jdbc.command-timeout", "3s");
                Connection other = DriverManager.getConnection(place.url(), place.user(), place.password())) {
            IdempotencyStore store = store(application);
            List<Ownership> owned = IntStream.range(0, 3)
                    .mapToObj(i -> own(store, claim("key" + i)))
                    .toList();
            other.setAutoCommit(false);
            Place.run(
                    other,
                    "SELECT * FROM " + place.table() + " WHERE id = '"
                            + owned.get(1).id().value() + "' FOR UPDATE");
            List<Settled> answers = store.renew(owned.stream()
                    .map(own -> new Renewal(own, LEASE.multipliedBy(1000), RETENTION))
                    .toList());
            assertThat(List.of(answers.get(0), answers.get(2))).containsOnly(new Settled.Applied());
            assertThatThrownBy(() -> get(answers.get(1))).isInstanceOf(JdbcStoreException.class);
            assertThat(place.ask("SELECT count(*) FROM " + place.table() + " WHERE lease_until_ms - claimed_at_ms > "
                            + LEASE.multipliedBy(500).toMillis()))
                    .isEqualTo("2");
        }
    }

    @Test
    void aReplayWritesNothing() {
        place = Place.postgres(server);
        try (ApplicationContext application = place.application()) {
            IdempotencyStore store = store(application);
            get(store.complete(own(store, claim("key")), RESULT, RETENTION));
            String transaction = place.ask("SELECT pg_snapshot_xmax(pg_current_snapshot())::text");
            for (int i = 0; i < 20; i++) {
                assertThat(get(store.claim(claim("key")))).isInstanceOf(ClaimResult.Duplicate.class);
            }
            assertThat(place.ask("SELECT pg_snapshot_xmax(pg_current_snapshot())::text"))
                    .as("a statement that writes or locks a row takes a transaction id")
                    .isEqualTo(transaction);
        }
    }

    @Test
    void nobodyIsToldWhereNotificationsAreOff() {
        place = Place.postgres(server);
        try (ApplicationContext application = place.application("idempotency.jdbc.notifications", false)) {
            IdempotencyStore store = store(application);
            get(store.complete(own(store, claim("key")), RESULT, RETENTION));
            assertThat(sent("%pg_notify%" + place.table() + "%' OR query LIKE '%" + place.table() + "%pg_notify%"))
                    .isZero();
        }
    }

    /** Through a pooler in transaction mode the session belongs to somebody else a moment later. */
    @Test
    void aStatementThatIsSentAgainLeavesTheSessionsIsolationLevelAlone() throws Exception {
        place = Place.postgres(server);
        try (ApplicationContext application = place.with("?options=-c%20default_transaction_isolation=serializable")
                        .application();
                Crowd crowd = new Crowd(8)) {
            IdempotencyStore store = store(application);
            await().atMost(Duration.ofSeconds(60)).until(() -> {
                String key = Place.fresh();
                crowd.atOnce(() -> get(store.claim(claim(key))));
                return sent("SET TRANSACTION ISOLATION LEVEL%") > 0 || sent("SET SESSION CHARACTERISTICS%") > 0;
            });
            assertThat(sent("SET SESSION CHARACTERISTICS%")).isZero();
        }
    }

    private long sent(String like) {
        return Long.parseLong(place.ask(
                "SELECT coalesce(sum(calls), 0)::text FROM pg_stat_statements WHERE query LIKE '" + like + "'"));
    }

    /** How many statements on this test's table the server has run. */
    private long statements() {
        return Long.parseLong(
                place.ask("SELECT coalesce(sum(calls), 0)::text FROM pg_stat_statements WHERE query LIKE '%"
                        + place.table() + "%' AND query NOT LIKE '%pg_stat_statements%'"));
    }
}
