package io.idempotency.jdbc;

import static io.idempotency.jdbc.Calls.RESULT;
import static io.idempotency.jdbc.Calls.RETENTION;
import static io.idempotency.jdbc.Calls.claim;
import static io.idempotency.jdbc.Calls.get;
import static io.idempotency.jdbc.Calls.own;
import static io.idempotency.jdbc.Calls.store;
import static io.idempotency.jdbc.Calls.transactions;
import static org.assertj.core.api.Assertions.assertThat;

import io.idempotency.runtime.store.ClaimResult;
import io.idempotency.runtime.store.IdempotencyStore;
import io.idempotency.runtime.store.Ownership;
import io.micronaut.context.ApplicationContext;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** However a pool hands out its connections, what a caller was told is there for all others. */
class PoolSettingsTest {

    static Stream<Supplier<Place>> places() {
        return Stream.of(Place::h2, Place::postgres);
    }

    static Stream<Supplier<Place>> mariaDb() {
        return Stream.of(() -> Place.mariaDb("mariadb"), () -> Place.mariaDb("mysql"));
    }

    @ParameterizedTest
    @MethodSource("places")
    void connectionsThatDoNotCommitByThemselvesAreCommitted(Supplier<Place> places) {
        committed(places.get());
    }

    @ParameterizedTest
    @MethodSource("mariaDb")
    @Tag("mariadb")
    void connectionsOfMariaDbThatDoNotCommitByThemselvesAreCommitted(Supplier<Place> places) {
        committed(places.get());
    }

    private static void committed(Place place) {
        try (ApplicationContext here = place.application("datasources.default.auto-commit", false);
                ApplicationContext there = place.application()) {
            Ownership own = own(store(here), claim("key"));
            assertDuplicate(store(there), "key");
            get(store(here).complete(own, RESULT, RETENTION));
            assertThat(Calls.find(store(there), "key").orElseThrow().result()).isEqualTo(RESULT);
            transactions(here).executeWrite(status -> {
                own(store(here), claim("inside"));
                assertDuplicate(store(there), "inside");
                status.setRollbackOnly();
                return null;
            });
            assertDuplicate(store(there), "inside");
        }
    }

    private static void assertDuplicate(IdempotencyStore store, String key) {
        assertThat(get(store.claim(claim(key)))).isInstanceOf(ClaimResult.Duplicate.class);
    }
}
