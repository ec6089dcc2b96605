package io.idempotency.jdbc;

import static io.idempotency.jdbc.Calls.RESULT;
import static io.idempotency.jdbc.Calls.RETENTION;
import static io.idempotency.jdbc.Calls.claim;
import static io.idempotency.jdbc.Calls.get;
import static io.idempotency.jdbc.Calls.own;
import static io.idempotency.jdbc.Calls.store;
import static io.idempotency.jdbc.Calls.transactions;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import ch.qos.logback.classic.Level;
import io.idempotency.jdbc.sql.Dialect;
import io.idempotency.jdbc.sql.Schema;
import io.idempotency.jdbc.sql.Statements;
import io.idempotency.jdbc.sql.TableName;
import io.idempotency.runtime.store.Claim;
import io.idempotency.runtime.store.ClaimResult;
import io.idempotency.runtime.store.IdempotencyStore;
import io.idempotency.runtime.store.IdempotencyStore.ClaimsRefusedException;
import io.idempotency.runtime.store.Ownership;
import io.idempotency.runtime.store.Settled;
import io.idempotency.runtime.store.TransactionalStore;
import io.idempotency.test.logs.LogLines;
import io.idempotency.test.servers.PostgresServer;
import io.micronaut.context.ApplicationContext;
import io.micronaut.transaction.TransactionDefinition;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Where a durability is required, no claim is taken by a server that keeps less: at the start and ever after. */
@Tag("thorough")
class RequiredDurabilityTest {

    private static final String REQUIRED = "idempotency.jdbc.required-durability";
    private static final String INTERVAL = "idempotency.jdbc.durability-check-interval";

    /** Its settings change, so it is nobody else's. */
    private static PostgresServer server;

    private final Place place = Place.postgres(server);

    @BeforeAll
    static void start() {
        server = PostgresServer.onHost("fsync=on", "full_page_writes=on");
    }

    @AfterAll
    static void stop() {
        server.close();
    }

    @Test
    void whatAServerBeginsToForgetIsRefusedAndWhatFinishesWorkPasses() {
        try (ApplicationContext application = place.application(REQUIRED, "crash-safe", INTERVAL, "1ms")) {
            IdempotencyStore store = store(application);
            Claim claim = claim("before");
            Ownership before = own(store, claim);
            change("synchronous_commit = off");
            try {
                awaitRefusal(store);
                assertThatThrownBy(() -> get(store.claim(claim)))
                        .as("repeated, because its answer was lost")
                        .isInstanceOf(ClaimsRefusedException.class);
                assertThat(get(store.complete(before, RESULT, RETENTION))).isInstanceOf(Settled.Applied.class);
                assertThat(get(store.claim(claim("before")))).isInstanceOf(ClaimResult.Duplicate.class);
            } finally {
                change("synchronous_commit = on");
            }
            await().ignoreExceptions().untilAsserted(() -> own(store, claim(Place.fresh())));
        }
    }

    /** As after a fail-over: the interval is not over, but every connection is another one. */
    @Test
    void aServerThatComesBackWithLessIsRefusedAtOnce() {
        try (ApplicationContext application = place.application(REQUIRED, "crash-safe", INTERVAL, "1h")) {
            IdempotencyStore store = store(application);
            own(store, claim("before"));
            change("synchronous_commit = off");
            try {
                server.kill();
                server.restart();
                awaitRefusal(store);
                assertThat(Calls.find(store, "before")).isPresent();
                Ownership none = new Ownership(Calls.id("after"), "nobody", 1);
                assertThat(get(store.release(none))).isInstanceOf(Settled.Applied.class);
            } finally {
                change("synchronous_commit = on");
            }
        }
    }

    @Test
    void aClaimInTheCallersTransactionIsRefusedToo() {
        try (ApplicationContext application = place.application(REQUIRED, "crash-safe", INTERVAL, "1ms")) {
            IdempotencyStore store = store(application);
            change("synchronous_commit = off");
            try {
                awaitRefusal(store);
                assertThatThrownBy(() -> store.transactional()
                                .orElseThrow()
                                .inTransaction(
                                        Duration.ofSeconds(1), inside -> get(inside.claim(claim(Place.fresh())))))
                        .hasMessageContaining("requires durability crash-safe");
            } finally {
                change("synchronous_commit = on");
            }
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"crash-safe", "replicated"})
    void aServerWithoutFsyncIsRefusedAtStartUp(String level) {
        refused(Place.postgres(), level, "fsync=off");
    }

    @Test
    void anUnloggedTableIsRefusedAtStartUp() {
        try (ApplicationContext application = place.application()) {
            store(application);
        }
        place.run("ALTER TABLE " + place.table() + " SET UNLOGGED");
        refused(place, "crash-safe", "an UNLOGGED table");
    }

    @Test
    void anUnloggedPartitionIsRefusedAtStartUp() {
        place.run(Schema.script(Dialect.POSTGRESQL, new TableName(place.table()))
                .replaceFirst("\\n\\);", "\n) PARTITION BY HASH (id);"));
        place.run("CREATE UNLOGGED TABLE " + Place.fresh() + " PARTITION OF " + place.table()
                + " FOR VALUES WITH (MODULUS 1, REMAINDER 0)");
        refused(place, "crash-safe", "an UNLOGGED table");
    }

    @Test
    void aServerWithoutASynchronousStandbyIsNotReplicated() {
        refused(place, "replicated", "synchronous_standby_names=''");
    }

    @ParameterizedTest
    @ValueSource(strings = {"on,REPLICATED", "remote_apply,REPLICATED", "remote_write,CRASH_SAFE", "local,CRASH_SAFE"})
    void withASynchronousStandbyTheCommitDecides(String expected) throws Exception {
        String[] commitAndLevel = expected.split(",", 2);
        change("synchronous_standby_names = 'elsewhere'");
        try (ApplicationContext none = Place.postgres().application();
                var connection = java.sql.DriverManager.getConnection(
                        place.url() + "?options=-c%20synchronous_commit=" + commitAndLevel[0],
                        place.user(),
                        place.password())) {
            Durability durability = new Durability(
                    none.getBean(JdbcStoreConfiguration.class),
                    new Statements(Dialect.POSTGRESQL, new TableName(place.table()), false));
            await().untilAsserted(
                            () -> assertThat(durability.ask(connection).level()).hasToString(commitAndLevel[1]));
        } finally {
            change("synchronous_standby_names = ''");
        }
    }

    @Test
    void aFileOfH2IsCrashSafeAndMemoryIsNot(@TempDir Path directory) {
        Place file = Place.h2("jdbc:h2:file:" + directory.toAbsolutePath() + "/records");
        try (ApplicationContext application = file.application(REQUIRED, "crash-safe")) {
            own(store(application), claim("key"));
        }
        refused(file, "replicated", "records");
        refused(Place.h2(), "crash-safe", "in memory");
    }

    @ParameterizedTest
    @ValueSource(strings = {"none", "crash-safe"})
    void aServerThatTakesNoWritesIsRefusedAtStartUpAndSaidLater(String level) {
        String database = Place.fresh();
        place.run("CREATE DATABASE " + database);
        Place own = new Place(
                place.url().replaceFirst("/[^/]+$", "/" + database), place.user(), place.password(), place.table());
        try (ApplicationContext application = own.application(REQUIRED, level)) {
            IdempotencyStore store = store(application);
            own(store, claim("before", Calls.SHORT, RETENTION, false));
            place.run("ALTER DATABASE " + database + " SET default_transaction_read_only = on");
            place.run("SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = '" + database + "'");
            await().untilAsserted(() -> assertThatThrownBy(() -> get(store.claim(claim(Place.fresh()))))
                    .isInstanceOf(ClaimsRefusedException.class)
                    .hasMessageContaining("takes no writes")
                    .hasMessageContaining("the body did not run"));
            assertThatThrownBy(() -> get(store.claim(claim("before"))))
                    .as("a record in doubt, which the server cannot keep as seen")
                    .isInstanceOf(ClaimsRefusedException.class);
        }
        try (ApplicationContext application = own.application(REQUIRED, level)) {
            assertThatThrownBy(() -> store(application))
                    .hasMessageContaining("takes no writes")
                    .hasMessageContaining("The application does not start")
                    .hasMessageContaining("datasources.default.url");
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"none", "crash-safe"})
    void aReadOnlyTransactionThatAnOperationJoinsIsNotTakenForAReadOnlyServer(String level) {
        LogLines log = LogLines.of(Durability.class.getPackageName());
        try (log;
                ApplicationContext application = place.application(REQUIRED, level)) {
            TransactionalStore store = store(application).transactional().orElseThrow();
            assertThatThrownBy(() -> transactions(application)
                            .execute(
                                    TransactionDefinition.READ_ONLY,
                                    outer -> store.inTransaction(
                                            Duration.ZERO, inside -> inside.claim(claim(Place.fresh())))))
                    .hasMessageContaining("joined a read-only transaction")
                    .hasMessageContaining("the body did not run");
            assertThat(log.messages(Level.ERROR)).isEmpty();
        }
    }

    @Test
    void aFileOfH2ThatIsReadOnlyIsRefusedAtStartUp(@TempDir Path directory) {
        Place file = Place.h2("jdbc:h2:file:" + directory.toAbsolutePath() + "/records");
        try (ApplicationContext application = file.application()) {
            store(application);
        }
        try (ApplicationContext application = file.with(";ACCESS_MODE_DATA=r").application()) {
            assertThatThrownBy(() -> store(application)).hasMessageContaining("takes no writes");
        }
    }

    private static void refused(Place where, String level, String because) {
        try (ApplicationContext application = where.application(REQUIRED, level)) {
            assertThatThrownBy(() -> store(application))
                    .hasMessageContaining("requires durability " + level + " (" + REQUIRED + ")")
                    .hasMessageContaining(because)
                    .hasMessageContaining("The application does not start");
        }
    }

    private static void awaitRefusal(IdempotencyStore store) {
        await().untilAsserted(() -> assertThatThrownBy(() -> get(store.claim(claim(Place.fresh()))))
                .isInstanceOf(ClaimsRefusedException.class)
                .hasMessageContaining("the body did not run")
                .hasMessageContaining("requires durability crash-safe")
                .hasMessageContaining("synchronous_commit=off")
                .hasMessageContaining("what finishes work passes"));
    }

    private void change(String setting) {
        place.run("ALTER SYSTEM SET " + setting);
        place.run("SELECT pg_reload_conf()");
    }
}
