package io.idempotency.jdbc;

import static io.idempotency.jdbc.Calls.RESULT;
import static io.idempotency.jdbc.Calls.RETENTION;
import static io.idempotency.jdbc.Calls.claim;
import static io.idempotency.jdbc.Calls.get;
import static io.idempotency.jdbc.Calls.own;
import static io.idempotency.jdbc.Calls.store;
import static org.assertj.core.api.Assertions.assertThat;

import io.idempotency.runtime.store.IdempotencyStore;
import io.micronaut.context.ApplicationContext;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Whether removing a million records holds up the calls beside it. Prints what it measures. */
@Tag("load")
class PurgeUnderLoadTest {

    private static final int EXPIRED = 1_000_000;
    private static final int CALLERS = 4;
    private static final int ROUNDS = 5;
    private static final Duration ROUND = Duration.ofSeconds(6);
    private static final String BUDGET = System.getProperty("idempotency.test.purge.time-per-second", "100ms");

    /**
     * What calls cost.
     *
     * @param perSecond first calls, each a claim and a completion
     * @param p99Micros the time that 99 of 100 stay below
     */
    private record Calling(double perSecond, long p99Micros) {
        @Override
        public String toString() {
            return "%.0f calls/s, p99 %.1f ms".formatted(perSecond, p99Micros / 1_000.0);
        }
    }

    @Test
    void aMillionExpiredRecordsGoWhileCallsGoOn() throws Exception {
        Place place = Place.postgres();
        List<Double> ratios = new ArrayList<>();
        try (ApplicationContext application = place.application("idempotency.jdbc.pool-size", 8)) {
            IdempotencyStore store = store(application);
            fill(place);
            call(store, within(Duration.ofSeconds(3)));
            for (int round = 0; round < ROUNDS; round++) {
                Calling alone = call(store, within(ROUND));
                long before = expired(place);
                Calling beside;
                try (ApplicationContext node = purging(place)) {
                    store(node);
                    beside = call(store, within(ROUND));
                }
                ratios.add(beside.perSecond() / alone.perSecond());
                System.out.printf(
                        "alone: %s; while %d records go: %s; ratio: %.2f of the calls, %.1f times the p99%n",
                        alone,
                        before - expired(place),
                        beside,
                        beside.perSecond() / alone.perSecond(),
                        (double) beside.p99Micros() / alone.p99Micros());
                assertThat(expired(place)).isLessThan(before);
            }
            Collections.sort(ratios);
            System.out.printf(
                    "median of %d rounds with %s of each second: %.2f of the calls%n",
                    ROUNDS, BUDGET, ratios.get(ROUNDS / 2));
            assertThat(ratios.get(ROUNDS / 2)).isGreaterThan(0.5);
        }
    }

    /** Another node, which does nothing else. */
    private static ApplicationContext purging(Place place) {
        return place.application(
                "idempotency.purge.enabled",
                true,
                "idempotency.purge.interval",
                "50ms",
                "idempotency.purge.time-per-second",
                BUDGET);
    }

    private static long expired(Place place) {
        return Long.parseLong(
                place.ask("SELECT count(*) FROM " + place.table() + " WHERE expires_at_ms <= " + EXPIRED));
    }

    private static void fill(Place place) {
        place.run("INSERT INTO " + place.table() + " (id, operation, fingerprint, state, owner, fence, attempt,"
                + " claimed_at_ms, lease_until_ms, settled_at_ms, expires_at_ms, result_kind, result, result_size,"
                + " format_version) SELECT encode(sha256(n::text::bytea), 'hex'), 'charge', 'fingerprint', 'COMPLETED',"
                + " 'owner', n, 1, n, n, n, n, 'PRESENT', convert_to(repeat('x', 200), 'UTF8'), 200, 1"
                + " FROM generate_series(1, " + EXPIRED + ") n");
        place.run("ANALYZE " + place.table());
    }

    private static BooleanSupplier within(Duration duration) {
        long end = System.nanoTime() + duration.toNanos();
        return () -> System.nanoTime() < end;
    }

    private static Calling call(IdempotencyStore store, BooleanSupplier goOn) throws Exception {
        ExecutorService callers = Executors.newFixedThreadPool(CALLERS);
        long start = System.nanoTime();
        List<Future<List<Long>>> futures = new ArrayList<>();
        for (int i = 0; i < CALLERS; i++) {
            futures.add(callers.submit(() -> times(store, goOn)));
        }
        List<Long> times = new ArrayList<>();
        for (Future<List<Long>> future : futures) {
            times.addAll(future.get());
        }
        double seconds = (System.nanoTime() - start) / 1e9;
        callers.shutdown();
        times.sort(Long::compare);
        return new Calling(times.size() / seconds, times.get(times.size() * 99 / 100) / 1_000);
    }

    private static List<Long> times(IdempotencyStore store, BooleanSupplier goOn) {
        List<Long> times = new ArrayList<>();
        while (goOn.getAsBoolean()) {
            long start = System.nanoTime();
            get(store.complete(own(store, claim(Place.fresh())), RESULT, RETENTION));
            times.add(System.nanoTime() - start);
        }
        return times;
    }
}
