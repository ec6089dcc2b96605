package io.idempotency.benchmarks;

import java.util.Arrays;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.IntToDoubleFunction;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * Measures sides in turns: every round gives each a rate, and a ratio to the rate of the floor in the same round. So what
 * else the machine does changes the ratios little.
 *
 * @param count how many rounds
 * @param millis how long each side is asked in each of them
 */
record Rounds(int count, long millis) {

    private static final int REPLAYED = 256;
    private static final AtomicLong KEYS = new AtomicLong();

    /** Runs one call of a key to its end. */
    interface Side {
        /**
         * Calls.
         *
         * @param key names the call
         * @param first whether the caller knows that the key is new: bare code sends another statement then
         */
        void call(String key, boolean first) throws Exception;
    }

    /**
     * What the rounds gave for one side.
     *
     * @param perSecond the median of its rates
     * @param ratio the median of its ratios to the floor
     * @param low the lower quartile of these
     * @param high the upper quartile
     * @param slowestMicros how long one call in a hundred takes and more, the median over the rounds
     * @param cpuMicros the processors' time for one call, in this process and the servers that it started: on a machine that
     *     does something else as well, it tells more than the clock
     * @param cpuRatio the median of the floor's by this
     */
    record Result(
            double perSecond,
            double ratio,
            double low,
            double high,
            double slowestMicros,
            double cpuMicros,
            double cpuRatio) {}

    private record Rate(double perSecond, double slowestMicros, double cpuMicros) {}

    /**
     * Measures.
     *
     * @param sides by name
     * @param floor the name of the side that all are compared with
     * @param callers how many at once
     * @param threads makes them
     * @param first whether each call has a new key, or one of those that were called before
     * @param clean run before the rounds, and before each of them where keys are new
     * @return by the side's name
     */
    Map<String, Result> measure(
            Map<String, Side> sides, String floor, int callers, ThreadFactory threads, boolean first, Runnable clean)
            throws InterruptedException {
        Map<String, Rate[]> rates = new TreeMap<>();
        for (int round = -1; round < count; round++) { // the first warms up
            if (first || round < 0) {
                clean.run();
            }
            for (Map.Entry<String, Side> side : sides.entrySet()) {
                for (int i = 0; i < REPLAYED && !first && round < 0; i++) {
                    called(side.getValue(), side.getKey() + i, true);
                }
                Rate rate = rate(side.getKey(), side.getValue(), callers, threads, first);
                if (round >= 0) {
                    rates.computeIfAbsent(side.getKey(), it -> new Rate[count])[round] = rate;
                }
            }
        }
        Rate[] compared = Objects.requireNonNull(rates.get(floor), "every round measures the floor");
        Map<String, Result> results = new TreeMap<>();
        rates.forEach((side, each) -> results.put(side, result(each, compared)));
        return results;
    }

    private Result result(Rate[] side, Rate[] floor) {
        double[] ratios = sorted(i -> side[i].perSecond / floor[i].perSecond);
        return new Result(
                sorted(i -> side[i].perSecond)[count / 2],
                ratios[count / 2],
                ratios[count / 4],
                ratios[count * 3 / 4],
                sorted(i -> side[i].slowestMicros)[count / 2],
                sorted(i -> side[i].cpuMicros)[count / 2],
                sorted(i -> floor[i].cpuMicros / side[i].cpuMicros)[count / 2]);
    }

    private double[] sorted(IntToDoubleFunction figure) {
        return IntStream.range(0, count).mapToDouble(figure).sorted().toArray();
    }

    private static double cpuSeconds() {
        return Stream.concat(
                        Stream.of(ProcessHandle.current()),
                        ProcessHandle.current().descendants())
                .flatMap(process -> process.info().totalCpuDuration().stream())
                .mapToDouble(time -> time.toNanos() / 1e9)
                .sum();
    }

    private Rate rate(String name, Side side, int callers, ThreadFactory threads, boolean first)
            throws InterruptedException {
        long[][] nanos = new long[callers][];
        double cpu = cpuSeconds();
        CountDownLatch finished = new CountDownLatch(callers);
        long started = System.nanoTime();
        for (int caller = 0; caller < callers; caller++) {
            int own = caller;
            threads.newThread(() -> {
                        nanos[own] = calls(name, side, first, started + millis * 1_000_000L);
                        finished.countDown();
                    })
                    .start();
        }
        finished.await();
        double seconds = (System.nanoTime() - started) / 1e9;
        long[] all = Stream.of(nanos).flatMapToLong(Arrays::stream).sorted().toArray();
        return new Rate(
                all.length / seconds, all[all.length * 99 / 100] / 1e3, (cpuSeconds() - cpu) * 1e6 / all.length);
    }

    private static long[] calls(String name, Side side, boolean first, long until) {
        long[] nanos = new long[256];
        int made = 0;
        for (long before = System.nanoTime(); before < until; made++) {
            called(side, first ? name + "-" + KEYS.incrementAndGet() : name + made % REPLAYED, first);
            nanos = made == nanos.length ? Arrays.copyOf(nanos, made * 2) : nanos;
            long after = System.nanoTime();
            nanos[made] = after - before;
            before = after;
        }
        return Arrays.copyOf(nanos, made);
    }

    private static void called(Side side, String key, boolean first) {
        try {
            side.call(key, first);
        } catch (Exception e) {
            throw new IllegalStateException(key, e);
        }
    }
}
