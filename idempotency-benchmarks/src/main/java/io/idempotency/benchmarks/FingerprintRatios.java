package io.idempotency.benchmarks;

import com.sun.management.ThreadMXBean;
import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import org.openjdk.jmh.infra.Blackhole;

/**
 * The sides of {@link FingerprintBenchmark} and {@link InterceptionBenchmark} in turns, by the CPU time of the thread: ratios that hold on a machine that
 * others use too, where JMH's clock also counts the time in which the thread did not run.
 */
public final class FingerprintRatios {

    private static final int ROUNDS = 40;
    private static final int WARM_UP = 20;
    private static final int CALLS = 5_000;

    private final ThreadMXBean thread = (ThreadMXBean) ManagementFactory.getThreadMXBean();
    private final Blackhole blackhole = new Blackhole(
            "Today's password is swordfish. I understand instantiating Blackholes directly is dangerous.");

    /** What some calls took, of one call. */
    private record Cost(double nanos, long bytes) {}

    private FingerprintRatios() {}

    /** Prints the median cost of every side, and how much more it is than the generated fingerprint's. */
    public static void main(String[] arguments) throws Exception {
        FingerprintBenchmark benchmark = new FingerprintBenchmark();
        benchmark.start();
        Map<String, Callable<?>> sides = new LinkedHashMap<>();
        sides.put("generated", benchmark::generated);
        sides.put("generatedUndigested", benchmark::generatedUndigested);
        sides.put("openType", benchmark::openType);
        sides.put("canonicalJsonSha256", benchmark::canonicalJsonSha256);
        sides.put("jsonSha256", benchmark::jsonSha256);
        sides.put("jsonMd5", benchmark::jsonMd5);
        InterceptionBenchmark calls = new InterceptionBenchmark();
        calls.start();
        sides.put("firstCall", calls::firstCall);
        sides.put("firstOrder", calls::firstOrder);
        sides.put("replay", calls::replay);
        sides.put("replayOrder", calls::replayOrder);
        new FingerprintRatios().print(sides);
        calls.stop();
        benchmark.stop();
    }

    private void print(Map<String, Callable<?>> sides) throws Exception {
        Map<String, List<Cost>> costs = new LinkedHashMap<>();
        for (int round = 0; round < ROUNDS; round++) {
            for (Map.Entry<String, Callable<?>> side : sides.entrySet()) {
                Cost cost = measure(side.getValue());
                if (round >= WARM_UP) {
                    costs.computeIfAbsent(side.getKey(), name -> new ArrayList<>())
                            .add(cost);
                }
            }
        }
        Cost unit = median(costs.getOrDefault("generated", List.of()));
        costs.forEach((side, all) -> {
            Cost cost = median(all);
            System.out.printf(
                    "%-20s %6.0f ns  x%.2f  %6d B  x%.2f%n",
                    side,
                    cost.nanos(),
                    cost.nanos() / unit.nanos(),
                    cost.bytes(),
                    (double) cost.bytes() / unit.bytes());
        });
    }

    private Cost measure(Callable<?> side) throws Exception {
        long bytes = thread.getCurrentThreadAllocatedBytes();
        long nanos = thread.getCurrentThreadCpuTime();
        for (int i = 0; i < CALLS; i++) {
            blackhole.consume(side.call());
        }
        nanos = thread.getCurrentThreadCpuTime() - nanos;
        return new Cost((double) nanos / CALLS, (thread.getCurrentThreadAllocatedBytes() - bytes) / CALLS);
    }

    private static Cost median(List<Cost> costs) {
        List<Cost> sorted = new ArrayList<>(costs);
        Collections.sort(sorted, (one, other) -> Double.compare(one.nanos(), other.nanos()));
        return sorted.get(sorted.size() / 2);
    }
}
