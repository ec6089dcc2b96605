package io.idempotency.jdbc;

import static io.idempotency.jdbc.Calls.LEASE;
import static io.idempotency.jdbc.Calls.RETENTION;
import static io.idempotency.jdbc.Calls.SHORT;
import static io.idempotency.jdbc.Calls.claim;
import static io.idempotency.jdbc.Calls.get;
import static io.idempotency.jdbc.Calls.own;
import static io.idempotency.jdbc.Calls.store;
import static java.util.stream.Collectors.groupingBy;
import static java.util.stream.Collectors.mapping;
import static java.util.stream.Collectors.toList;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.idempotency.runtime.store.Claim;
import io.idempotency.runtime.store.ClaimResult;
import io.idempotency.runtime.store.IdempotencyStore;
import io.idempotency.runtime.store.RecordId;
import io.idempotency.runtime.store.RecordState;
import io.idempotency.runtime.store.StoredRecord;
import io.micronaut.context.ApplicationContext;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** Of 64 callers that claim one key at the same moment one gets it, and nobody sees an error. */
abstract class ConcurrentClaims {

    private static final int THREADS = 64;
    private static final int KEYS = 40;
    /** What is over for the key that was claimed last is over for all. */
    private static final String LAST = "key" + (KEYS - 1);

    /** An empty place. */
    abstract Place place();

    /** By name and value. */
    Object[] properties() {
        return new Object[] {"idempotency.jdbc.pool-size", 16};
    }

    @Test
    void oneOfManyGetsANewKey() throws Exception {
        try (ApplicationContext application = place().application(properties());
                Crowd crowd = new Crowd(THREADS)) {
            IdempotencyStore store = store(application);
            for (int i = 0; i < KEYS; i++) {
                String key = "key" + i;
                assertOneOwner(crowd.atOnce(() -> get(store.claim(claim(key)))), 1);
            }
        }
    }

    /** Which of them are claimed by one statement is up to the store. */
    @Test
    void oneOfManyGetsEachOfSeveralKeys() throws Exception {
        try (ApplicationContext application = place().application(properties());
                Crowd crowd = new Crowd(THREADS)) {
            IdempotencyStore store = store(application);
            for (int i = 0; i < KEYS; i++) {
                String round = "round" + i + '-';
                AtomicInteger callers = new AtomicInteger();
                Map<RecordId, List<Boolean>> granted = crowd
                        .atOnce(() -> {
                            Claim claim = claim(round + callers.getAndIncrement() % 8);
                            return Map.entry(claim.id(), get(store.claim(claim)) instanceof ClaimResult.Acquired);
                        })
                        .stream()
                        .collect(groupingBy(Map.Entry::getKey, mapping(Map.Entry::getValue, toList())));
                assertThat(granted)
                        .hasSize(8)
                        .allSatisfy((id, each) -> assertThat(each).containsOnlyOnce(true));
            }
        }
    }

    /** They expire by hand: what is over before MySQL's second statement has read it is no claim. */
    @Test
    void oneOfManyGetsAnExpiredKey() throws Exception {
        Place place = place();
        try (ApplicationContext application = place.application(properties());
                Crowd crowd = new Crowd(THREADS)) {
            IdempotencyStore store = store(application);
            for (int i = 0; i < KEYS; i++) {
                own(store, claim("key" + i, SHORT, RETENTION, false));
            }
            long earlier = 2 * RETENTION.toMillis();
            place.run("UPDATE " + place.table() + " SET lease_until_ms = lease_until_ms - " + earlier
                    + ", expires_at_ms = expires_at_ms - " + earlier + " WHERE operation = 'charge'");
            assertThat(Calls.find(store, LAST)).isEmpty();
            for (int i = 0; i < KEYS; i++) {
                String key = "key" + i;
                assertOneOwner(crowd.atOnce(() -> get(store.claim(claim(key)))), 1);
            }
        }
    }

    @Test
    void oneOfManyTakesOverAnAbandonedKey() throws Exception {
        try (ApplicationContext application = place().application(properties());
                Crowd crowd = new Crowd(THREADS)) {
            IdempotencyStore store = store(application);
            for (int i = 0; i < KEYS; i++) {
                get(store.claim(claim("key" + i, SHORT, RETENTION, false)));
            }
            await().until(() -> Calls.find(store, LAST)
                    .map(StoredRecord::state)
                    .filter(RecordState.IN_DOUBT::equals)
                    .isPresent());
            for (int i = 0; i < KEYS; i++) {
                String key = "key" + i;
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
