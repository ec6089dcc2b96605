package io.idempotency.jdbc;

import static io.idempotency.jdbc.Calls.RESULT;
import static io.idempotency.jdbc.Calls.SHORT;
import static io.idempotency.jdbc.Calls.claim;
import static io.idempotency.jdbc.Calls.get;
import static io.idempotency.jdbc.Calls.id;
import static io.idempotency.jdbc.Calls.own;
import static io.idempotency.jdbc.Calls.store;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.idempotency.runtime.store.AuditNote;
import io.idempotency.runtime.store.IdempotencyStore;
import io.idempotency.runtime.store.Ownership;
import io.idempotency.runtime.store.Resolution;
import io.micronaut.context.ApplicationContext;
import java.time.Duration;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The fence of a key is remembered for as long as a claim may come with an older reading of the clock. */
class FencesTest {

    private static final long HOUR_US = 3_600_000_000L;

    static Stream<Place> places() {
        return Stream.of(Place.h2(), Place.postgres());
    }

    @ParameterizedTest
    @MethodSource("places")
    void aFenceAheadOfTheClockIsPassedByTheNextClaimWhateverBecameOfItsRecord(Place place) {
        try (ApplicationContext application = place.application()) {
            IdempotencyStore store = store(application);
            Ownership released = ahead(place, own(store, claim("released")));
            get(store.release(released));
            Ownership completed = ahead(place, own(store, claim("completed")));
            get(store.complete(completed, RESULT, SHORT));
            Ownership forgotten = ahead(place, own(store, claim("forgotten")));
            get(store.doubt(forgotten, "timed out", SHORT.plusDays(1)));
            get(store.resolve(
                    forgotten.id(),
                    forgotten.fence(),
                    new Resolution.Forget(),
                    new AuditNote("anna: looked it up", Duration.ofDays(1))));
            await().until(() -> get(store.find(completed.id())).isEmpty());
            assertThat(get(store.purge(100))).isZero();
            Stream.of(released, completed, forgotten).forEach(former -> {
                assertThat(get(store.find(former.id()))).isEmpty();
                assertThat(own(store, claim(key(former))).fence()).isGreaterThan(former.fence());
            });
        }
    }

    private static String key(Ownership ownership) {
        return Stream.of("released", "completed", "forgotten")
                .filter(key -> id(key).equals(ownership.id()))
                .findFirst()
                .orElseThrow();
    }

    /** As if the clock had been set back since the claim. */
    private static Ownership ahead(Place place, Ownership ownership) {
        place.run("UPDATE " + place.table() + " SET fence = fence + " + HOUR_US + " WHERE id = '"
                + ownership.id().value() + "'");
        return new Ownership(ownership.id(), ownership.owner(), ownership.fence() + HOUR_US);
    }

    @ParameterizedTest
    @MethodSource("places")
    void whatIsExpiredIsRemovedInBatchesOnceItsFenceIsOlderThanAClockMayStepBack(Place place) {
        try (ApplicationContext application = place.application()) {
            IdempotencyStore store = store(application);
            for (int i = 0; i < 5; i++) {
                get(store.release(own(store, claim("released" + i))));
            }
            own(store, claim("alive"));
            assertThat(get(store.purge(100))).isZero();
            place.run("UPDATE " + place.table() + " SET fence = fence - 200000000");
            assertThat(get(store.purge(100))).isZero();
            place.run("UPDATE " + place.table() + " SET fence = fence - 100000000");
            assertThat(get(store.purge(3))).isEqualTo(3);
            assertThat(get(store.purge(3))).isEqualTo(2);
            assertThat(get(store.purge(3))).isZero();
            assertThat(place.ask("SELECT count(*) FROM " + place.table() + " WHERE attempt > 0"))
                    .isEqualTo("1");
        }
    }
}
