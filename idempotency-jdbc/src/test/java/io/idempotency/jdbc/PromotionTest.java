package io.idempotency.jdbc;

import static io.idempotency.jdbc.Calls.RESULT;
import static io.idempotency.jdbc.Calls.RETENTION;
import static io.idempotency.jdbc.Calls.claim;
import static io.idempotency.jdbc.Calls.id;
import static io.idempotency.jdbc.Calls.own;
import static io.idempotency.jdbc.Calls.store;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;
import static org.awaitility.Awaitility.await;

import ch.qos.logback.classic.Level;
import com.zaxxer.hikari.HikariDataSource;
import io.idempotency.runtime.store.AuditNote;
import io.idempotency.runtime.store.ClaimResult;
import io.idempotency.runtime.store.IdempotencyStore;
import io.idempotency.runtime.store.IdempotencyStore.ClaimsRefusedException;
import io.idempotency.runtime.store.RecordQuery;
import io.idempotency.runtime.store.RecordState;
import io.idempotency.runtime.store.RecordsMayBeMissing;
import io.idempotency.runtime.store.Resolution;
import io.idempotency.runtime.store.Settled;
import io.idempotency.runtime.store.StoredRecord;
import io.idempotency.test.logs.LogLines;
import io.idempotency.test.servers.PostgresServer;
import io.micronaut.context.ApplicationContext;
import io.micronaut.context.BeanProvider;
import io.micronaut.context.annotation.Requires;
import io.micronaut.context.event.ApplicationEventListener;
import io.micronaut.data.connection.jdbc.advice.DelegatingDataSource;
import jakarta.inject.Named;
import jakarta.inject.Singleton;
import java.sql.Connection;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.stream.Stream;
import javax.sql.DataSource;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** A standby of PostgreSQL takes the primary's place. */
@Tag("thorough")
class PromotionTest {

    private static final String INTERVAL = "idempotency.jdbc.durability-check-interval";
    private static final String LISTENS = "test.promotions";
    private static final String HEALTH = "recordsMayBeMissing";

    private final LogLines log = LogLines.of(PromotionWatch.class.getPackageName());

    /** As an application hears of it, whose listener is broken. */
    @Singleton
    @Requires(property = LISTENS)
    static class Heard implements ApplicationEventListener<RecordsMayBeMissing> {

        private final Queue<RecordsMayBeMissing> events = new ConcurrentLinkedQueue<>();

        @Override
        public void onApplicationEvent(RecordsMayBeMissing event) {
            events.add(event);
            throw new IllegalStateException("a defect of the listener, which must not stop claims");
        }
    }

    @AfterEach
    void stopListening() {
        log.close();
    }

    @Test
    void anAsynchronousStandbyThatIsPromotedIsReportedByEveryNodeOnce() {
        try (PostgresServer primary = PostgresServer.onHost();
                PostgresServer standby = primary.standby()) {
            Place place = onBoth(primary, standby);
            try (ApplicationContext application = place.application(LISTENS, true, INTERVAL, "1ms")) {
                IdempotencyStore store = store(application);
                store.complete(own(store, claim("before")), RESULT, RETENTION);
                await().ignoreExceptions()
                        .until(
                                () -> standing(standby, place).ask("SELECT count(*) FROM " + place.table()),
                                "2"::equals);
                assertThat(store.health().details()).doesNotContainKey(HEALTH);

                primary.kill();
                standing(standby, place).run("SELECT pg_promote()");
                await().ignoreExceptions().untilAsserted(() -> own(store, claim(Place.fresh())));

                assertThat(application.getBean(Heard.class).events)
                        .singleElement()
                        .satisfies(event -> {
                            assertThat(event.store()).isEqualTo("jdbc");
                            assertThat(event.from()).isBefore(event.until());
                            assertThat(event.reason()).contains("promoted (timeline 2)");
                        });
                assertThat(store.health().details().get(HEALTH)).contains("timeline 2");
                assertThat(log.messages(Level.ERROR))
                        .singleElement()
                        .asString()
                        .contains("claims acknowledged between")
                        .contains("required-durability: replicated");
                assertThat(Calls.find(store, "before")).isPresent();
            }
            log.clear();
            try (ApplicationContext later = place.application(LISTENS, true)) {
                own(store(later), claim(Place.fresh()));
                assertThat(later.getBean(Heard.class).events).isEmpty();
            }
            assertThat(log.messages(Level.ERROR)).isEmpty();
        }
    }

    @Test
    void aPromotionWhileNoNodeRanIsReportedByTheFirstThatStarts() {
        try (PostgresServer server = PostgresServer.onHost()) {
            Place place = Place.postgres(server);
            try (ApplicationContext application = place.application()) {
                own(store(application), claim("before"));
            }
            Instant kept = kept(place);
            promoted(server, place);
            try (ApplicationContext application = place.application(LISTENS, true)) {
                own(store(application), claim("after"));
                assertThat(application.getBean(Heard.class).events)
                        .singleElement()
                        .satisfies(event -> assertThat(event.from()).isEqualTo(kept));
                assertThat(kept(place)).isAfter(kept);
            }
        }
    }

    @Test
    void everyNodeReportsTheSameBeginHoweverLateItLooks() {
        try (PostgresServer server = PostgresServer.onHost()) {
            Place place = Place.postgres(server);
            try (ApplicationContext first = place.application(LISTENS, true, INTERVAL, "1ms");
                    ApplicationContext last = place.application(LISTENS, true, INTERVAL, "1ms")) {
                Stream.of(first, last).forEach(node -> own(store(node), claim(Place.fresh())));
                Instant kept = kept(place);
                promoted(server, place);
                await().ignoreExceptions()
                        .until(
                                () -> store(first).purge(10),
                                removed -> kept(place).isAfter(kept));
                await().ignoreExceptions().untilAsserted(() -> own(store(last), claim(Place.fresh())));
                assertThat(Stream.of(first, last).flatMap(node -> node.getBean(Heard.class).events.stream()))
                        .hasSize(2)
                        .allSatisfy(event -> assertThat(event.from()).isEqualTo(kept));
            }
        }
    }

    private static Instant kept(Place place) {
        return Instant.ofEpochMilli(
                Long.parseLong(place.ask("SELECT claimed_at_ms FROM " + place.table() + " WHERE state = 'CLOCK'")));
    }

    /** As an application that calls somebody, once for each promotion, and waits for it. */
    @Singleton
    @Requires(property = "test.calling")
    static class Calling implements ApplicationEventListener<RecordsMayBeMissing> {

        private final BeanProvider<IdempotencyStore> store;
        private final Queue<Throwable> told = new ConcurrentLinkedQueue<>();

        Calling(@Named("jdbc") BeanProvider<IdempotencyStore> store) {
            this.store = store;
        }

        @Override
        public void onApplicationEvent(RecordsMayBeMissing event) {
            told.add(CompletableFuture.supplyAsync(
                            () -> catchThrowable(() -> store.get().claim(claim("call"))), PromotionTest::inAThread)
                    .join());
        }
    }

    /** Not on the common pool, which may have one thread, on which the JDK tells of a process's end. */
    private static void inAThread(Runnable task) {
        new Thread(task, "of a test").start();
    }

    @Test
    void aListenerMayClaimAndWhoAsksADatabaseThatIsGoneDoesNotQueue() throws Exception {
        try (PostgresServer server = PostgresServer.onHost("fsync=on", "full_page_writes=on");
                PostgresServer standby = server.standby("application_name=standby")) {
            Place place = replicated(server);
            try (ApplicationContext application = place.application(
                    "idempotency.jdbc.required-durability",
                    "replicated",
                    "idempotency.jdbc.command-timeout",
                    "1s",
                    "test.calling",
                    true)) {
                IdempotencyStore store = store(application);
                await().ignoreExceptions().untilAsserted(() -> own(store, claim("before")));
                promoted(server, place);
                await().atMost(Duration.ofMinutes(1))
                        .untilAsserted(() -> assertThatThrownBy(() -> store.claim(claim(Place.fresh())))
                                .hasMessageContaining("settle the record"));
                assertThat(application.getBean(Calling.class).told)
                        .singleElement()
                        .isInstanceOf(ClaimsRefusedException.class);
                assertThat(log.messages(Level.ERROR)).hasSize(1);

                server.kill();
                List<CompletableFuture<Throwable>> callers = Stream.generate(() -> CompletableFuture.supplyAsync(
                                () -> catchThrowable(() -> store.claim(claim(Place.fresh()))),
                                PromotionTest::inAThread))
                        .limit(40)
                        .toList();
                // one after the other they took a connection's time-out each
                CompletableFuture.allOf(callers.toArray(CompletableFuture[]::new))
                        .get(20, TimeUnit.SECONDS);
                assertThat(callers).allSatisfy(told -> assertThat(told.join()).isNotNull());
            }
            assertThat(standby.port()).isPositive();
        }
    }

    @Test
    void whereReplicationIsRequiredNothingIsClaimedBeforeAnOperatorHasConfirmed() {
        try (PostgresServer server = PostgresServer.onHost("fsync=on", "full_page_writes=on");
                PostgresServer standby = server.standby("application_name=standby")) {
            Place place = replicated(server);
            try (ApplicationContext application = place.application(
                    "idempotency.jdbc.required-durability",
                    "replicated",
                    "idempotency.jdbc.pool-size",
                    3,
                    INTERVAL,
                    "1ms")) {
                IdempotencyStore store = store(application);
                own(store, claim("before"));

                promoted(server, place);
                await().atMost(Duration.ofMinutes(1))
                        .untilAsserted(() -> assertThatThrownBy(() -> store.claim(claim(Place.fresh())))
                                .isInstanceOf(ClaimsRefusedException.class)
                                .hasMessageContaining("the body did not run")
                                .hasMessageContaining("promoted to timeline 2")
                                .hasMessageContaining("settle the record"));
                assertThatThrownBy(() -> store.transactional()
                                .orElseThrow()
                                .inTransaction(Duration.ofSeconds(1), inside -> inside.claim(claim("inside"))))
                        .hasMessageContaining("promoted to timeline 2");
                assertThat(Calls.find(store, "before")).isPresent();
                assertThat(store.health().usable()).isFalse();

                // of a server that lost its other standbys an operator takes this back, or nothing is committed
                switchReplication(place, "");
                await().during(Duration.ofSeconds(2)).untilAsserted(() -> {
                    assertThat(store.purge(10)).isZero();
                    assertThatThrownBy(() -> store.claim(claim(Place.fresh())))
                            .hasMessageContaining("settle the record");
                });
                switchReplication(place, "*");

                RecordQuery query =
                        new RecordQuery(RecordState.IN_DOUBT, PromotionWatch.OPERATION, Duration.ZERO, null, 10);
                List<StoredRecord> asked = store.list(query);
                assertThat(asked).hasSize(1);
                Settled settled = store.resolve(
                        asked.get(0).id(),
                        asked.get(0).fence(),
                        new Resolution.Complete(RESULT, RETENTION),
                        new AuditNote("operator: compared with the ledger", RETENTION));
                assertThat(settled).isInstanceOf(Settled.Applied.class);
                await().ignoreExceptions().untilAsserted(() -> own(store, claim(Place.fresh())));
                assertThat(store.health().usable()).isTrue();
            }
            assertThat(standby.port()).isPositive();
        }
    }

    @Test
    void aTransactionThatWaitedForItsConnectionMeanwhileClaimsNothingEither() throws Exception {
        try (PostgresServer server = PostgresServer.onHost("fsync=on", "full_page_writes=on");
                PostgresServer standby = server.standby("application_name=standby")) {
            Place place = replicated(server);
            try (ApplicationContext application = place.application(
                    "idempotency.jdbc.required-durability",
                    "replicated",
                    "datasources.default.maximum-pool-size",
                    1,
                    "datasources.default.connection-timeout",
                    120_000)) {
                IdempotencyStore store = store(application);
                own(store, claim("before"));
                CompletableFuture<Throwable> waiting;
                HikariDataSource pool =
                        (HikariDataSource) DelegatingDataSource.unwrapDataSource(application.getBean(DataSource.class));
                Connection only = pool.getConnection();
                try {
                    waiting = CompletableFuture.supplyAsync(
                            () -> catchThrowable(() -> store.transactional()
                                    .orElseThrow()
                                    .inTransaction(Duration.ZERO, view -> view.claim(claim("inside")))),
                            PromotionTest::inAThread);
                    await().until(() -> pool.getHikariPoolMXBean().getThreadsAwaitingConnection() == 1);
                    promoted(server, place);
                    await().atMost(Duration.ofMinutes(1))
                            .untilAsserted(() -> assertThatThrownBy(() -> store.claim(claim(Place.fresh())))
                                    .hasMessageContaining("settle the record"));
                } finally {
                    pool.evictConnection(only); // the server has closed it
                }
                assertThat(waiting.join())
                        .hasMessageContaining("the body did not run")
                        .hasMessageContaining("settle the record");
            }
            assertThat(standby.port()).isPositive();
        }
    }

    private record Replicated(Place place, IdempotencyStore store, PostgresServer server, PostgresServer standby) {}

    private static void whereReplicationIsRequired(String commandTimeout, Consumer<Replicated> test) {
        try (PostgresServer server = PostgresServer.onHost("fsync=on", "full_page_writes=on");
                PostgresServer standby = server.standby("application_name=standby")) {
            Place place = replicated(server);
            try (ApplicationContext application = place.application(
                    "idempotency.jdbc.required-durability",
                    "replicated",
                    "idempotency.jdbc.command-timeout",
                    commandTimeout)) {
                IdempotencyStore store = store(application);
                await().ignoreExceptions().untilAsserted(() -> own(store, claim("before")));
                test.accept(new Replicated(place, store, server, standby));
            }
        }
    }

    /** Cancelled by the command time-out, PostgreSQL answers success. */
    @Test
    void whereReplicationIsRequiredNoClaimIsAcknowledgedThatNoStandbyHas() {
        whereReplicationIsRequired("1s", its -> {
            its.standby.kill();
            assertThatThrownBy(() -> its.store.claim(claim("during")))
                    .isInstanceOf(ClaimsRefusedException.class)
                    .hasMessageContaining("no standby may have it");
            its.server.kill();
            its.standby.restart();
            Place there = standing(its.standby, its.place);
            there.run("SELECT pg_promote()");
            assertThat(there.ask("SELECT count(*) FROM " + its.place.table() + " WHERE id = '"
                            + id("during").value() + "'"))
                    .isEqualTo("0");
        });
    }

    /** A caller is told for good that the outcome is unknown, and after a fail-over the key would run. */
    @Test
    void whereReplicationIsRequiredWhatIsInDoubtIsNotSaidBeforeAStandbyHasIt() {
        whereReplicationIsRequired("1s", its -> {
            its.standby.kill();
            String[] calls = {"its claim", "a duplicate, which writes that the lease is over", "a later one"};
            for (String call : calls) {
                assertThatThrownBy(() -> its.store.claim(claim("during", Calls.SHORT, RETENTION, false)))
                        .as(call)
                        .isInstanceOf(ClaimsRefusedException.class)
                        .hasMessageContaining("no standby may have it");
            }
            assertThat(its.store.find(id("during")))
                    .as("an operator's look")
                    .hasValueSatisfying(seen -> assertThat(seen.state()).isEqualTo(RecordState.IN_DOUBT));
            its.standby.restart();
            await().atMost(Duration.ofMinutes(1))
                    .ignoreExceptions()
                    .untilAsserted(() -> assertThat(its.store.claim(claim("during")))
                            .isInstanceOfSatisfying(
                                    ClaimResult.Duplicate.class,
                                    told -> assertThat(told.record().state()).isEqualTo(RecordState.IN_DOUBT)));
        });
    }

    @Test
    void whereReplicationIsRequiredAndSwitchedOffWhatIsInDoubtIsNotSaidEither() {
        whereReplicationIsRequired("1s", its -> {
            try (ApplicationContext node = its.place.application(
                    "idempotency.jdbc.required-durability",
                    "replicated",
                    "idempotency.jdbc.command-timeout",
                    "1s",
                    INTERVAL,
                    "1ms")) {
                IdempotencyStore store = store(node);
                its.standby.kill();
                assertThatThrownBy(() -> store.claim(claim("during", Calls.SHORT, RETENTION, false)))
                        .hasMessageContaining("no standby may have it");
                switchReplication(its.place, "");
                await().untilAsserted(() -> assertThatThrownBy(() -> store.claim(claim(Place.fresh())))
                        .hasMessageContaining("requires durability replicated"));
                await().untilAsserted(() -> assertThat(store.find(id("during")))
                        .hasValueSatisfying(seen -> assertThat(seen.state()).isEqualTo(RecordState.IN_DOUBT)));
                assertThatThrownBy(() -> store.claim(claim("during"))).isInstanceOf(ClaimsRefusedException.class);
            }
        });
    }

    /** It is sent in a transaction, whose commit waits for the standbys until an operator has enough of it. */
    @Test
    void whereReplicationIsRequiredAClaimThatIsSentAgainIsNotAcknowledgedEither() {
        whereReplicationIsRequired("2s", its -> {
            its.place.rollBackInserts(1);
            its.standby.kill();
            CompletableFuture<Throwable> told = CompletableFuture.supplyAsync(
                    () -> catchThrowable(() -> its.store.claim(claim("during"))), PromotionTest::inAThread);
            String cancelled = "SELECT count(pg_cancel_backend(pid)) FROM pg_stat_activity"
                    + " WHERE wait_event = 'SyncRep' AND query LIKE 'COMMIT%'";
            await().until(() -> its.place.ask(cancelled), "1"::equals);
            assertThat(told.join())
                    .isInstanceOf(ClaimsRefusedException.class)
                    .hasMessageContaining("no standby may have it");
        });
    }

    private static Place replicated(PostgresServer server) {
        Place place = Place.postgres(server);
        switchReplication(place, "*");
        return place;
    }

    private static void switchReplication(Place place, String standbys) {
        place.run("ALTER SYSTEM SET synchronous_standby_names = '" + standbys + "'");
        place.run("SELECT pg_reload_conf()");
    }

    private static void promoted(PostgresServer server, Place place) {
        server.restartAsStandby();
        place.run("SELECT pg_promote()");
    }

    private static Place standing(PostgresServer server, Place place) {
        return new Place(server.url(), place.user(), place.password(), place.table());
    }

    /** The driver finds the one that is primary. */
    private static Place onBoth(PostgresServer first, PostgresServer second) {
        String there = first.host() + ":" + first.port();
        String both = there + "," + second.host() + ":" + second.port();
        return new Place(
                first.url().replace(there, both) + "?targetServerType=primary&connectTimeout=2",
                first.user(),
                first.password(),
                Place.fresh());
    }
}
