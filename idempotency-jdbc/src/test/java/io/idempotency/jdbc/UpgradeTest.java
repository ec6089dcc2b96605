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
import static org.awaitility.Awaitility.await;

import io.idempotency.jdbc.sql.Dialect;
import io.idempotency.jdbc.sql.Schema;
import io.idempotency.jdbc.sql.TableName;
import io.idempotency.runtime.store.AuditNote;
import io.idempotency.runtime.store.Claim;
import io.idempotency.runtime.store.ClaimResult;
import io.idempotency.runtime.store.IdempotencyStore;
import io.idempotency.runtime.store.RecordState;
import io.idempotency.runtime.store.Settled;
import io.idempotency.runtime.store.StoredRecord;
import io.micronaut.context.ApplicationContext;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Predicate;
import java.util.stream.IntStream;
import liquibase.Contexts;
import liquibase.LabelExpression;
import liquibase.Liquibase;
import liquibase.database.Database;
import liquibase.database.DatabaseFactory;
import liquibase.database.jvm.JdbcConnection;
import liquibase.resource.ClassLoaderResourceAccessor;
import org.flywaydb.core.Flyway;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** A table of version 1, with records and with nodes that still run version 1 on it, becomes one of this version. */
@Tag("thorough")
class UpgradeTest {

    /** H2 forgets rows that are written while it alters a table: the table is altered while no node runs. */
    @Nested
    class OnH2 extends Upgrades {
        OnH2() {
            super(Place.h2(), Dialect.H2);
        }

        @Override
        String versionOne(String script) {
            return script.replaceAll("(?s)format_version (.*?),.*?\\);", "format_version $1);")
                    .replaceAll("(?m)^CREATE INDEX.*_open.*$", "");
        }

        @Override
        void beforeNewNodes() {
            String script = Schema.script(dialect, new TableName(here.table()));
            run(script.substring(script.indexOf(SECOND)));
        }

        @Override
        String cure() {
            return "Stop the other nodes: H2 forgets what they write";
        }

        @Test
        void aNodeThatMayMakeTheTableDoesNotAlterIt() throws Exception {
            old.claim(claim("live"));
            try (ApplicationContext application = here.application()) {
                assertThatThrownBy(() -> store(application))
                        .hasMessageContaining("is of schema version 1, and this library needs version 2")
                        .hasMessageContaining(cure())
                        .satisfies(e -> run(remedy(e)));
            }
            try (ApplicationContext application = here.application()) {
                assertThat(state(store(application), "live")).isEqualTo(RecordState.IN_PROGRESS);
            }
        }
    }

    @Nested
    class OnPostgres extends UpgradesByNodes {
        OnPostgres() {
            super(Place.postgres(), Dialect.POSTGRESQL);
        }
    }

    @Nested
    @Tag("mariadb")
    class OnMariaDb extends UpgradesByNodes {
        OnMariaDb() {
            super(Place.mariaDb("mariadb"), Dialect.MARIADB);
        }
    }

    abstract static class Upgrades {

        static final String SECOND = "-- Micronaut Idempotency, schema version 2";

        final Place here;
        final Dialect dialect;
        VersionOne old;

        Upgrades(Place here, Dialect dialect) {
            this.here = here;
            this.dialect = dialect;
        }

        @BeforeEach
        void makeTheTableOfVersionOne() throws Exception {
            String script = Schema.script(dialect, new TableName(here.table()));
            run(versionOne(script.substring(0, script.indexOf(SECOND))));
            old = new VersionOne(here, dialect);
        }

        String versionOne(String script) {
            return script;
        }

        /** What is done before the first new node starts, which upgrades the table. */
        void beforeNewNodes() {}

        /** What the refusal of a table of version 1 says to do, besides the statements. */
        String cure() {
            return "idempotency.jdbc.schema to create";
        }

        final void run(String script) {
            for (String statement : script.replaceAll("(?m)^--.*$", "").split(";", -1)) {
                if (!statement.isBlank()) {
                    here.run(statement);
                }
            }
        }

        @AfterEach
        void stop() throws Exception {
            old.close();
        }

        @Test
        void recordsOfVersionOneAreReplayedCompletedAndTakenOver() throws Exception {
            Claim paid = claim("paid");
            old.complete(paid, old.claim(paid).fence(), RESULT, RETENTION);
            Claim running = claim("running");
            long fence = old.claim(running).fence();
            old.claim(claim("abandoned", SHORT, RETENTION, false));
            Claim gone = claim("gone");
            old.complete(gone, old.claim(gone).fence(), RESULT, SHORT);
            beforeNewNodes();
            try (ApplicationContext application = here.application()) {
                IdempotencyStore store = store(application);
                assertThat(get(store.claim(claim("paid"))))
                        .isInstanceOfSatisfying(
                                ClaimResult.Duplicate.class,
                                replay -> assertThat(replay.record().result()).isEqualTo(RESULT));
                assertThat(state(store, "running")).isEqualTo(RecordState.IN_PROGRESS);
                assertThat(get(store.claim(claim("abandoned", LEASE, RETENTION, true))))
                        .isInstanceOfSatisfying(
                                ClaimResult.Acquired.class,
                                taken -> assertThat(taken.attempt()).isEqualTo(2));
                own(store, claim("gone"));
                assertThat(old.complete(running, fence, RESULT, RETENTION)).isOne();
                assertThat(state(store, "running")).isEqualTo(RecordState.COMPLETED);
            }
        }

        @Test
        void recordsOfVersionOneThatExpiredArePurged() throws Exception {
            Claim gone = claim("gone");
            old.complete(gone, old.claim(gone).fence(), RESULT, SHORT);
            here.run("UPDATE " + here.table() + " SET fence = 1"); // young ones are not purged in any case
            beforeNewNodes();
            try (ApplicationContext application = here.application()) {
                IdempotencyStore store = store(application);
                await().until(() -> Calls.find(store, "gone").isEmpty());
                assertThat(get(store.purge(10))).isOne();
            }
        }

        /** The old nodes are refused where the new ones own a key; nobody runs a key of the other again. */
        @Test
        void oldNodesGoOnBesideNewOnes() throws Exception {
            old.claim(claim("warm"));
            beforeNewNodes();
            try (ApplicationContext application = here.application()) {
                IdempotencyStore store = store(application);
                Claim theirs = claim("theirs");
                long fence = old.claim(theirs).fence();
                assertThat(get(store.claim(claim("theirs")))).isInstanceOf(ClaimResult.Duplicate.class);
                assertThat(old.complete(theirs, fence, RESULT, RETENTION)).isOne();
                assertThat(get(store.claim(claim("theirs")))).isInstanceOf(ClaimResult.Duplicate.class);
                get(store.complete(own(store, claim("ours")), RESULT, RETENTION));
                VersionOne.Answer answer = old.claim(claim("ours"));
                assertThat(answer.format())
                        .as("newer than 1: an old node refuses it")
                        .isEqualTo(2);
                assertThat(get(store.claim(claim("ours")))).isInstanceOf(ClaimResult.Duplicate.class);
            }
        }

        /** What the new node wrote on the row before must not count against the old one's record. */
        @Test
        void aKeyOfANewNodeThatExpiredMayBeAnOldNodesNext() throws Exception {
            beforeNewNodes();
            try (ApplicationContext application = here.application()) {
                IdempotencyStore store = store(application);
                get(store.complete(own(store, claim("key")), RESULT, SHORT));
                await().until(() -> Calls.find(store, "key").isEmpty());
                Claim next = claim("key");
                VersionOne.Answer answer = old.claim(next);
                assertThat(answer.owner()).isEqualTo(next.owner());
                assertThat(old.complete(next, answer.fence(), RESULT, RETENTION))
                        .isOne();
                assertThat(get(store.claim(claim("key")))).isInstanceOf(ClaimResult.Duplicate.class);
                AuditNote note = new AuditNote("anna: the customer asked for it", RETENTION);
                assertThat(get(store.erase(next.id(), note))).isInstanceOf(Settled.Applied.class);
            }
        }

        @Test
        void aKeyThatBothClaimAtOnceHasOneOwner() throws Exception {
            beforeNewNodes();
            try (ApplicationContext application = here.application();
                    Crowd crowd = new Crowd(2)) {
                IdempotencyStore store = store(application);
                for (int i = 0; i < 50; i++) {
                    String key = "key" + i;
                    AtomicBoolean taken = new AtomicBoolean();
                    List<Boolean> owners = crowd.atOnce(() -> taken.compareAndSet(false, true)
                            ? get(store.claim(claim(key))) instanceof ClaimResult.Acquired
                            : oldOwns(claim(key)));
                    assertThat(owners).containsExactlyInAnyOrder(true, false);
                }
            }
        }

        final boolean oldOwns(Claim claim) {
            try {
                return old.claim(claim).owner().equals(claim.owner());
            } catch (SQLException e) {
                throw new IllegalStateException(e);
            }
        }

        @Test
        void outsideOfTestAndDevTheStatementsThatUpgradeAreInTheError() {
            try (ApplicationContext application = here.start("prod")) {
                assertThatThrownBy(() -> store(application))
                        .hasMessageContaining("is of schema version 1, and this library needs version 2")
                        .hasMessageContaining(cure())
                        .satisfies(e -> run(remedy(e)));
            }
            try (ApplicationContext application = here.start("prod")) {
                own(store(application), claim("key"));
            }
        }

        static String remedy(Throwable failure) {
            Throwable cause = failure;
            while (cause.getCause() != null) {
                cause = cause.getCause();
            }
            return String.valueOf(cause.getMessage()).split("\n", 2)[1];
        }

        @Test
        void flywayRunsTheNumberedScriptsUnderTheTablesName() {
            String name = Place.fresh();
            Flyway.configure()
                    .dataSource(here.url(), here.user(), here.password())
                    .locations("classpath:" + dialect.folder())
                    .placeholders(Map.of("idempotency", name))
                    .table("history_" + name)
                    .baselineOnMigrate(true)
                    .load()
                    .migrate();
            assertFits(name);
        }

        @Test
        void liquibaseRunsThemAsWell() throws Exception {
            String name = Place.fresh();
            try (Connection connection = DriverManager.getConnection(here.url(), here.user(), here.password())) {
                Database database =
                        DatabaseFactory.getInstance().findCorrectDatabaseImplementation(new JdbcConnection(connection));
                database.setDatabaseChangeLogTableName("log_" + name);
                database.setDatabaseChangeLogLockTableName("lock_" + name);
                Liquibase liquibase =
                        new Liquibase("changelog-of-an-application.xml", new ClassLoaderResourceAccessor(), database);
                liquibase.setChangeLogParameter("idempotency", name);
                liquibase.update(new Contexts(), new LabelExpression());
            }
            assertFits(name);
        }

        private void assertFits(String name) {
            Place migrated = new Place(here.url(), here.user(), here.password(), name);
            try (ApplicationContext application = migrated.start("prod")) {
                own(store(application), claim("key"));
            }
        }

        static RecordState state(IdempotencyStore store, String key) {
            return Calls.find(store, key).map(StoredRecord::state).orElseThrow();
        }
    }

    /** Where a node alters the table that others work on. */
    abstract static class UpgradesByNodes extends Upgrades {

        UpgradesByNodes(Place here, Dialect dialect) {
            super(here, dialect);
        }

        /** A node claims as soon as it has upgraded, while others may still do so and an old one goes on. */
        @Test
        void nodesThatStartTogetherUpgradeOnce() throws Exception {
            old.claim(claim("live"));
            List<String> keys = IntStream.range(0, 50).mapToObj(i -> "key" + i).toList();
            AtomicBoolean taken = new AtomicBoolean();
            try (Crowd crowd = new Crowd(5)) {
                List<List<String>> owned = crowd.atOnce(() -> {
                    if (taken.compareAndSet(false, true)) {
                        return ownedOf(keys, this::oldOwns);
                    }
                    try (ApplicationContext application = here.application("idempotency.jdbc.pool-size", 1)) {
                        IdempotencyStore store = store(application);
                        assertThat(state(store, "live")).isEqualTo(RecordState.IN_PROGRESS);
                        return ownedOf(keys, claim -> get(store.claim(claim)) instanceof ClaimResult.Acquired);
                    }
                });
                assertThat(owned.stream().flatMap(List::stream)).containsExactlyInAnyOrderElementsOf(keys);
            }
        }

        private static List<String> ownedOf(List<String> keys, Predicate<Claim> owns) {
            return keys.stream().filter(key -> owns.test(claim(key))).toList();
        }
    }
}
