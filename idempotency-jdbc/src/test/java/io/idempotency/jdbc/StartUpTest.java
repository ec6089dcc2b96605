package io.idempotency.jdbc;

import static io.idempotency.jdbc.Calls.claim;
import static io.idempotency.jdbc.Calls.get;
import static io.idempotency.jdbc.Calls.own;
import static io.idempotency.jdbc.Calls.store;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.idempotency.jdbc.sql.Dialect;
import io.idempotency.jdbc.sql.Schema;
import io.idempotency.jdbc.sql.TableName;
import io.idempotency.runtime.store.ClaimResult;
import io.idempotency.runtime.store.IdempotencyStore;
import io.idempotency.runtime.store.Ownership;
import io.idempotency.runtime.store.StoredResult;
import io.micronaut.context.ApplicationContext;
import java.time.Duration;
import java.util.List;
import java.util.function.Supplier;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Named;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Whatever would fail at the first call is said at start-up, with the property to change. */
@Tag("any-jdk")
class StartUpTest {

    static Stream<Named<Supplier<Place>>> places() {
        return Stream.of(Named.of("H2", Place::h2), Named.of("PostgreSQL", Place::postgres));
    }

    @ParameterizedTest
    @MethodSource("places")
    void outsideOfTestAndDevAMissingTableIsRefusedWithTheStatementsThatMakeIt(Supplier<Place> place) {
        Place here = place.get();
        try (ApplicationContext application = here.start("prod")) {
            assertThatThrownBy(() -> store(application))
                    .hasMessageContaining("table " + here.table() + " (idempotency.jdbc.table) does not exist")
                    .hasMessageContaining("idempotency.jdbc.schema to create")
                    .hasMessageContaining("CREATE TABLE IF NOT EXISTS " + here.table());
        }
        here.run(Schema.script(
                here.url().contains(":h2:") ? Dialect.H2 : Dialect.POSTGRESQL, new TableName(here.table())));
        try (ApplicationContext application = here.start("prod")) {
            own(store(application), claim("key"));
        }
    }

    /** A body would write to another database than the one with its record. */
    @Test
    void withADataSourceForEachTenantNoOperationIsTransactional() {
        Place here = Place.h2();
        here.run("CREATE TABLE IF NOT EXISTS ledger (entry VARCHAR(64), amount INT)");
        String mode = "micronaut.data.multi-tenancy.mode";
        for (String tenants : new String[] {"DATASOURCE", "schema"}) {
            assertThatThrownBy(() -> here.application("test.postings", true, mode, tenants)
                            .close())
                    .hasStackTraceContaining("'jdbc' has no transactions to share")
                    .hasStackTraceContaining("for each tenant");
        }
        String qualified = "PUBLIC." + here.table();
        here.application("test.postings", true, mode, "SCHEMA", "idempotency.jdbc.table", qualified)
                .close();
    }

    static Stream<Named<Supplier<Place>>> uncommitted() {
        return Stream.of(
                Named.of("H2", Place::h2),
                Named.of("PostgreSQL", Place::postgres),
                Named.of("MariaDB", () -> Place.mariaDb("mariadb")));
    }

    /** What a transaction may still roll back is no outcome. */
    @ParameterizedTest
    @MethodSource("uncommitted")
    void whateverTheApplicationReadsTheStoreReadsWhatIsCommitted(Supplier<Place> place) throws Exception {
        String property = "datasources.default.transaction-isolation";
        try (ApplicationContext application = place.get().application(property, "TRANSACTION_READ_UNCOMMITTED")) {
            IdempotencyStore store = store(application);
            store.transactional().orElseThrow().inTransaction(Duration.ZERO, view -> {
                Ownership owner = own(view, claim("key"));
                get(view.complete(owner, new StoredResult.Present(new byte[] {1}), Duration.ofDays(1)));
                assertThat(store.find(owner.id())).isEmpty();
                return null;
            });
            assertThat(store.find(claim("key").id())).isPresent();
        }
    }

    static Stream<Named<Supplier<Place>>> readingUncommitted() {
        return Stream.of(
                Named.of(
                        "H2",
                        () -> Place.h2()
                                .with(
                                        ";INIT=SET SESSION CHARACTERISTICS AS TRANSACTION ISOLATION LEVEL READ UNCOMMITTED")),
                Named.of(
                        "MariaDB",
                        () -> Place.mariaDb("mariadb")
                                .with("?sessionVariables=transaction_isolation='READ-UNCOMMITTED'")));
    }

    @ParameterizedTest
    @MethodSource("readingUncommitted")
    void aServerThatReadsWhatIsNotCommittedIsRefused(Supplier<Place> place) {
        try (ApplicationContext application = place.get().application()) {
            assertThatThrownBy(() -> store(application))
                    .hasStackTraceContaining("datasources.default.transaction-isolation: TRANSACTION_READ_COMMITTED");
        }
    }

    @ParameterizedTest
    @MethodSource("places")
    void inTheDevelopmentEnvironmentTheTableIsMade(Supplier<Place> place) {
        try (ApplicationContext application = place.get().start("dev")) {
            own(store(application), claim("key"));
        }
    }

    @ParameterizedTest
    @MethodSource("places")
    void aTableThatDoesNotFitIsRefusedColumnByColumn(Supplier<Place> place) {
        Place here = place.get();
        try (ApplicationContext application = here.application()) {
            store(application);
        }
        here.run("ALTER TABLE " + here.table() + " DROP COLUMN doubt");
        here.run("ALTER TABLE " + here.table()
                + " ALTER COLUMN fence TYPE integer"
                        .replace("TYPE", here.url().contains(":h2:") ? "SET DATA TYPE" : "TYPE"));
        here.run("ALTER TABLE " + here.table()
                + " ALTER COLUMN owner TYPE varchar(20)"
                        .replace("TYPE", here.url().contains(":h2:") ? "SET DATA TYPE" : "TYPE"));
        try (ApplicationContext application = here.application()) {
            assertThatThrownBy(() -> store(application))
                    .hasMessageContaining("column doubt is missing")
                    .hasMessageContaining("column fence has the wrong type")
                    .hasMessageContaining("column owner is narrower than 64 characters");
        }
    }

    @ParameterizedTest
    @MethodSource("places")
    void recordsOfANewerVersionAreRefused(Supplier<Place> place) {
        Place here = place.get();
        try (ApplicationContext application = here.application()) {
            own(store(application), claim("key"));
        }
        here.run("UPDATE " + here.table() + " SET format_version = 3 WHERE attempt > 0");
        try (ApplicationContext application = here.application()) {
            assertThatThrownBy(() -> store(application))
                    .hasMessageContaining("holds records of format 3")
                    .hasMessageContaining("Start the newer version");
        }
    }

    @ParameterizedTest
    @MethodSource("places")
    void schemaNoneLooksAtNothing(Supplier<Place> place) {
        try (ApplicationContext application = place.get().start("prod", "idempotency.jdbc.schema", "none")) {
            assertThatCode(() -> store(application)).doesNotThrowAnyException();
            assertThatThrownBy(() -> own(store(application), claim("key"))).hasMessageContaining("SQLState 42");
        }
    }

    /** A node claims as soon as it has started, while others may still be making the table. */
    @ParameterizedTest
    @MethodSource("places")
    void nodesThatStartTogetherMakeTheTableOnce(Supplier<Place> place) throws Exception {
        Place here = place.get();
        try (Crowd crowd = new Crowd(8)) {
            List<List<ClaimResult>> nodes = crowd.atOnce(() -> {
                try (ApplicationContext application = here.application("idempotency.jdbc.pool-size", 1)) {
                    IdempotencyStore store = store(application);
                    return IntStream.range(0, 50)
                            .mapToObj(i -> get(store.claim(claim("key" + i))))
                            .toList();
                }
            });
            assertThat(nodes.stream().flatMap(List::stream).filter(ClaimResult.Acquired.class::isInstance))
                    .hasSize(50);
        }
    }

    @Test
    void aTableInAnotherSchemaIsUsed() {
        Place here = Place.postgres();
        String schema = Place.fresh();
        here.run("CREATE SCHEMA " + schema);
        try (ApplicationContext application =
                here.application("idempotency.jdbc.table", schema + ".idempotency_record")) {
            own(store(application), claim("key"));
        }
        here.run("SELECT id FROM " + schema + ".idempotency_record");
    }

    @Test
    void aTableNameThatIsNotAnIdentifierIsRefused() {
        try (ApplicationContext application =
                Place.h2().application("idempotency.jdbc.table", "record; DROP TABLE payments")) {
            assertThatThrownBy(() -> store(application))
                    .hasMessageContaining("idempotency.jdbc.table is 'record; DROP TABLE payments'");
        }
    }

    @Test
    void aDataSourceThatIsNotThereIsNamed() {
        try (ApplicationContext application = Place.h2().application("idempotency.jdbc.datasource", "ledger")) {
            assertThatThrownBy(() -> store(application))
                    .hasMessageContaining("datasources.ledger.url")
                    .hasMessageContaining("idempotency.jdbc.datasource");
        }
    }

    @Test
    void aDatabaseThatCannotBeReachedIsNamed() {
        Place nowhere = new Place("jdbc:postgresql://127.0.0.1:1/nowhere", "postgres", "test", "t");
        assertThatThrownBy(() -> {
                    try (ApplicationContext application = nowhere.application(
                            "datasources.default.connection-timeout",
                            1_000,
                            "datasources.default.initialization-fail-timeout",
                            -1)) {
                        store(application);
                    }
                })
                .hasMessageContaining("datasources.default.url");
    }

    @Test
    void anUnknownDatabaseIsRefused() {
        assertThatThrownBy(() -> Dialect.of("Paradox"))
                .hasMessageContaining("does not know the database 'Paradox'")
                .hasMessageContaining("PostgreSQL")
                .hasMessageContaining("idempotency.jdbc.datasource");
    }
}
