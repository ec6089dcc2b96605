package io.idempotency.jdbc;

import static io.idempotency.jdbc.Calls.claim;
import static io.idempotency.jdbc.Calls.get;
import static io.idempotency.jdbc.Calls.own;
import static io.idempotency.jdbc.Calls.store;
import static io.idempotency.jdbc.Calls.transactions;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import com.zaxxer.hikari.HikariDataSource;
import io.idempotency.runtime.store.ClaimResult;
import io.idempotency.runtime.store.IdempotencyStore;
import io.micronaut.context.ApplicationContext;
import io.micronaut.context.annotation.Property;
import io.micronaut.context.annotation.Requires;
import io.micronaut.context.event.BeanCreatedEvent;
import io.micronaut.context.event.BeanCreatedEventListener;
import io.micronaut.data.connection.jdbc.advice.DelegatingDataSource;
import jakarta.inject.Singleton;
import javax.sql.DataSource;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.postgresql.ds.PGSimpleDataSource;

/** A key that is claimed inside a transaction and outside of one has one owner, however the data source is made. */
class OwnPoolTest {

    private static final String SCHEMA = "records_of_this_application";

    private final Place place = Place.postgres();

    @BeforeEach
    void aSchemaThatIsNotTheUsersOwn() {
        place.run("CREATE SCHEMA IF NOT EXISTS " + SCHEMA);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "schema=" + SCHEMA,
                "connection-init-sql=SET search_path TO " + SCHEMA,
                "data-source-properties.currentSchema=" + SCHEMA
            })
    void whatTheUrlDoesNotShowHoldsForTheStoresConnectionsToo(String setting) {
        tableInTheUsersOwnSchemaToo();
        String[] property = setting.split("=", 2);
        try (ApplicationContext application = place.application("datasources.default." + property[0], property[1])) {
            oneOwner(application);
        }
        assertThat(place.ask("SELECT count(*) FROM " + place.table() + " WHERE attempt > 0"))
                .as("the other table, and the probe is gone from the one that is used")
                .isEqualTo("0");
        assertThat(place.ask("SELECT count(*) FROM " + SCHEMA + '.' + place.table() + " WHERE attempt > 0"))
                .isEqualTo("1");
    }

    @Test
    void anApplicationsOwnPoolIsFollowedToo() {
        tableInTheUsersOwnSchemaToo();
        try (ApplicationContext application = place.application("own-pool", "hikari")) {
            oneOwner(application);
        }
    }

    @Test
    void whereTheStoreReachesAnotherTableTheApplicationDoesNotStart() {
        tableInTheUsersOwnSchemaToo();
        try (ApplicationContext application = place.application("own-pool", "unknown")) {
            refusesToStart(application);
        }
    }

    @Test
    void whereTheApplicationReachesNoTableAtAllItDoesNotStart() {
        try (ApplicationContext application = place.application("own-pool", "unknown")) {
            refusesToStart(application);
        }
    }

    /** As credentials are rotated. */
    @Test
    void aUserThatIsReplacedWhileTheApplicationRunsIsReplacedForTheStoreToo() {
        String former = Place.fresh();
        String next = Place.fresh();
        place.run("CREATE ROLE " + former + " LOGIN");
        place.run("CREATE ROLE " + next + " LOGIN IN ROLE " + former);
        place.run("GRANT ALL ON SCHEMA public TO " + former);
        try (ApplicationContext application = new Place(place.url(), former, "any", place.table()).application()) {
            IdempotencyStore store = store(application);
            own(store, claim("before"));
            ((HikariDataSource) DelegatingDataSource.unwrapDataSource(application.getBean(DataSource.class)))
                    .setUsername(next);
            place.run("ALTER ROLE " + former + " NOLOGIN");
            place.run("SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE usename = '" + former + "'");
            await().ignoreExceptions().untilAsserted(() -> own(store, claim(Place.fresh())));
        }
    }

    /** The URL of a database that every connection has for itself. */
    @Test
    void anUnnamedDatabaseInMemoryIsRefused() {
        try (ApplicationContext application =
                Place.h2("jdbc:h2:mem:").application("datasources.default.maximum-pool-size", 1)) {
            refusesToStart(application);
        }
    }

    @Test
    void aStoreThatStartsInsideOfATransactionComparesTheSame() {
        tableInTheUsersOwnSchemaToo();
        try (ApplicationContext application = place.application("own-pool", "unknown")) {
            transactions(application).executeWrite(status -> {
                refusesToStart(application);
                return null;
            });
        }
        try (ApplicationContext application = place.application("datasources.default.maximum-pool-size", 1)) {
            assertThat(transactions(application)
                            .<ClaimResult>executeWrite(
                                    status -> get(store(application).claim(claim("key")))))
                    .isInstanceOf(ClaimResult.Acquired.class);
        }
    }

    private void tableInTheUsersOwnSchemaToo() {
        try (ApplicationContext application = place.application()) {
            store(application);
        }
    }

    private static void oneOwner(ApplicationContext application) {
        IdempotencyStore store = store(application);
        own(store, claim("key"));
        ClaimResult inside = transactions(application).executeWrite(status -> get(store.claim(claim("key"))));
        assertThat(inside).isInstanceOf(ClaimResult.Duplicate.class);
    }

    private static void refusesToStart(ApplicationContext application) {
        assertThatThrownBy(() -> store(application))
                .hasMessageContaining("another table than the data source")
                .hasMessageContaining("The application does not start")
                .hasMessageContaining("datasources.default.url");
    }

    /** A data source that the application makes by itself, beside properties that say something else. */
    @Singleton
    @Requires(property = "own-pool")
    static class OwnPool implements BeanCreatedEventListener<DataSource> {

        @Property(name = "own-pool")
        String kind;

        @Property(name = "datasources.default.url")
        String url;

        @Override
        public DataSource onCreated(BeanCreatedEvent<DataSource> event) {
            PGSimpleDataSource elsewhere = new PGSimpleDataSource();
            elsewhere.setUrl(url);
            elsewhere.setUser("postgres");
            elsewhere.setPassword("test");
            elsewhere.setCurrentSchema(SCHEMA);
            if (kind.equals("unknown")) {
                return elsewhere;
            }
            HikariDataSource pool = new HikariDataSource();
            pool.setDataSource(elsewhere);
            return pool;
        }
    }
}
