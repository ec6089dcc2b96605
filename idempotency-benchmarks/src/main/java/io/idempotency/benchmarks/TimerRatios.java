package io.idempotency.benchmarks;

import com.sun.management.OperatingSystemMXBean;
import io.idempotency.OnAbandoned;
import io.idempotency.OnFailure;
import io.idempotency.OnStoreFailure;
import io.idempotency.WhenInProgress;
import io.idempotency.runtime.ResultCodec;
import io.idempotency.runtime.engine.CallFingerprint;
import io.idempotency.runtime.engine.DelayTimer;
import io.idempotency.runtime.engine.EngineTimer;
import io.idempotency.runtime.engine.ExecutionServices;
import io.idempotency.runtime.engine.IdempotencyEngine;
import io.idempotency.runtime.engine.Invocation;
import io.idempotency.runtime.engine.Operation;
import io.idempotency.runtime.engine.Upkeep;
import io.idempotency.runtime.memory.MemoryIdempotencyStore;
import io.idempotency.runtime.store.IdempotencyStore;
import io.idempotency.runtime.store.RecordId;
import java.lang.management.ManagementFactory;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.BooleanSupplier;
import java.util.function.ToDoubleFunction;
import org.jspecify.annotations.Nullable;

/**
 * What the engine's own timer saves: first calls of the same engine over the memory store, with {@link EngineTimer} and with a
 * {@link ScheduledThreadPoolExecutor} that schedules each call's renewal and forgets it when it is cancelled. The sides take turns.
 */
public final class TimerRatios {

    private static final int WARM_UP = 5;
    private static final Duration LEASE = Duration.ofSeconds(30);

    private static final ResultCodec TEXT = new ResultCodec() {
        @Override
        public byte[] encode(@Nullable Object value) {
            return String.valueOf(value).getBytes(StandardCharsets.UTF_8);
        }

        @Override
        public Object decode(byte[] bytes) {
            return new String(bytes, StandardCharsets.UTF_8);
        }
    };

    private final AtomicLong keys = new AtomicLong();
    private final OperatingSystemMXBean system = (OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean();

    private TimerRatios() {}

    /** What one turn took, of one call. */
    private record Turn(double nanos, double cpuNanos) {}

    /** One schedule for each call, as one would write it first. */
    private record Scheduled(ScheduledThreadPoolExecutor pool) implements DelayTimer {
        @Override
        public Runnable after(Duration delay, Runnable task) {
            ScheduledFuture<?> future = pool.schedule(task, delay.toNanos(), TimeUnit.NANOSECONDS);
            return () -> future.cancel(false);
        }

        @Override
        public Runnable every(Duration period, BooleanSupplier task) {
            Runnable once = () -> {
                if (!task.getAsBoolean()) {
                    throw new CancellationException("It is over, and not repeated");
                }
            };
            ScheduledFuture<?> future =
                    pool.scheduleWithFixedDelay(once, period.toNanos(), period.toNanos(), TimeUnit.NANOSECONDS);
            return () -> future.cancel(false);
        }
    }

    /** Neither is needed as long as nothing fails and no body is long. */
    private record OnThisThread() implements Upkeep {
        @Override
        public Executor renewals(IdempotencyStore store) {
            return Runnable::run;
        }

        @Override
        public Executor retries(IdempotencyStore store) {
            return Runnable::run;
        }
    }

    /**
     * Prints the medians of each turn's ratio: how many calls our timer permits for one of the other, and how much CPU time it takes.
     *
     * @param arguments rounds, calls in a turn, and threads that call; all may be left out
     */
    public static void main(String[] arguments) throws InterruptedException {
        int rounds = arguments.length > 0 ? Integer.parseInt(arguments[0]) : 30;
        int calls = arguments.length > 1 ? Integer.parseInt(arguments[1]) : 20_000;
        int threads = arguments.length > 2 ? Integer.parseInt(arguments[2]) : 1;
        new TimerRatios().print(rounds, calls, threads);
    }

    private void print(int rounds, int calls, int threads) throws InterruptedException {
        ScheduledThreadPoolExecutor pool = new ScheduledThreadPoolExecutor(1);
        pool.setRemoveOnCancelPolicy(true);
        List<Double> faster = new ArrayList<>();
        List<Double> cheaper = new ArrayList<>();
        try (EngineTimer ours = new EngineTimer(System::nanoTime)) {
            for (int round = 0; round < rounds + WARM_UP; round++) {
                boolean oursFirst = round % 2 == 0;
                Turn first = turn(oursFirst ? ours : new Scheduled(pool), calls, threads);
                Turn second = turn(oursFirst ? new Scheduled(pool) : ours, calls, threads);
                if (round >= WARM_UP) {
                    faster.add(ratio(oursFirst ? second : first, oursFirst ? first : second, Turn::nanos));
                    cheaper.add(ratio(oursFirst ? first : second, oursFirst ? second : first, Turn::cpuNanos));
                }
            }
        } finally {
            pool.shutdownNow();
        }
        System.out.printf(
                Locale.ROOT,
                "first calls per second, ours to a schedule for each call: x%.2f (%.2f to %.2f); CPU time of one: x%.2f"
                        + " (%.2f to %.2f)%n",
                at(faster, 0.5),
                at(faster, 0.25),
                at(faster, 0.75),
                at(cheaper, 0.5),
                at(cheaper, 0.25),
                at(cheaper, 0.75));
    }

    private static double ratio(Turn one, Turn other, ToDoubleFunction<Turn> figure) {
        return figure.applyAsDouble(one) / figure.applyAsDouble(other);
    }

    private static double at(List<Double> figures, double share) {
        return figures.stream().sorted().toList().get((int) ((figures.size() - 1) * share));
    }

    /** An engine and a store of its own for each turn: records of former turns cost nothing. */
    private Turn turn(DelayTimer timer, int calls, int threads) throws InterruptedException {
        IdempotencyEngine engine = new IdempotencyEngine(new ExecutionServices(
                timer,
                Runnable::run,
                new OnThisThread(),
                System::nanoTime,
                () -> Long.toString(keys.incrementAndGet()),
                () -> 0.5,
                List.of()));
        Operation operation = operation(new MemoryIdempotencyStore());
        List<Thread> callers = new ArrayList<>();
        for (int i = 0; i < threads; i++) {
            callers.add(new Thread(() -> calls(engine, operation, calls / threads), "caller"));
        }
        long cpu = system.getProcessCpuTime();
        long begun = System.nanoTime();
        callers.forEach(Thread::start);
        for (Thread caller : callers) {
            caller.join();
        }
        return new Turn(
                (double) (System.nanoTime() - begun) / calls, (double) (system.getProcessCpuTime() - cpu) / calls);
    }

    private void calls(IdempotencyEngine engine, Operation operation, int calls) {
        for (int i = 0; i < calls; i++) {
            engine.execute(new Invocation(
                    operation,
                    RecordId.of("bench", null, null, Long.toString(keys.incrementAndGet())),
                    CallFingerprint.only("1:x"),
                    claim -> CompletableFuture.completedFuture("done"),
                    null));
        }
    }

    private static Operation operation(IdempotencyStore store) {
        return new Operation(
                "bench",
                "bench",
                store,
                TEXT,
                new Operation.Policy(
                        Duration.ofDays(1),
                        Duration.ofDays(30),
                        LEASE,
                        WhenInProgress.REJECT,
                        Duration.ZERO,
                        OnFailure.REMEMBER,
                        Map.of(),
                        OnStoreFailure.FAIL,
                        OnAbandoned.REFUSE,
                        false,
                        262_144,
                        Duration.ofSeconds(2),
                        false));
    }
}
