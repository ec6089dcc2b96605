package io.idempotency.integration.waiting;

import static org.assertj.core.api.Assertions.assertThat;

import io.idempotency.runtime.store.IdempotencyStore;
import io.idempotency.runtime.store.RecordId;
import io.idempotency.runtime.store.RecordState;
import io.micronaut.context.ApplicationContext;
import io.micronaut.inject.qualifiers.Qualifiers;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.junit.jupiter.api.Named;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * How long after the owner's own caller has its result a caller of another node has it: told by the store, finding out by
 * this library's polling, and asking every 50 ms; side by side, in one run.
 */
@Tag("load")
class WakeUpLatencyTest {

    private static final int WARM_UP = 20;
    private static final int ROUNDS = 200;
    private static final int ASKING_MILLIS = 50;

    private final ScheduledExecutorService timer = Executors.newScheduledThreadPool(2);

    static Stream<Named<Supplier<Backend>>> backends() {
        return Stream.of(Named.of("Redis", RedisBackend::new), Named.of("PostgreSQL", PostgresBackend::new));
    }

    @ParameterizedTest
    @MethodSource("backends")
    void aWaiterIsToldSoonerThanItWouldFindOut(Supplier<Backend> supplier) {
        try (Backend backend = supplier.get();
                ApplicationContext owner = start(backend, true);
                ApplicationContext listening = start(backend, true);
                ApplicationContext polling = start(backend, false)) {
            long[] told = new long[ROUNDS];
            long[] polled = new long[ROUNDS];
            long[] asked = new long[ROUNDS];
            for (int round = -WARM_UP; round < ROUNDS; round++) {
                CompletableFuture<Long> one = took(owner, round + " told", key -> paidOn(listening, key));
                CompletableFuture<Long> two = took(owner, round + " polled", key -> paidOn(polling, key));
                CompletableFuture<Long> three = took(owner, round + " asked", key -> asks(owner, key));
                int slot = Math.max(0, round); // the last round of the warm-up is overwritten
                told[slot] = one.join();
                polled[slot] = two.join();
                asked[slot] = three.join();
            }
            double ratio = report(backend, told, polled, asked);
            assertThat(ratio).isGreaterThan(1);
        } finally {
            timer.shutdownNow();
        }
    }

    private static ApplicationContext start(Backend backend, boolean notifications) {
        Map<String, Object> properties = new HashMap<>(backend.properties());
        properties.put("idempotency.redis.notifications", notifications);
        properties.put("idempotency.jdbc.notifications", notifications);
        return ApplicationContext.run(properties, "test");
    }

    private interface Waiter {
        /** When it knew. */
        CompletableFuture<Long> of(String key);
    }

    /** The body ends after some tenths of a second, in no relation to anybody's questions. */
    private CompletableFuture<Long> took(ApplicationContext owner, String key, Waiter waiter) {
        SlowPayment payment = owner.getBean(SlowPayment.class);
        CompletableFuture<Long> recorded = payment.pay(key).thenApply(paid -> System.nanoTime());
        CompletableFuture<Long> known = runs(owner, key).thenCompose(running -> waiter.of(key));
        long delay = 300 + ThreadLocalRandom.current().nextInt(100);
        known.exceptionally(failure -> null);
        timer.schedule(() -> payment.finish(key, "paid"), delay, TimeUnit.MILLISECONDS);
        return known.thenCombine(recorded, (second, first) -> second - first);
    }

    private CompletableFuture<Long> runs(ApplicationContext owner, String key) {
        return until(owner, key, RecordState.IN_PROGRESS, 1);
    }

    private static CompletableFuture<Long> paidOn(ApplicationContext node, String key) {
        return node.getBean(SlowPayment.class).pay(key).thenApply(paid -> System.nanoTime());
    }

    private CompletableFuture<Long> asks(ApplicationContext owner, String key) {
        return until(owner, key, RecordState.COMPLETED, ASKING_MILLIS);
    }

    private CompletableFuture<Long> until(ApplicationContext owner, String key, RecordState state, int everyMillis) {
        IdempotencyStore store = owner.getBean(
                IdempotencyStore.class,
                Qualifiers.byName(owner.getRequiredProperty("idempotency.store", String.class)));
        RecordId id = RecordId.of("slow-payment", null, null, key);
        CompletableFuture<Long> seen = new CompletableFuture<>();
        var task = timer.scheduleAtFixedRate(
                () -> store.find(id)
                        .filter(record -> record.state() == state)
                        .ifPresent(record -> seen.complete(System.nanoTime())),
                0,
                everyMillis,
                TimeUnit.MILLISECONDS);
        seen.whenComplete((at, failure) -> task.cancel(false));
        return seen;
    }

    /** How many times sooner, in the middle. */
    private static double report(Backend backend, long[] told, long[] polled, long[] asked) {
        double ratio = (double) middle(asked) / middle(told);
        System.out.printf(
                "%s, median and 90th percentile of %d: told after %s, by polling after %s, asking every %d ms after %s:"
                        + " %.0f times sooner%n",
                backend.getClass().getSimpleName(),
                ROUNDS,
                text(told),
                text(polled),
                ASKING_MILLIS,
                text(asked),
                ratio);
        return ratio;
    }

    private static long middle(long[] nanos) {
        Arrays.sort(nanos);
        return Math.max(1, nanos[nanos.length / 2]);
    }

    private static String text(long[] nanos) {
        Arrays.sort(nanos);
        return "%.1f ms (%.1f ms)".formatted(nanos[nanos.length / 2] / 1e6, nanos[nanos.length * 9 / 10] / 1e6);
    }
}
