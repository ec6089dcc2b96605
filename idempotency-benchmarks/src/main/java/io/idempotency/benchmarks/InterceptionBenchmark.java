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

/** What protection adds to a call on the memory store: a first call, a replay, and the plain call beside them. */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Warmup(iterations = 3, time = 1)
@Measurement(iterations = 5, time = 1)
@Fork(1)
@SuppressWarnings("NullAway.Init") // JMH calls the set-up first
public class InterceptionBenchmark {

    private ApplicationContext context;
    private Calls calls;
    private final Order order = Order.sample();
    private long number;

    /** Starts an application on the memory store; outcomes are forgotten soon, so that the heap does not fill. */
    @Setup
    public void start() {
        context = ApplicationContext.run(Map.of(
                "idempotency.store",
                "memory",
                "idempotency.lease",
                "2s",
                "idempotency.retention",
                "2s",
                "idempotency.purge.interval",
                "1s",
                "idempotency.memory.max-records",
                10_000_000));
        calls = context.getBean(Calls.class);
        calls.protectedCall("replayed", 1);
        calls.takeOrder(order);
    }

    /** Stops it. */
    @TearDown
    public void stop() {
        context.close();
    }

    /** The floor. */
    @Benchmark
    public long plainCall() {
        return calls.plain("replayed", 1);
    }

    /** A key that was never seen: claim, body, encode, complete. */
    @Benchmark
    public long firstCall() {
        return calls.protectedCall("key-" + number++, 1);
    }

    /** A key that is known: claim, decode. */
    @Benchmark
    public long replay() {
        return calls.protectedCall("replayed", 1);
    }

    /** The same with an argument of twelve fields, nested: its fingerprint is most of the difference. */
    @Benchmark
    public long firstOrder() {
        return calls.takeOrder(order.numbered(number++));
    }

    /** A known key with the same argument. */
    @Benchmark
    public long replayOrder() {
        return calls.takeOrder(order);
    }
}
