package io.idempotency.benchmarks;

import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.stream.IntStream;

/**
 * The time that javac takes with Micronaut's processors and this library's, against Micronaut's alone, in turns within one
 * process: for a module of 200 operations, and for an application with one operation in ten beans.
 */
public final class CompileRatios {

    private static final int BEANS = 40;
    private static final int FEW = 4;
    private static final int PLAIN = 196;
    private static final int WARM_UP = 12;

    private CompileRatios() {}

    /** What one compilation took. */
    private record Took(double millis, double cpuMillis) {}

    /**
     * Measures.
     *
     * @param arguments rounds (20)
     */
    public static void main(String[] arguments) throws IOException, ReflectiveOperationException {
        int rounds = arguments.length > 0 ? Integer.parseInt(arguments[0]) : 20;
        measure(rounds, BEANS, 0);
        measure(rounds, FEW, PLAIN);
    }

    private static void measure(int rounds, int beans, int plain) throws IOException, ReflectiveOperationException {
        CompiledModule module = new CompiledModule(beans, plain);
        Took[] with = new Took[WARM_UP + rounds];
        Took[] without = new Took[WARM_UP + rounds];
        for (int round = 0; round < WARM_UP + rounds; round++) {
            without[round] = took(module, false);
            with[round] = took(module, true);
        }
        System.out.printf(
                "%d operations in %d beans, %d rounds after %d%n",
                beans * CompiledModule.OPERATIONS_PER_BEAN, beans + plain, rounds, WARM_UP);
        print(Arrays.copyOfRange(with, WARM_UP, with.length), Arrays.copyOfRange(without, WARM_UP, without.length));
    }

    private static Took took(CompiledModule module, boolean ours) throws IOException, ReflectiveOperationException {
        ThreadMXBean thread = ManagementFactory.getThreadMXBean();
        Path directory = CompiledModule.newDirectory();
        long cpu = thread.getCurrentThreadCpuTime();
        long started = System.nanoTime();
        module.compile(ours, directory);
        Took took = new Took((System.nanoTime() - started) / 1e6, (thread.getCurrentThreadCpuTime() - cpu) / 1e6);
        CompiledModule.delete(directory);
        return took;
    }

    private static void print(Took[] with, Took[] without) {
        double[] clock = IntStream.range(0, with.length)
                .mapToDouble(i -> with[i].millis() / without[i].millis())
                .sorted()
                .toArray();
        double[] cpu = IntStream.range(0, with.length)
                .mapToDouble(i -> with[i].cpuMillis() / without[i].cpuMillis())
                .sorted()
                .toArray();
        System.out.printf(
                "without %.0f ms, with %.0f ms, ratio %s; of CPU time %s%n",
                median(Arrays.stream(without).mapToDouble(Took::millis).sorted().toArray()),
                median(Arrays.stream(with).mapToDouble(Took::millis).sorted().toArray()),
                text(clock),
                text(cpu));
    }

    private static String text(double[] sorted) {
        return "%.2f (%.2f..%.2f)".formatted(median(sorted), sorted[sorted.length / 4], sorted[sorted.length * 3 / 4]);
    }

    private static double median(double[] sorted) {
        return sorted[sorted.length / 2];
    }
}
