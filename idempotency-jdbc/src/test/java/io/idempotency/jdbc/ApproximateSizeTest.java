package io.idempotency.jdbc;

import static io.idempotency.jdbc.Calls.claim;
import static io.idempotency.jdbc.Calls.own;
import static io.idempotency.jdbc.Calls.store;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.idempotency.runtime.store.IdempotencyStore;
import io.micronaut.context.ApplicationContext;
import java.util.OptionalLong;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The statistics follow the table without anybody's ANALYZE, and are those of this table. */
class ApproximateSizeTest {

    private static final long RECORDS = 20;

    private static Stream<Supplier<Place>> places() {
        return Stream.of(Place::h2, Place::postgres);
    }

    private static OptionalLong size(IdempotencyStore store) {
        return store.approximateSize();
    }

    @ParameterizedTest
    @MethodSource("places")
    void theStatisticsFollowTheTable(Supplier<Place> place) {
        try (ApplicationContext application = place.get().application()) {
            IdempotencyStore store = store(application);
            assertThat(size(store).orElse(0)).isBetween(0L, 1L); // the row in which the time is kept counts too
            for (int i = 0; i < RECORDS; i++) {
                own(store, claim("size-" + i));
            }
            await().untilAsserted(() -> assertThat(size(store).orElse(0)).isBetween(RECORDS, RECORDS + 1));
        }
    }
}
