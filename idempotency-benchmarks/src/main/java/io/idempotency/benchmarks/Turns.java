package io.idempotency.benchmarks;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * Measures sides in turns. Every round gives each a rate of first calls and of replays, and ratios to those of the first side in
 * the same round: so what else the machine does changes the ratios little.
 */
final class Turns {

    private static final int REPLAYED = 256;
    private static final int WARM_UP = 3;

    /** Part of a turn's time on the clock that it has of the processors, however long a busy machine takes for that. */
    private static final int AT_LEAST = 4;

    private static final long TICK_MILLIS = 5;
    private static final AtomicLong KEYS = new AtomicLong();

    private final Settings settings;
    private final Map<String, List<double[]>> rates = new HashMap<>();

    Turns(Settings settings) {
        this.settings = settings;
    }

    /** Runs one call of a key to its end. */
    interface Side {
        /** First is what bare code would know by itself: whether the key is new. */
        void call(String key, boolean first) throws Exception;
    }

    /** One row for each side, the floor first. */
    List<Map<String, Object>> measure(String store, int callers, Map<String, Side> sides) throws Exception {
        rates.clear();
        for (Map.Entry<String, Side> side : sides.entrySet()) {
            for (int i = 0; i < REPLAYED; i++) {
                side.getValue().call("known-" + i, true);
            }
        }
        for (int round = -1; round < settings.rounds(); round++) { // the first warms up
            for (Map.Entry<String, Side> side : sides.entrySet()) {
                if (round < 0) {
                    warmUp(side.getValue(), callers);
                    continue;
                }
                double[] first = rate(side.getValue(), callers, true);
                double[] replay = rate(side.getValue(), callers, false);
                rates.computeIfAbsent(side.getKey(), it -> new ArrayList<>())
                        .add(new double[] {first[0], replay[0], first[1], replay[1]});
            }
        }
        String floor = sides.keySet().iterator().next();
        List<Map<String, Object>> rows = new ArrayList<>();
        for (String side : sides.keySet()) {
            rows.add(Table.row(
                    "store", store,
                    "callers", callers,
                    "side", side,
                    "first", median(side, null, 0),
                    "replay", median(side, null, 1),
                    "firstRatio", median(side, floor, 0),
                    "replayRatio", median(side, floor, 1),
                    "firstCpuRatio", median(side, floor, 2),
                    "replayCpuRatio", median(side, floor, 3)));
        }
        return rows;
    }

    /** Of the rates (first, replay, and both by the processors' time), or of the ratios to another side. */
    double median(String side, @Nullable String to, int what) {
        List<double[]> ours = Objects.requireNonNull(rates.get(side));
        List<double[]> theirs = Objects.requireNonNull(rates.get(to == null ? side : to));
        double[] values = new double[ours.size()];
        for (int i = 0; i < values.length; i++) {
            values[i] = ours.get(i)[what] / (to == null ? 1 : theirs.get(i)[what]);
        }
        Arrays.sort(values);
        return values[values.length / 2];
    }

    /** Where others use the machine, time on the clock warms nothing. */
    private void warmUp(Side side, int callers) throws Exception {
        for (boolean first : new boolean[] {true, false}) {
            long used = Processors.nanos();
            do {
                rate(side, callers, first);
            } while (Processors.nanos() - used < settings.millis() * WARM_UP * 1_000_000);
        }
    }

    /** Calls per second, and per second of the processors. Each caller makes one at least. */
    private double[] rate(Side side, int callers, boolean first) throws Exception {
        AtomicLong done = new AtomicLong();
        AtomicReference<@Nullable Throwable> failed = new AtomicReference<>();
        CountDownLatch finished = new CountDownLatch(callers);
        AtomicBoolean over = new AtomicBoolean();
        ThreadFactory threads = Threads.of(settings.threads()).orElseThrow();
        long started = System.nanoTime();
        long used = Processors.nanos();
        for (int caller = 0; caller < callers; caller++) {
            threads.newThread(() -> {
                        try {
                            done.addAndGet(calls(side, first, over));
                        } catch (Throwable e) {
                            failed.set(e);
                        } finally {
                            finished.countDown();
                        }
                    })
                    .start();
        }
        long least = settings.millis() * 1_000_000;
        do {
            Thread.sleep(TICK_MILLIS);
        } while (finished.getCount() > 0
                && (System.nanoTime() - started < least || Processors.nanos() - used < least / AT_LEAST));
        over.set(true);
        finished.await();
        if (failed.get() != null) {
            throw new IllegalStateException("A side failed", failed.get());
        }
        double took = System.nanoTime() - started;
        return new double[] {done.get() * 1e9 / took, done.get() * 1e9 / Math.max(1, Processors.nanos() - used)};
    }

    private static long calls(Side side, boolean first, AtomicBoolean over) throws Exception {
        long calls = 0;
        do {
            side.call(first ? "new-" + KEYS.incrementAndGet() : "known-" + calls % REPLAYED, first);
            calls++;
        } while (!over.get());
        return calls;
    }
}
