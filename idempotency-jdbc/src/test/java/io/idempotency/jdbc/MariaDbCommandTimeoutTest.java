package io.idempotency.jdbc;

import static io.idempotency.jdbc.Calls.LEASE;
import static io.idempotency.jdbc.Calls.RETENTION;
import static io.idempotency.jdbc.Calls.claim;
import static io.idempotency.jdbc.Calls.get;
import static io.idempotency.jdbc.Calls.own;
import static io.idempotency.jdbc.Calls.store;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.idempotency.runtime.store.IdempotencyStore;
import io.idempotency.runtime.store.Ownership;
import io.idempotency.runtime.store.Renewal;
import io.idempotency.runtime.store.Settled;
import io.idempotency.test.servers.FaultProxy;
import io.micronaut.context.ApplicationContext;
import java.net.URI;
import java.sql.Connection;
import java.sql.DriverManager;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** As {@link CommandTimeoutTest}, by the drivers of MariaDB and MySQL, which cancel and give up by other means. */
@Tag("thorough")
@Tag("mariadb")
@Timeout(value = 120, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class MariaDbCommandTimeoutTest {

    static Stream<Place> places() {
        return Stream.of(Place.mariaDb("mariadb"), Place.mySql());
    }

    private static ApplicationContext application(Place place) {
        return place.application(
                "idempotency.jdbc.command-timeout", "1s",
                "datasources.default.connection-timeout", 60_000,
                "datasources.default.validation-timeout", 50_000);
    }

    @ParameterizedTest
    @MethodSource("places")
    void aServerThatDoesNotAnswerParksNobody(Place direct) {
        URI server = URI.create(direct.url().substring("jdbc:".length()));
        try (FaultProxy proxy = FaultProxy.to(server.getHost(), server.getPort());
                ApplicationContext application = application(new Place(
                        direct.url().replaceFirst("//[^/]+/", "//127.0.0.1:" + proxy.port() + "/"),
                        direct.user(),
                        direct.password(),
                        direct.table()))) {
            IdempotencyStore store = store(application);
            Ownership own = own(store, claim("key"));
            proxy.stall();
            for (int i = 0; i < 3; i++) {
                assertThatThrownBy(() -> get(store.claim(claim(Place.fresh()))))
                        .hasMessageContaining("idempotency.jdbc.command-timeout");
            }
            proxy.pass();
            await().ignoreExceptions()
                    .untilAsserted(() -> assertThat(get(store.renew(List.of(new Renewal(own, LEASE, RETENTION)))
                                    .get(0)))
                            .isEqualTo(new Settled.Applied()));
        }
    }

    @ParameterizedTest
    @MethodSource("places")
    void aStatementThatWaitsForALockIsGivenUp(Place place) throws Exception {
        try (ApplicationContext application = application(place);
                Connection other = DriverManager.getConnection(place.url(), place.user(), place.password())) {
            IdempotencyStore store = store(application);
            Ownership own = own(store, claim("key"));
            other.setAutoCommit(false);
            Place.run(other, "SELECT * FROM " + place.table() + " FOR UPDATE");
            assertThatThrownBy(() -> get(store.renew(List.of(new Renewal(own, LEASE, RETENTION)))
                            .get(0)))
                    .hasMessageContaining("idempotency.jdbc.command-timeout");
            other.rollback();
            assertThat(get(store.renew(List.of(new Renewal(own, LEASE, RETENTION)))
                            .get(0)))
                    .isEqualTo(new Settled.Applied());
        }
    }
}
