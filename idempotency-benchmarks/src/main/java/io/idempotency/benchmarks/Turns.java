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
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Measures sides in turns. Every round gives each a rate of first calls and of replays, and ratios to those of the first side in
 * the same round: so what else the machine does changes the ratios little.
 */
final class Turns {

    private static final int REPLAYED = 256;
    private static final int WARM_UP = 3;

    /** Of what a pass uses its compiler has at most one part of so many, or the side is not warm. */
    private static final int COMPILER_PART = 20;

    private static final int PASSES = 12;

    /** Part of a turn's time on the clock that it has of the processors, however long a busy machine takes for that. */
    private static final int AT_LEAST = 4;

    private static final double MICROS = 1e6;
    private static final long TICK_MILLIS = 5;
    private static final AtomicLong KEYS = new AtomicLong();

    private final Settings settings;
    private final Map<String, List<Map<Figure, Double>>> rounds = new HashMap<>();

    /** What a round tells of a side: calls per second of the clock and of the processors, and how long one call in a hundred takes and more. */
    enum Figure {
        FIRST,
        REPLAY,
        FIRST_BY_CPU,
        REPLAY_BY_CPU,
        FIRST_P99_MILLIS,
        REPLAY_P99_MILLIS
    }

    private record Rate(double perSecond, double perProcessorSecond, double slowestMillis) {}

    Turns(Settings settings) {
        this.settings = settings;
    }

    /** Runs one call of a key to its end. */
    interface Side {
        /** First is what bare code would know by itself: whether the key is new. */
        void call(String key, boolean first) throws Exception;
    }

    /** A table of the sides for each number of callers, the floor first. */
    Table table(String part, String title, String text, String store, Map<String, Side> sides) throws Exception {
        List<Map<String, Object>> rows = new ArrayList<>();
        for (int callers : settings.callers()) {
            rows.addAll(measure(store, callers, sides));
        }
        return new Table(part, title + ", " + settings.threads() + " threads", text, rows);
    }

    /** One row for each side, the floor first. */
    private List<Map<String, Object>> measure(String store, int callers, Map<String, Side> sides) throws Exception {
        rounds.clear();
        for (Map.Entry<String, Side> side : sides.entrySet()) {
            for (int i = 0; i < REPLAYED; i++) {
                side.getValue().call(known(callers, i), true);
            }
        }
        for (int round = -1; round < settings.rounds(); round++) { // the first warms up
            for (Map.Entry<String, Side> side : sides.entrySet()) {
                if (round < 0) {
                    warmUp(side.getValue(), callers);
                } else {
                    rounds.computeIfAbsent(side.getKey(), it -> new ArrayList<>())
                            .add(round(side.getValue(), callers));
                }
            }
        }
        String floor = sides.keySet().iterator().next();
        return sides.keySet().stream()
                .map(side -> row(store, callers, side, floor))
                .toList();
    }

    private Map<Figure, Double> round(Side side, int callers) throws Exception {
        Rate first = rate(side, callers, true);
        Rate replay = rate(side, callers, false);
        return Map.of(
                Figure.FIRST, first.perSecond(),
                Figure.REPLAY, replay.perSecond(),
                Figure.FIRST_BY_CPU, first.perProcessorSecond(),
                Figure.REPLAY_BY_CPU, replay.perProcessorSecond(),
                Figure.FIRST_P99_MILLIS, first.slowestMillis(),
                Figure.REPLAY_P99_MILLIS, replay.slowestMillis());
    }

    private Map<String, Object> row(String store, int callers, String side, String floor) {
        return Table.row(
                "store", store,
                "callers", callers,
                "side", side,
                "first", median(side, null, Figure.FIRST),
                "replay", median(side, null, Figure.REPLAY),
                "firstRatio", median(side, floor, Figure.FIRST),
                "replayRatio", median(side, floor, Figure.REPLAY),
                "firstCpuRatio", median(side, floor, Figure.FIRST_BY_CPU),
                "replayCpuRatio", median(side, floor, Figure.REPLAY_BY_CPU),
                "firstCpuMicros", MICROS / median(side, null, Figure.FIRST_BY_CPU),
                "replayCpuMicros", MICROS / median(side, null, Figure.REPLAY_BY_CPU),
                "firstP99Millis", median(side, null, Figure.FIRST_P99_MILLIS),
                "replayP99Millis", median(side, null, Figure.REPLAY_P99_MILLIS));
    }

    /** Of one figure of a side, or of its ratios to another side's. */
    private double median(String side, @Nullable String to, Figure figure) {
        List<Map<Figure, Double>> ours = Objects.requireNonNull(rounds.get(side));
        List<Map<Figure, Double>> theirs = Objects.requireNonNull(rounds.get(to == null ? side : to));
        double[] values = new double[ours.size()];
        for (int i = 0; i < values.length; i++) {
            values[i] = in(ours.get(i), figure) / (to == null ? 1 : in(theirs.get(i), figure));
        }
        Arrays.sort(values);
        return values[values.length / 2];
    }

    private static double in(Map<Figure, Double> round, Figure figure) {
        return Objects.requireNonNull(round.get(figure));
    }

    /**
     * Where others use the machine, time on the clock warms nothing; and what is left to the JVM's compiler would count as the
     * side's work. A single round is to show that a side runs, and is worth no warmth.
     */
    private void warmUp(Side side, int callers) throws Exception {
        int most = settings.rounds() > 1 ? PASSES : 0;
        for (boolean first : new boolean[] {true, false}) {
            long used = 0;
            long compiled;
            long inPass;
            int passes = 0;
            do {
                long before = Processors.nanos();
                compiled = Processors.compilingNanos();
                rate(side, callers, first);
                compiled = Processors.compilingNanos() - compiled;
                inPass = Processors.nanos() - before;
                used += inPass;
            } while (used < settings.millis() * WARM_UP * 1_000_000
                    || compiled * COMPILER_PART > inPass && ++passes < most);
        }
    }

    /** Each caller makes one call at least. */
    private Rate rate(Side side, int callers, boolean first) throws Exception {
        long[][] nanos = new long[callers][];
        AtomicReference<@Nullable Throwable> failed = new AtomicReference<>();
        CountDownLatch finished = new CountDownLatch(callers);
        AtomicBoolean over = new AtomicBoolean();
        ThreadFactory threads = Threads.of(settings.threads()).orElseThrow();
        long started = System.nanoTime();
        long before = Processors.nanos();
        for (int caller = 0; caller < callers; caller++) {
            int own = caller;
            threads.newThread(() -> {
                        try {
                            nanos[own] = calls(side, callers, first, over);
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
                && (System.nanoTime() - started < least || Processors.nanos() - before < least / AT_LEAST));
        over.set(true);
        finished.await();
        if (failed.get() != null) {
            throw new IllegalStateException("A side failed", failed.get());
        }
        double took = System.nanoTime() - started;
        double used = Math.max(1, Processors.nanos() - before);
        long[] all = Stream.of(nanos).flatMapToLong(Arrays::stream).sorted().toArray();
        return new Rate(all.length * 1e9 / took, all.length * 1e9 / used, all[all.length * 99 / 100] / 1e6);
    }

    /** How long each took. */
    private static long[] calls(Side side, int callers, boolean first, AtomicBoolean over) throws Exception {
        long[] nanos = new long[REPLAYED];
        int made = 0;
        do {
            nanos = made == nanos.length ? Arrays.copyOf(nanos, made * 2) : nanos;
            long began = System.nanoTime();
            side.call(first ? "new-" + KEYS.incrementAndGet() : known(callers, made), first);
            nanos[made++] = System.nanoTime() - began;
        } while (!over.get());
        return Arrays.copyOf(nanos, made);
    }

    /** Of each measurement its own: bare statements insert a key once only. */
    private static String known(int callers, int call) {
        return "known-" + callers + "-" + call % REPLAYED;
    }
}
