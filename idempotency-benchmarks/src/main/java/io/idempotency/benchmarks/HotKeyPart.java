package io.idempotency.benchmarks;

import io.idempotency.test.servers.PostgresServer;
import io.idempotency.test.servers.RedisServer;
import io.micronaut.context.ApplicationContext;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;

/** A thousand duplicates of one key whose body runs. */
final class HotKeyPart {

    private static final int DUPLICATES = 1000;

    private HotKeyPart() {}

    static List<Table> measure(Settings settings) throws Exception {
        List<Map<String, Object>> rows = new ArrayList<>();
        try (RedisServer redis = RedisServer.onHost();
                PostgresServer postgres = PostgresServer.start("fsync=on", "full_page_writes=on")) {
            for (int round = -1; round < settings.rounds(); round++) {
                try (ApplicationContext application = Applications.redis(redis.uri(), Map.of())) {
                    add(rows, "Redis", application, round);
                }
                try (ApplicationContext application = Applications.run(false, Applications.database(postgres))) {
                    add(rows, "PostgreSQL", application, round);
                }
            }
        }
        return List.of(new Table(
                "hot-key",
                DUPLICATES + " duplicates of a hot key",
                "Milliseconds until all of them are answered, made at once without blocking while the body runs on the same"
                        + " JVM: refused (`REJECT`), or given its result after it has ended (`WAIT`). Medians of the rounds.",
                medians(rows)));
    }

    private static void add(List<Map<String, Object>> rows, String store, ApplicationContext application, int round)
            throws Exception {
        Charges charges = application.getBean(Charges.class);
        String key = store + round + "-" + System.nanoTime();
        double rejected = millis(charges::slowly, "r" + key, () -> {});
        double waited = millis(charges::waiting, "w" + key, charges::finish);
        if (round >= 0) {
            rows.add(Table.row("store", store, "REJECT ms", rejected, "WAIT ms", waited));
        }
    }

    private static double millis(
            Function<Charges.Charge, CompletableFuture<Charges.Receipt>> operation, String key, Runnable finish)
            throws Exception {
        Charges.Charge charge = Charges.Charge.of(key);
        CompletableFuture<Charges.Receipt> owner = operation.apply(charge);
        Thread.sleep(200); // its body runs by then
        long started = System.nanoTime();
        List<CompletableFuture<?>> answered = new ArrayList<>();
        for (int i = 0; i < DUPLICATES; i++) {
            answered.add(operation.apply(charge).handle((receipt, refused) -> null));
        }
        finish.run();
        CompletableFuture.allOf(answered.toArray(new CompletableFuture<?>[0])).join();
        if (owner.isCompletedExceptionally()) {
            owner.join();
        }
        return (System.nanoTime() - started) / 1e6;
    }

    private static List<Map<String, Object>> medians(List<Map<String, Object>> rows) {
        List<Map<String, Object>> medians = new ArrayList<>();
        for (String store : List.of("Redis", "PostgreSQL")) {
            medians.add(Table.row(
                    "store",
                    store,
                    "REJECT ms",
                    median(rows, store, "REJECT ms"),
                    "WAIT ms",
                    median(rows, store, "WAIT ms")));
        }
        return medians;
    }

    private static double median(List<Map<String, Object>> rows, String store, String column) {
        double[] sorted = rows.stream()
                .filter(row -> store.equals(row.get("store")))
                .mapToDouble(row -> Table.number(row, column))
                .toArray();
        Arrays.sort(sorted);
        return sorted[sorted.length / 2];
    }
}
