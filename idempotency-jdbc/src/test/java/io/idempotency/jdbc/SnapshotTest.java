package io.idempotency.jdbc;

import static io.idempotency.jdbc.Calls.LEASE;
import static io.idempotency.jdbc.Calls.RESULT;
import static io.idempotency.jdbc.Calls.RETENTION;
import static io.idempotency.jdbc.Calls.claim;
import static io.idempotency.jdbc.Calls.find;
import static io.idempotency.jdbc.Calls.get;
import static io.idempotency.jdbc.Calls.own;
import static io.idempotency.jdbc.Calls.store;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.idempotency.runtime.store.ClaimResult;
import io.idempotency.runtime.store.IdempotencyStore;
import io.idempotency.runtime.store.Ownership;
import io.idempotency.runtime.store.RecordState;
import io.idempotency.runtime.store.TransactionalStore;
import io.micronaut.context.ApplicationContext;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** A transaction whose snapshot is older than a record, as they are by default on MariaDB and MySQL, is told of the record. */
@Tag("thorough")
@Tag("mariadb")
class SnapshotTest {

    static Stream<Supplier<Place>> places() {
        return Stream.of(Place::h2, Place::postgres, () -> Place.mariaDb("mariadb"), () -> Place.mySql());
    }

    @ParameterizedTest
    @MethodSource("places")
    void aRecordThatWasSettledSinceIsReplayed(Supplier<Place> places) {
        try (ApplicationContext application = places.get().application()) {
            IdempotencyStore store = store(application);
            ClaimResult answer = claimed(store, () -> get(store.complete(own(store, claim("key")), RESULT, RETENTION)));
            assertThat(((ClaimResult.Duplicate) answer).record().result()).isEqualTo(RESULT);
        }
    }

    @ParameterizedTest
    @MethodSource("places")
    void aRecordThatWasClaimedSinceIsInProgress(Supplier<Place> places) {
        try (ApplicationContext application = places.get().application()) {
            IdempotencyStore store = store(application);
            ClaimResult answer = claimed(store, () -> own(store, claim("key")));
            assertThat(((ClaimResult.Duplicate) answer).record().state()).isEqualTo(RecordState.IN_PROGRESS);
        }
    }

    @ParameterizedTest
    @MethodSource("places")
    void aRecordThatWasReleasedSinceIsClaimed(Supplier<Place> places) {
        try (ApplicationContext application = places.get().application()) {
            IdempotencyStore store = store(application);
            Ownership before = own(store, claim("key"));
            ClaimResult answer = claimed(store, () -> get(store.release(before)));
            assertThat(((ClaimResult.Acquired) answer).fence()).isGreaterThan(before.fence());
        }
    }

    /**
     * As by default since MariaDB 11.6: the server rolls the transaction back where the others let it read on. What was
     * written there before is gone, so nothing may commit as if it were not.
     */
    @ParameterizedTest
    @ValueSource(strings = {"mariadb", "mysql"})
    void aTransactionThatTheServerGaveUpForItsSnapshotIsToldToComeAgain(String driver) throws Exception {
        try (ApplicationContext application =
                Place.mariaDbWithSnapshotIsolation(driver).application()) {
            IdempotencyStore store = store(application);
            TransactionalStore transactions = store.transactional().orElseThrow();
            AtomicReference<Ownership> other = new AtomicReference<>();
            assertThatThrownBy(() -> transactions.inTransaction(LEASE, outer -> {
                        own(outer, claim("written before"));
                        assertThatThrownBy(() -> transactions.inTransaction(
                                        LEASE, view -> claimedIn(view, () -> other.set(own(store, claim("key"))))))
                                .isInstanceOf(TransactionalStore.KeyLockedException.class);
                        return "goes on all the same";
                    }))
                    .hasMessageContaining("rollback-only");
            assertThat(find(store, "written before")).isEmpty();
            get(store.complete(other.get(), RESULT, RETENTION));
            ClaimResult again = transactions.inTransaction(LEASE, view -> get(view.claim(claim("key"))));
            assertThat(((ClaimResult.Duplicate) again).record().result()).isEqualTo(RESULT);
        }
    }

    private static ClaimResult claimed(IdempotencyStore store, Runnable others) {
        try {
            return store.transactional().orElseThrow().inTransaction(LEASE, view -> claimedIn(view, others));
        } catch (Exception e) {
            throw new AssertionError(e);
        }
    }

    /** Claims in a transaction that has read before, and others did something since. */
    private static ClaimResult claimedIn(IdempotencyStore view, Runnable others) throws InterruptedException {
        assertThat(find(view, "another")).isEmpty();
        Thread beside = new Thread(others);
        beside.start();
        beside.join();
        return get(view.claim(claim("key")));
    }
}
