package io.idempotency.jdbc;

import static io.idempotency.jdbc.Calls.LEASE;
import static io.idempotency.jdbc.Calls.RETENTION;
import static io.idempotency.jdbc.Calls.claim;
import static io.idempotency.jdbc.Calls.get;
import static io.idempotency.jdbc.Calls.own;
import static io.idempotency.jdbc.Calls.store;
import static io.idempotency.jdbc.Calls.transactions;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.idempotency.IdempotencyStoreUnavailableException;
import io.idempotency.runtime.store.IdempotencyStore;
import io.idempotency.runtime.store.Ownership;
import io.idempotency.runtime.store.Renewal;
import io.idempotency.runtime.store.Settled;
import io.idempotency.test.servers.FaultProxy;
import io.idempotency.test.servers.PostgresServer;
import io.micronaut.context.ApplicationContext;
import io.micronaut.context.annotation.Property;
import io.micronaut.context.annotation.Requires;
import io.micronaut.context.event.BeanCreatedEvent;
import io.micronaut.context.event.BeanCreatedEventListener;
import jakarta.inject.Singleton;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import javax.sql.DataSource;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.postgresql.ds.PGSimpleDataSource;

/** A database that does not answer parks no caller for longer than the command time-out allows. */
@Tag("thorough")
@Timeout(value = 120, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class CommandTimeoutTest {

    private static final Object[] SHORT = {
        "idempotency.jdbc.command-timeout", "1s",
        "datasources.default.connection-timeout", 60_000,
        "datasources.default.validation-timeout", 50_000
    };

    private final Place direct = Place.postgres();
    private final FaultProxy proxy = FaultProxy.to(
            PostgresServer.shared().host(), PostgresServer.shared().port());
    /** The driver's wait for its own request to cancel is part of what a caller waits. */
    private final Place stalling = new Place(
            direct.url().replaceFirst("//[^/]+/", "//127.0.0.1:" + proxy.port() + "/")
                    + "?cancelSignalTimeout=1&ApplicationName=" + direct.table(),
            direct.user(),
            direct.password(),
            direct.table());

    @AfterEach
    void close() {
        proxy.close();
    }

    @Test
    void everyCallerOfASmallPoolIsToldThatTheStoreIsUnavailable() throws Exception {
        try (ApplicationContext application = application("test.charges", true, "idempotency.jdbc.pool-size", 2);
                Crowd crowd = new Crowd(6)) {
            Charges charges = application.getBean(Charges.class);
            charges.charge("warm");
            proxy.stall();
            List<Boolean> refused = crowd.atOnce(() -> {
                assertThatThrownBy(() -> charges.charge(Place.fresh()))
                        .isInstanceOf(IdempotencyStoreUnavailableException.class);
                return true;
            });
            assertThat(refused).hasSize(6);
            assertThat(charges.bodies).as("only the first").hasValue(1);
            proxy.pass();
            await().ignoreExceptions().untilAsserted(() -> own(store(application), claim(Place.fresh())));
        }
    }

    @Test
    void aCallerInsideATransactionIsToldToo() {
        try (ApplicationContext application = application()) {
            IdempotencyStore store = store(application);
            assertThatThrownBy(() -> transactions(application).executeWrite(status -> {
                        proxy.stall();
                        assertThatThrownBy(() -> get(store.claim(claim("key"))))
                                .hasMessageContaining("idempotency.jdbc.command-timeout");
                        proxy.pass();
                        throw new IllegalStateException("told");
                    }))
                    .hasMessage("told");
            await().ignoreExceptions().untilAsserted(() -> own(store, claim(Place.fresh())));
        }
    }

    @Test
    void aClaimInTheCallersOwnTransactionIsBoundedToo() {
        try (ApplicationContext application = application()) {
            IdempotencyStore store = store(application);
            assertThatThrownBy(() -> store.transactional()
                            .orElseThrow()
                            .inTransaction(Duration.ofMillis(100), inside -> {
                                proxy.stall();
                                return get(inside.claim(claim("key")));
                            }))
                    .isInstanceOf(RuntimeException.class);
            proxy.pass();
            await().ignoreExceptions().untilAsserted(() -> own(store, claim("key")));
        }
    }

    /** The pool asks it whether it still lives, on the thread of the caller that it is meant for. */
    @Test
    void aConnectionThatWasIdleParksNobodyWhileThePoolTestsIt() {
        try (ApplicationContext application = application("idempotency.jdbc.pool-size", 1)) {
            IdempotencyStore store = store(application);
            own(store, claim("key"));
            proxy.stall();
            // idle for longer than the half second within which a pool believes a connection
            await().pollDelay(Duration.ofMillis(600)).until(() -> true);
            assertThatThrownBy(() -> get(store.claim(claim(Place.fresh()))))
                    .hasMessageContaining("idempotency.jdbc.command-timeout");
            proxy.pass();
            await().ignoreExceptions().untilAsserted(() -> own(store, claim(Place.fresh())));
        }
    }

    /** Such a data source waits for a connection as long as it likes. */
    @Test
    void aPoolThatKnowsNoLimitIsBoundedToo() {
        try (ApplicationContext application = application("test.no-pool", true)) {
            IdempotencyStore store = store(application);
            proxy.stall();
            for (int i = 0; i < 3; i++) {
                assertThatThrownBy(() -> get(store.claim(claim("key"))))
                        .hasMessageContaining("idempotency.jdbc.command-timeout");
            }
            proxy.pass();
            await().ignoreExceptions().untilAsserted(() -> own(store, claim(Place.fresh())));
        }
    }

    /** The server answers, but not this statement: the connection stays in the pool. */
    @Test
    void aStatementThatWaitsForALockIsGivenUp() throws Exception {
        try (ApplicationContext application = application("idempotency.jdbc.pool-size", 1);
                Connection other = DriverManager.getConnection(direct.url(), direct.user(), direct.password())) {
            IdempotencyStore store = store(application);
            Ownership own = own(store, claim("key"));
            other.setAutoCommit(false);
            Place.run(other, "SELECT * FROM " + direct.table() + " FOR UPDATE");
            String served = served();
            assertThatThrownBy(() -> get(store.renew(List.of(new Renewal(own, LEASE, RETENTION)))
                            .get(0)))
                    .hasMessageContaining("idempotency.jdbc.command-timeout");
            other.rollback();
            assertThat(get(store.renew(List.of(new Renewal(own, LEASE, RETENTION)))
                            .get(0)))
                    .isInstanceOf(Settled.Applied.class);
            assertThat(served().split(" ")).as("no connection was given up").contains(served.split(" "));
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 5_000, 90_000})
    void theCallersConnectionKeepsItsOwnLimit(int own) {
        try (ApplicationContext application = direct.application("idempotency.jdbc.command-timeout", "10s")) {
            IdempotencyStore store = store(application);
            transactions(application).executeWrite(status -> {
                try {
                    status.getConnection().setNetworkTimeout(Runnable::run, own);
                    store.transactional()
                            .orElseThrow()
                            .inTransaction(Duration.ofSeconds(1), inside -> own(inside, claim("key")));
                    assertThat(status.getConnection().getNetworkTimeout()).isEqualTo(own);
                    return null;
                } catch (SQLException e) {
                    throw new IllegalStateException(e);
                }
            });
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"0s", "-1s"})
    void aTimeoutThatIsNoneIsRefusedAtStartUp(String none) {
        assertThatThrownBy(() -> direct.application("idempotency.jdbc.command-timeout", none)
                        .close())
                .hasStackTraceContaining("idempotency.jdbc.command-timeout: " + none + " is less than 1ms");
    }

    private ApplicationContext application(Object... more) {
        Object[] all = Arrays.copyOf(SHORT, SHORT.length + more.length);
        System.arraycopy(more, 0, all, SHORT.length, more.length);
        return stalling.application(all);
    }

    /** The processes that serve the store's and the application's connections. */
    private String served() {
        return direct.ask("SELECT string_agg(pid::text, ' ' ORDER BY pid) FROM pg_stat_activity"
                + " WHERE application_name = '" + direct.table() + "'");
    }

    /** A data source that opens a connection each time. */
    @Singleton
    @Requires(property = "test.no-pool")
    static class NoPool implements BeanCreatedEventListener<DataSource> {

        @Property(name = "datasources.default.url")
        String url;

        @Override
        public DataSource onCreated(BeanCreatedEvent<DataSource> event) {
            PGSimpleDataSource source = new PGSimpleDataSource();
            source.setUrl(url);
            source.setUser("postgres");
            source.setPassword("test");
            return source;
        }
    }
}
