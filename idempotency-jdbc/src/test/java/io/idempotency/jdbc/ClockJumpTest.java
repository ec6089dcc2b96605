package io.idempotency.jdbc;

import static io.idempotency.jdbc.Calls.LEASE;
import static io.idempotency.jdbc.Calls.RESULT;
import static io.idempotency.jdbc.Calls.RETENTION;
import static io.idempotency.jdbc.Calls.SHORT;
import static io.idempotency.jdbc.Calls.claim;
import static io.idempotency.jdbc.Calls.get;
import static io.idempotency.jdbc.Calls.own;
import static io.idempotency.jdbc.Calls.store;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;
import static org.awaitility.Awaitility.await;

import io.idempotency.jdbc.connection.CommandTimeout;
import io.idempotency.jdbc.connection.ConnectionSource;
import io.idempotency.jdbc.connection.OverdueStatements;
import io.idempotency.jdbc.connection.StatementRunner;
import io.idempotency.jdbc.sql.Dialect;
import io.idempotency.jdbc.sql.Statements;
import io.idempotency.jdbc.sql.TableName;
import io.idempotency.runtime.group.ReplayCount;
import io.idempotency.runtime.store.Claim;
import io.idempotency.runtime.store.ClaimResult;
import io.idempotency.runtime.store.IdempotencyStore;
import io.idempotency.runtime.store.IdempotencyStore.ClaimsRefusedException;
import io.idempotency.runtime.store.Ownership;
import io.idempotency.runtime.store.RecordState;
import io.idempotency.runtime.store.Renewal;
import io.idempotency.runtime.store.Settled;
import io.micronaut.context.ApplicationContext;
import io.micronaut.data.connection.jdbc.advice.DelegatingDataSource;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import javax.sql.DataSource;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * A database whose clock jumps by a day has forgotten the keys of that day, and ended all leases, at once. PostgreSQL is
 * given clocks of ours, in a schema that it looks through before its own.
 */
@Tag("thorough")
class ClockJumpTest {

    private static final Duration HOUR = Duration.ofHours(1);
    private static final Duration MONTH = Duration.ofDays(30);
    private static final String DAY_AHEAD = "1 day";
    private static final String DAY_BACK = "-1 day";

    private final String schema = Place.fresh();
    private final Place admin = Place.postgres();
    private final Place place = admin.with("?options=-c%20search_path=" + schema + ",pg_catalog,public");
    private ApplicationContext application;
    private IdempotencyStore store;

    @BeforeEach
    void start() {
        admin.run("CREATE SCHEMA " + schema);
        admin.run("CREATE TABLE " + schema + ".step AS SELECT interval '0' AS by");
        for (String clock : new String[] {"clock_timestamp()", "statement_timestamp()"}) {
            admin.run("CREATE FUNCTION " + schema + "." + clock + " RETURNS timestamptz LANGUAGE sql VOLATILE AS"
                    + " 'SELECT pg_catalog." + clock + " + (SELECT by FROM " + schema + ".step)'");
        }
        application = place.application();
        store = store(application);
    }

    @AfterEach
    void stop() {
        application.close();
    }

    private void step(String by) {
        admin.run("UPDATE " + schema + ".step SET by = interval '" + by + "'");
    }

    @ParameterizedTest
    @ValueSource(strings = {DAY_AHEAD, DAY_BACK, "6 minutes", "-6 minutes"})
    void nothingIsClaimedWhileTheClockIsElsewhere(String by) {
        get(store.complete(own(store, claim("done")), RESULT, RETENTION));
        Ownership running = own(store, claim("running", LEASE, MONTH, false));
        step(by);
        for (Claim claim :
                new Claim[] {claim("done"), claim("running"), claim("new"), claim("running", LEASE, RETENTION, true)}) {
            assertThatThrownBy(() -> get(store.claim(claim)))
                    .isInstanceOf(ClaimsRefusedException.class)
                    .hasMessageContaining("the body did not run")
                    .hasMessageContaining(by.startsWith("-") ? "jumped back by" : "jumped ahead by")
                    .hasMessageContaining("idempotency.jdbc.clock-jump-limit");
        }
        assertThat(get(store.purge(100))).isZero();
        assertThat(get(store.health()).usable()).isFalse();
        assertThat(get(store.complete(running, RESULT, RETENTION))).isEqualTo(new Settled.Applied());
        step("0");
        assertThat(get(store.claim(claim("done")))).isInstanceOf(ClaimResult.Duplicate.class);
        assertThat(Calls.find(store, "running").orElseThrow().state()).isEqualTo(RecordState.COMPLETED);
        own(store, claim("new"));
        assertThat(get(store.health()).usable()).isTrue();
    }

    /** It would tell its caller that the outcome is unknown, although the body runs. */
    @Test
    void nobodyIsToldThatALeaseIsOverByAClockThatIsNotBelieved() {
        Ownership running = own(store, claim("running", LEASE, MONTH, false));
        step(DAY_AHEAD);
        assertThatThrownBy(() -> get(store.find(Calls.id("running")))).hasMessageContaining("jumped ahead by");
        assertThatThrownBy(() -> get(store.claim(claim("running")))).hasMessageContaining("jumped ahead by");
        step("0");
        assertThat(get(store.release(running))).isEqualTo(new Settled.Applied());
    }

    /** Once the clock is right again, the record would be over, and a second body run beside the first. */
    @ParameterizedTest
    @ValueSource(strings = {"-2 hours", "-2 minutes"})
    void aBodyWhoseLeaseIsRenewedByAClockThatWasSetBackRunsAlone(String by) {
        Ownership running = own(store, claim("running", LEASE, HOUR, false));
        step(by);
        renewed(running);
        step("0");
        assertThat(Calls.find(store, "running").orElseThrow().doubt()).isNull();
        assertThat(get(store.claim(claim("running", LEASE, HOUR, true))))
                .isInstanceOfSatisfying(
                        ClaimResult.Duplicate.class,
                        told -> assertThat(told.record().state()).isEqualTo(RecordState.IN_PROGRESS));
    }

    private void renewed(Ownership own) {
        assertThat(get(store.renew(List.of(new Renewal(own, LEASE, HOUR))).get(0)))
                .isEqualTo(new Settled.Applied());
    }

    /** Nobody was told that a lease or a record is over by a clock that is not believed. */
    @Test
    void whatFinishesWorkWhileTheClockIsAheadFindsItsRecord() {
        Ownership renewed = own(store, claim("renewed", LEASE, HOUR, false));
        Ownership released = own(store, claim("released", LEASE, HOUR, false));
        Ownership completed = own(store, claim("completed", LEASE, HOUR, false));
        Ownership doubted = own(store, claim("doubted", LEASE, HOUR, false));
        step(DAY_AHEAD);
        renewed(renewed);
        assertThat(get(store.release(released))).isEqualTo(new Settled.Applied());
        assertThat(get(store.complete(completed, RESULT, MONTH))).isEqualTo(new Settled.Applied());
        assertThat(get(store.doubt(doubted, "unknown", MONTH))).isEqualTo(new Settled.Applied());
        step("0");
        assertThat(Calls.find(store, "renewed").orElseThrow().doubt()).isNull();
        renewed(renewed);
        assertThat(Calls.find(store, "renewed").orElseThrow().remainingLease())
                .as("no longer than a lease")
                .isLessThanOrEqualTo(LEASE);
        own(store, claim("released"));
        assertThat(Calls.find(store, "completed").orElseThrow().state()).isEqualTo(RecordState.COMPLETED);
        assertThat(Calls.find(store, "doubted").orElseThrow().doubt()).isEqualTo("unknown");
    }

    /** What was told stays true, although by the clock the lease stands again. */
    @Test
    void aRecordThatSomebodySawInDoubtIsNotReleasedAfterASmallStepBack() {
        Ownership running = own(store, claim("running", LEASE, MONTH, false));
        step("2 minutes");
        assertThat(Calls.find(store, "running").orElseThrow().state()).isEqualTo(RecordState.IN_DOUBT);
        step("0");
        assertThat(Calls.find(store, "running").orElseThrow().state()).isEqualTo(RecordState.IN_PROGRESS);
        assertThat(get(store.release(running))).isInstanceOf(Settled.Stale.class);
        assertThat(get(store.claim(claim("running")))).isInstanceOf(ClaimResult.Duplicate.class);
    }

    @Test
    void aSmallStepIsFollowed() {
        for (int minutes = 4; minutes <= 20; minutes += 4) {
            step(minutes + " minutes");
            own(store, claim("key" + minutes));
        }
    }

    @Test
    void aLargerLimitIsObeyed() {
        try (ApplicationContext patient = place.application("idempotency.jdbc.clock-jump-limit", "2d")) {
            IdempotencyStore there = store(patient);
            get(there.complete(own(there, claim("done")), RESULT, SHORT));
            step(DAY_AHEAD);
            own(there, claim("done"));
        }
    }

    @Test
    void aClockThatWasSetBackWhileNobodyLookedIsRefusedAtTheStart() {
        application.close();
        step(DAY_BACK);
        try (ApplicationContext next = place.application()) {
            assertThatThrownBy(() -> store(next))
                    .hasMessageContaining("it was set back")
                    .hasMessageContaining("The application does not start")
                    .hasMessageContaining("idempotency.jdbc.clock-jump-limit");
        }
        try (ApplicationContext next = place.application("idempotency.jdbc.clock-jump-limit", "2d")) {
            own(store(next), claim("key"));
        }
        try (ApplicationContext next = place.application()) {
            own(store(next), claim("other"));
        }
    }

    @Test
    void aClockThatWasSetBackWhileANodeRanIsRefusedAtTheNextStart() {
        own(store, claim("key"));
        step(DAY_BACK);
        assertThat(store.purge(100)).isZero();
        application.close();
        try (ApplicationContext next = place.application()) {
            assertThatThrownBy(() -> store(next)).hasMessageContaining("it was set back");
        }
    }

    /** MariaDB's session can be told the time. */
    @Test
    @Tag("mariadb")
    void onMariaDbAsWell() throws Exception {
        Place place = Place.mariaDb("mariadb");
        try (ApplicationContext maria = place.application("datasources.default.maximum-pool-size", 1)) {
            ClockWatch watch = new ClockWatch("default", Duration.ofMinutes(5), System::nanoTime);
            RecordTable there = table(maria, place, Dialect.MARIADB, watch);
            get(store(maria).complete(own(store(maria), claim("done")), RESULT, RETENTION));
            assertThat(watch.believes(ClockWatch.now(there.database()), false)).isTrue();
            replayOften(store(maria), there);
            try (Connection pooled = pool(maria).getConnection()) {
                Place.run(pooled, "SET timestamp = UNIX_TIMESTAMP() + 100000");
            }
            for (String key : new String[] {"done", "new"}) {
                assertThatThrownBy(() -> there.claim(claim(key), false)).hasMessageContaining("jumped ahead by");
            }
            assertThat(there.purge(100)).isZero();
            try (Connection pooled = pool(maria).getConnection()) {
                Place.run(pooled, "SET timestamp = DEFAULT");
            }
            assertThat(there.claim(claim("done"), false)).isInstanceOf(ClaimResult.Duplicate.class);
        }
    }

    @Test
    void whatATransactionOfH2ReadsOfItsStandingClockIsNotLearntFromAndNotBelievedForLong() throws Exception {
        Place h2 = Place.h2();
        AtomicLong nanos = new AtomicLong();
        try (ApplicationContext there = h2.application()) {
            store(there);
            ClockWatch watch = new ClockWatch("default", Duration.ofMinutes(5), nanos::get);
            RecordTable outside = table(there, h2, Dialect.H2, watch);
            assertThat(watch.believes(ClockWatch.now(outside.database()), false))
                    .isTrue();
            replayOften(store(there), outside);
            try (Connection transaction = pool(there).getConnection()) {
                transaction.setAutoCommit(false);
                RecordTable inside = outside.in(transaction, Duration.ZERO);
                nanos.addAndGet(Duration.ofSeconds(50).toNanos());
                long latest = watch.latestMs();
                assertThat(inside.claim(claim("young"), false)).isInstanceOf(ClaimResult.Acquired.class);
                assertThat(watch.latestMs()).isEqualTo(latest);
                nanos.addAndGet(Duration.ofSeconds(20).toNanos());
                assertThatThrownBy(() -> inside.claim(claim("old"), false))
                        .hasMessageContaining("the body did not run")
                        .hasMessageContaining("stands still");
                transaction.rollback();
            }
            assertThat(outside.claim(claim("after"), false)).isInstanceOf(ClaimResult.Acquired.class);
        }
    }

    /** After this, claims begin with a SELECT. */
    private static void replayOften(IdempotencyStore store, RecordTable table) {
        get(store.complete(own(store, claim("replayed")), RESULT, RETENTION));
        for (int i = 0; i < 64; i++) {
            table.claim(claim("replayed"), false);
        }
    }

    /** The records as they are reached through the application's connections. */
    private static RecordTable table(ApplicationContext application, Place place, Dialect dialect, ClockWatch watch) {
        DataSource pool = pool(application);
        ConnectionSource pooled = new ConnectionSource() {
            @Override
            public <T> T lend(CommandTimeout within, Work<T> work) throws SQLException {
                try (Connection connection = pool.getConnection()) {
                    return work.on(connection);
                }
            }
        };
        Statements statements = new Statements(dialect, new TableName(place.table()), false);
        return new RecordTable(
                new StatementRunner(
                        pooled,
                        statements,
                        new CommandTimeout(Duration.ofSeconds(2)),
                        connection -> {},
                        new OverdueStatements(),
                        null,
                        null),
                watch,
                new ReplayCount());
    }

    /** A session's time zone, and a change to summer time, must not move the clock. */
    @ParameterizedTest
    @ValueSource(strings = {"America/New_York", "Asia/Kathmandu", "UTC"})
    void theClockOfH2IsTheSameInEveryTimeZone(String zone) {
        Place h2 = Place.h2();
        try (ApplicationContext here = h2.with(";TIME ZONE=" + zone).application()) {
            own(store(here), claim("key"));
            assertThat(Calls.find(store(here), "key").orElseThrow().claimedAt())
                    .isCloseTo(Instant.now(), within(10, ChronoUnit.MINUTES));
        }
    }

    private static DataSource pool(ApplicationContext application) {
        return DelegatingDataSource.unwrapDataSource(application.getBean(DataSource.class));
    }

    /** H2 goes by this machine's clock, which no test may set: so it is the other clock that is shifted here. */
    @Test
    void onH2AsWell() {
        long[] behind = {0};
        ClockWatch watch = new ClockWatch("default", Duration.ofMinutes(5), () -> System.nanoTime() - behind[0]);
        Place h2 = Place.h2();
        try (ApplicationContext here = h2.application()) {
            RecordTable table = table(here, h2, Dialect.H2, watch);
            get(store(here).complete(own(store(here), claim("done")), RESULT, SHORT));
            await().until(() -> Calls.find(store(here), "done").isEmpty());
            assertThat(watch.believes(ClockWatch.now(table.database()), false)).isTrue();
            replayOften(store(here), table);
            behind[0] = Duration.ofDays(1).toNanos();
            for (String key : new String[] {"done", "new"}) {
                assertThatThrownBy(() -> table.claim(claim(key), false)).hasMessageContaining("jumped ahead by");
            }
            h2.run("UPDATE " + h2.table() + " SET fence = fence - 301000000");
            assertThat(table.purge(100)).isZero();
            behind[0] = 0;
            assertThat(table.claim(claim("done"), false)).isInstanceOf(ClaimResult.Acquired.class);
        }
    }
}
