package io.idempotency.benchmarks;

import io.idempotency.runtime.store.Claim;
import io.idempotency.runtime.store.ClaimResult;
import io.idempotency.runtime.store.IdempotencyStore;
import io.idempotency.runtime.store.Ownership;
import io.idempotency.runtime.store.RecordId;
import io.idempotency.runtime.store.RecordState;
import io.idempotency.runtime.store.StoredResult;
import io.idempotency.test.servers.RedisServer;
import io.micronaut.context.ApplicationContext;
import io.micronaut.inject.qualifiers.Qualifiers;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Arrays;
import java.util.Collection;
import java.util.Map;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Semaphore;

/** How long Redis takes to list a hundred records in doubt among many completed ones, and what a sweep of its index costs. */
public final class RedisListing {

    private static final String FINGERPRINT = "1:" + "0123456789abcdef".repeat(4);
    private static final Duration DAYS = Duration.ofDays(30);
    private static final int AT_ONCE = 512;
    private static final int DOUBTS = 100;
    private static final int TIMES = 21;

    private RedisListing() {}

    /**
     * Measures.
     *
     * @param arguments how many records (1000000)
     */
    public static void main(String[] arguments) throws InterruptedException {
        int records = arguments.length > 0 ? Integer.parseInt(arguments[0]) : 1_000_000;
        try (RedisServer server = RedisServer.onHost();
                ApplicationContext application = ApplicationContext.run(Map.of(
                        "redis.uri", server.uri(),
                        "idempotency.store", "redis",
                        "idempotency.redis.required-durability", "none"))) {
            IdempotencyStore store = application.getBean(IdempotencyStore.class, Qualifiers.byName("redis"));
            Semaphore turns = new Semaphore(AT_ONCE);
            for (int i = 0; i < records; i++) {
                turns.acquire();
                record(store, i, i % (records / DOUBTS) == 0).whenComplete((done, failure) -> turns.release());
            }
            turns.acquire(AT_ONCE);
            print(
                    records + " records, list 100 in doubt",
                    () -> store.list(RecordState.IN_DOUBT, Duration.ZERO, DOUBTS));
            print(records + " records, one purge of 1000", () -> store.purge(1000));
        }
    }

    private static CompletionStage<?> record(IdempotencyStore store, int number, boolean doubt) {
        Claim claim = new Claim(
                RecordId.of("bench", null, null, "k" + number),
                "bench-charge",
                FINGERPRINT,
                "o" + number,
                DAYS,
                DAYS,
                false);
        StoredResult result = new StoredResult.Present("x".repeat(100).getBytes(StandardCharsets.UTF_8));
        return store.claim(claim).thenCompose(won -> {
            Ownership owner = new Ownership(claim.id(), claim.owner(), ((ClaimResult.Acquired) won).fence());
            return doubt ? store.doubt(owner, "lost", DAYS) : store.complete(owner, result, DAYS);
        });
    }

    private interface Question {
        CompletionStage<?> ask();
    }

    private static void print(String name, Question question) {
        double[] millis = new double[TIMES];
        Object last = "";
        for (int i = 0; i < TIMES; i++) {
            long started = System.nanoTime();
            last = question.ask().toCompletableFuture().join();
            millis[i] = (System.nanoTime() - started) / 1e6;
        }
        Arrays.sort(millis);
        String found = last instanceof Collection<?> all ? all.size() + " found" : last + " removed";
        System.out.printf(
                "%s: median %.1f ms, best %.1f, worst %.1f (%s)%n",
                name, millis[TIMES / 2], millis[0], millis[TIMES - 1], found);
    }
}
