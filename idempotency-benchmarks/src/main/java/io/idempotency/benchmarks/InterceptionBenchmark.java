package io.idempotency.benchmarks;

import io.idempotency.definition.FingerprintWriter;
import io.idempotency.definition.OperationDefinition;
import io.micronaut.context.ApplicationContext;
import io.micronaut.json.JsonMapper;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.util.Map;
import java.util.Objects;
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
    private SafeRecords least;
    private OperationDefinition definition;
    private JsonMapper json;
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
        least = new SafeRecords();
        definition = FingerprintBenchmark.definition(context);
        json = context.getBean(JsonMapper.class);
    }

    /** Stops it. */
    @TearDown
    public void stop() {
        least.close();
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

    /** What the first of these calls cannot leave out to keep its promises, by hand, with the generated fingerprint. */
    @Benchmark
    public long leastFirstOrder() throws IOException {
        return least(order.numbered(number++));
    }

    /** And the second: it runs again every few seconds, when it is forgotten. */
    @Benchmark
    public long leastReplayOrder() throws IOException {
        return least(order);
    }

    private long least(Order taken) throws IOException {
        MessageDigest digest = RouteDigests.sha256();
        byte[] key = digest.digest(("bench-order " + taken.id()).getBytes(StandardCharsets.UTF_8));
        FingerprintWriter writer = new FingerprintWriter();
        definition.fingerprint(new Object[] {taken}, writer);
        byte[] fingerprint = digest.digest(writer.toByteArray());
        SafeRecords.Claim claim = least.claim(ByteBuffer.wrap(key), fingerprint);
        SafeRecords.Entry known = claim.known();
        if (known != null) {
            return json.readValue(Objects.requireNonNull(known.contentFor(fingerprint)), Long.class);
        }
        long result = calls.plain(taken.id(), 1);
        claim.settle(0, json.writeValueAsBytes(result));
        return result;
    }
}
