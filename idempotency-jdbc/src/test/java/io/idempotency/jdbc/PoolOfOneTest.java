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

import io.idempotency.jdbc.connection.JdbcStoreException;
import io.idempotency.runtime.store.ClaimResult;
import io.idempotency.runtime.store.IdempotencyStore;
import io.idempotency.runtime.store.Ownership;
import io.idempotency.runtime.store.RecordState;
import io.idempotency.runtime.store.Settled;
import io.idempotency.runtime.store.StoredRecord;
import io.idempotency.test.logs.LogLines;
import io.micronaut.context.ApplicationContext;
import io.micronaut.context.annotation.Factory;
import io.micronaut.context.annotation.Property;
import io.micronaut.context.annotation.Requires;
import io.micronaut.core.type.Argument;
import io.micronaut.data.connection.ConnectionDefinition;
import io.micronaut.data.connection.ConnectionOperations;
import io.micronaut.inject.qualifiers.Qualifiers;
import io.micronaut.transaction.TransactionDefinition;
import io.micronaut.transaction.TransactionOperations;
import jakarta.inject.Singleton;
import java.sql.Connection;
import java.util.List;
import java.util.function.Supplier;
import java.util.stream.Stream;
import javax.sql.DataSource;
import org.h2.jdbcx.JdbcConnectionPool;
import org.junit.jupiter.api.Named;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** A pool of one connection is enough, whatever the caller holds. */
@Tag("thorough")
class PoolOfOneTest {

    private static final Object[] ONE = {
        "datasources.default.maximum-pool-size", 1, "datasources.default.connection-timeout", 2_000
    };

    static Stream<Named<Supplier<Place>>> places() {
        return Stream.of(Named.of("H2", Place::h2), Named.of("PostgreSQL", Place::postgres));
    }

    @ParameterizedTest
    @MethodSource("places")
    void rollbackOfTheCallersTransactionForgetsNeitherClaimNorResult(Supplier<Place> place) {
        Place here = place.get();
        try (ApplicationContext application = here.application(ONE)) {
            IdempotencyStore store = store(application);
            here.run("CREATE TABLE IF NOT EXISTS payment (place VARCHAR(64))");
            assertThatThrownBy(() -> transactions(application).execute(TransactionDefinition.DEFAULT, status -> {
                        Place.run(status.getConnection(), "INSERT INTO payment VALUES ('" + here.table() + "')");
                        Ownership completed = own(store, claim("completed"));
                        assertThat(get(store.complete(completed, RESULT, RETENTION)))
                                .isEqualTo(new Settled.Applied());
                        own(store, claim("claimed"));
                        throw new IllegalStateException("the caller rolls back");
                    }))
                    .hasMessage("the caller rolls back");
            assertThat(Calls.find(store, "completed"))
                    .get()
                    .extracting(StoredRecord::result)
                    .isEqualTo(RESULT);
            assertThat(Calls.find(store, "claimed"))
                    .get()
                    .extracting(StoredRecord::state)
                    .isEqualTo(RecordState.IN_PROGRESS);
            assertThat(here.ask("SELECT count(*) FROM payment WHERE place = '" + here.table() + "'"))
                    .as("the caller's own writes are rolled back")
                    .isEqualTo("0");
        }
    }

    @ParameterizedTest
    @MethodSource("places")
    void aReadOnlyTransactionOfTheCallerDoesNotStopAClaim(Supplier<Place> place) {
        try (ApplicationContext application = place.get().application(ONE)) {
            IdempotencyStore store = store(application);
            ClaimResult answer = transactions(application).executeRead(status -> get(store.claim(claim("key"))));
            assertThat(answer).isInstanceOf(ClaimResult.Acquired.class);
        }
    }

    @ParameterizedTest
    @MethodSource("places")
    void aConnectionHeldWithoutATransactionIsUsed(Supplier<Place> place) {
        try (ApplicationContext application = place.get().application(ONE)) {
            IdempotencyStore store = store(application);
            ClaimResult answer = connections(application)
                    .execute(ConnectionDefinition.DEFAULT, status -> get(store.claim(claim("key"))));
            assertThat(answer).isInstanceOf(ClaimResult.Acquired.class);
            answer = connections(application)
                    .execute(ConnectionDefinition.READ_ONLY, status -> get(store.claim(claim("other"))));
            assertThat(answer).isInstanceOf(ClaimResult.Acquired.class);
        }
    }

    @ParameterizedTest
    @MethodSource("places")
    void aPoolWhoseConnectionsDoNotCommitByThemselvesIsUsed(Supplier<Place> place) {
        Place here = place.get();
        try (ApplicationContext application = here.application(
                        "datasources.default.maximum-pool-size", 1, "datasources.default.auto-commit", false);
                ApplicationContext other = here.application(ONE)) {
            own(store(application), claim("key"));
            assertThat(Calls.find(store(other), "key")).isPresent();
        }
    }

    @ParameterizedTest
    @MethodSource("places")
    void manyCallersInTransactionsShareTheStoresFewConnections(Supplier<Place> place) throws Exception {
        try (ApplicationContext application = place.get().application("datasources.default.maximum-pool-size", 12);
                Crowd crowd = new Crowd(12)) {
            IdempotencyStore store = store(application);
            List<ClaimResult> answers = crowd.atOnce(
                    () -> transactions(application).executeWrite(status -> get(store.claim(claim("key")))));
            assertThat(answers)
                    .filteredOn(ClaimResult.Acquired.class::isInstance)
                    .hasSize(1);
        }
    }

    @Test
    void callersInTransactionsUseTheSameConnectionOneAfterTheOther() {
        Place here = Place.postgres();
        try (ApplicationContext application =
                here.with("?ApplicationName=" + here.table()).application(ONE)) {
            IdempotencyStore store = store(application);
            for (int i = 0; i < 20; i++) {
                String key = "key" + i;
                transactions(application)
                        .executeWrite(status -> get(store.complete(own(store, claim(key)), RESULT, RETENTION)));
            }
            assertThat(here.ask("SELECT count(*) <= 3 FROM pg_stat_activity WHERE application_name = '" + here.table()
                            + "'"))
                    .as("the application's, the store's, and an idle one at most")
                    .isEqualTo("t");
            here.run("SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = '" + here.table()
                    + "'");
            await().ignoreExceptions()
                    .untilAsserted(() -> assertThat((ClaimResult)
                                    transactions(application).executeWrite(status -> get(store.claim(claim("after")))))
                            .isNotNull());
        }
    }

    @Test
    void aDataSourceThatIsOnlyABeanIsUsedItselfAlsoByACallerInATransaction() {
        try (ApplicationContext application = ownDataSource(10)) {
            IdempotencyStore store = store(application);
            assertThatThrownBy(() -> ofTheBean(application).executeWrite(status -> {
                        own(store, claim("key"));
                        throw new IllegalStateException("the caller rolls back");
                    }))
                    .hasMessage("the caller rolls back");
            assertThat(Calls.find(store, "key")).isPresent();
        }
    }

    @Test
    void whereSuchADataSourceHasOneConnectionTheCallIsRefusedAndTheStartWarnsOfIt() {
        try (LogLines log = LogLines.of("io.idempotency.jdbc");
                ApplicationContext application = ownDataSource(1)) {
            IdempotencyStore store = store(application);
            assertThat(log.messages())
                    .anySatisfy(message -> assertThat(message)
                            .contains("'ledger' is a bean")
                            .contains("lent no second connection")
                            .contains("datasources.ledger.url"));
            ofTheBean(application).executeWrite(status -> {
                assertThatThrownBy(() -> get(store.claim(claim("key")))).isInstanceOf(JdbcStoreException.class);
                return null;
            });
            assertThat(Calls.find(store, "key")).isEmpty();
        }
    }

    private static ApplicationContext ownDataSource(int connections) {
        return Place.h2()
                .application("idempotency.jdbc.datasource", OwnDataSource.NAME, "own-data-source", connections);
    }

    private static TransactionOperations<Connection> ofTheBean(ApplicationContext application) {
        return application.getBean(
                Argument.of(TransactionOperations.class, Connection.class), Qualifiers.byName(OwnDataSource.NAME));
    }

    /** A data source that the application makes by itself says nothing of how it opens connections. */
    @Factory
    @Requires(property = "own-data-source")
    static class OwnDataSource {

        static final String NAME = "ledger";

        @Singleton
        @jakarta.inject.Named(NAME)
        DataSource ledger(@Property(name = "own-data-source") int connections) {
            JdbcConnectionPool pool = JdbcConnectionPool.create("jdbc:h2:mem:" + Place.fresh(), "sa", "");
            pool.setMaxConnections(connections);
            pool.setLoginTimeout(1);
            return pool;
        }
    }

    private static ConnectionOperations<Connection> connections(ApplicationContext application) {
        return application.getBean(Argument.of(ConnectionOperations.class, Connection.class));
    }
}
