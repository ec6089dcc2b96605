package io.idempotency.jdbc;

import static io.idempotency.jdbc.Calls.LEASE;
import static io.idempotency.jdbc.Calls.RETENTION;
import static io.idempotency.jdbc.Calls.SHORT;
import static io.idempotency.jdbc.Calls.claim;
import static io.idempotency.jdbc.Calls.get;
import static io.idempotency.jdbc.Calls.store;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.idempotency.runtime.store.ClaimResult;
import io.idempotency.runtime.store.IdempotencyStore;
import io.idempotency.runtime.store.RecordState;
import io.idempotency.runtime.store.StoredRecord;
import io.micronaut.context.ApplicationContext;
import java.util.List;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.junit.jupiter.api.Named;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Of 64 callers that claim one key at the same moment one gets it, at every isolation level, and nobody sees an error. */
class ConcurrentClaimsTest {

    private static final int THREADS = 64;
    private static final int KEYS = 60;
    private static final Object[] SIXTEEN = {"datasources.default.maximum-pool-size", 16};

    static Stream<Named<Supplier<Place>>> places() {
        return Stream.of(
                Named.of("H2", Place::h2),
                Named.of("PostgreSQL", Place::postgres),
                Named.of("PostgreSQL, repeatable read", () -> isolated("repeatable")),
                Named.of("PostgreSQL, serializable", () -> isolated("serializable")));
    }

    private static Place isolated(String level) {
        String name = level.equals("repeatable") ? "repeatable%5C%20read" : level;
        return Place.postgres().with("?options=-c%20default_transaction_isolation=" + name);
    }

    @ParameterizedTest
    @MethodSource("places")
    void oneOfManyGetsANewKey(Supplier<Place> place) throws Exception {
        try (ApplicationContext application = place.get().application(SIXTEEN);
                Crowd crowd = new Crowd(THREADS)) {
            IdempotencyStore store = store(application);
            for (int i = 0; i < KEYS; i++) {
                String key = "key" + i;
                assertOneOwner(crowd.atOnce(() -> get(store.claim(claim(key)))), 1);
            }
        }
    }

    @ParameterizedTest
    @MethodSource("places")
    void oneOfManyGetsAnExpiredKey(Supplier<Place> place) throws Exception {
        try (ApplicationContext application = place.get().application(SIXTEEN);
                Crowd crowd = new Crowd(THREADS)) {
            IdempotencyStore store = store(application);
            for (int i = 0; i < KEYS; i++) {
                String key = "key" + i;
                get(store.claim(claim(key, SHORT, SHORT, false)));
                await().until(() -> Calls.find(store, key).isEmpty());
                assertOneOwner(crowd.atOnce(() -> get(store.claim(claim(key)))), 1);
            }
        }
    }

    @ParameterizedTest
    @MethodSource("places")
    void oneOfManyTakesOverAnAbandonedKey(Supplier<Place> place) throws Exception {
        try (ApplicationContext application = place.get().application(SIXTEEN);
                Crowd crowd = new Crowd(THREADS)) {
            IdempotencyStore store = store(application);
            for (int i = 0; i < KEYS; i++) {
                String key = "key" + i;
                get(store.claim(claim(key, SHORT, RETENTION, false)));
                await().until(() -> Calls.find(store, key)
                        .map(StoredRecord::state)
                        .filter(RecordState.IN_DOUBT::equals)
                        .isPresent());
                assertOneOwner(crowd.atOnce(() -> get(store.claim(claim(key, LEASE, RETENTION, true)))), 2);
            }
        }
    }

    private static void assertOneOwner(List<ClaimResult> answers, int attempt) {
        List<ClaimResult.Acquired> owners = answers.stream()
                .filter(ClaimResult.Acquired.class::isInstance)
                .map(ClaimResult.Acquired.class::cast)
                .toList();
        assertThat(owners)
                .singleElement()
                .extracting(ClaimResult.Acquired::attempt)
                .isEqualTo(attempt);
        assertThat(answers)
                .filteredOn(ClaimResult.Duplicate.class::isInstance)
                .hasSize(THREADS - 1)
                .allSatisfy(answer -> assertThat(
                                ((ClaimResult.Duplicate) answer).record().fence())
                        .isEqualTo(owners.get(0).fence()));
    }
}
