package io.idempotency.benchmarks;

import io.micronaut.context.ApplicationContext;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;
import org.openjdk.jmh.annotations.Warmup;

/** Calls with an argument of twelve fields on the memory store. */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Warmup(iterations = 3, time = 1)
@Measurement(iterations = 5, time = 1)
@Fork(1)
@SuppressWarnings("NullAway.Init") // JMH calls the set-up first
public class MemoryBenchmark {

    private ApplicationContext context;
    private Charges charges;
    private Charges.Charge known;
    private long number;

    /** Starts an application on the memory store; outcomes are forgotten soon, so that the heap does not fill. */
    @Setup
    public void start() {
        context = ApplicationContext.run(Map.of(
                "idempotency.store", "memory",
                "idempotency.operations.bench-charge.lease", "1s",
                "idempotency.operations.bench-charge.retention", "1s",
                "idempotency.purge.interval", "1s"));
        charges = context.getBean(Charges.class);
        known = Charges.Charge.of("known");
    }

    /** Stops it. */
    @TearDown
    public void stop() {
        context.close();
    }

    /** A key that was never seen. */
    @Benchmark
    public Charges.Receipt firstCall() {
        return charges.charge(Charges.Charge.of("new-" + number++));
    }

    /** A key that is known. */
    @Benchmark
    public Charges.Receipt replay() {
        return charges.charge(known);
    }
}
