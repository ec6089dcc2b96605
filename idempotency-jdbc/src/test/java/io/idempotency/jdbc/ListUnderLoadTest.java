package io.idempotency.jdbc;

import static io.idempotency.jdbc.Calls.get;
import static io.idempotency.jdbc.Calls.store;
import static org.assertj.core.api.Assertions.assertThat;

import io.idempotency.runtime.store.IdempotencyStore;
import io.idempotency.runtime.store.RecordState;
import io.micronaut.context.ApplicationContext;
import java.time.Duration;
import java.util.Arrays;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.junit.jupiter.api.Named;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Prints how long an operator waits for 100 records in doubt out of a million: {@code mvn -Pload}. */
@Tag("load")
class ListUnderLoadTest {

    private static final int RECORDS = Integer.getInteger("records", 1_000_000);
    private static final int ONE_IN_DOUBT_OF = Integer.getInteger("one.in.doubt.of", 1_000);
    private static final int ROUNDS = 21;

    static Stream<Named<Supplier<Place>>> places() {
        return Stream.of(
                Named.of("H2", Place::h2),
                Named.of("PostgreSQL", Place::postgres),
                Named.of("MariaDB", () -> Place.mariaDb("mariadb")));
    }

    @ParameterizedTest
    @MethodSource("places")
    void listsAHundredInDoubt(Supplier<Place> place) {
        Place here = place.get();
        try (ApplicationContext application = here.application()) {
            IdempotencyStore store = store(application);
            ManyRecords.fill(here, RECORDS, ONE_IN_DOUBT_OF);
            long[] nanos = new long[ROUNDS];
            for (int i = 0; i < ROUNDS; i++) {
                long start = System.nanoTime();
                assertThat(get(store.list(RecordState.IN_DOUBT, Duration.ZERO, 100)))
                        .hasSize(100);
                nanos[i] = System.nanoTime() - start;
            }
            Arrays.sort(nanos);
            System.out.printf(
                    "%s: 100 of %,d in doubt of %,d records in %.1f ms (median of %d, slowest %.1f)%n",
                    here.url().split(":", -1)[1],
                    RECORDS / ONE_IN_DOUBT_OF,
                    RECORDS,
                    nanos[ROUNDS / 2] / 1e6,
                    ROUNDS,
                    nanos[ROUNDS - 1] / 1e6);
        }
    }
}
