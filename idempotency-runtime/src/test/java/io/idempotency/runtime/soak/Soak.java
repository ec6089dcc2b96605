package io.idempotency.runtime.soak;

import io.idempotency.IdempotencyContext;
import io.idempotency.OnAbandoned;
import io.idempotency.OnFailure;
import io.idempotency.OnStoreFailure;
import io.idempotency.WhenInProgress;
import io.idempotency.runtime.call.CallFingerprint;
import io.idempotency.runtime.call.Invocation;
import io.idempotency.runtime.call.Operation;
import io.idempotency.runtime.engine.IdempotencyEngine;
import io.idempotency.runtime.engine.TestServices;
import io.idempotency.runtime.outcome.Seal;
import io.idempotency.runtime.store.RecordId;
import io.idempotency.runtime.store.RecordState;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicIntegerArray;
import org.awaitility.Awaitility;

/** Real threads, real time, one trouble: callers call for a while, and after that everything has to be in order. */
final class Soak {

    static final Duration LEASE = Duration.ofMillis(600);

    private static final Duration HANGS = Duration.ofSeconds(30);
    private static final int CALLERS = 4;
    private static final int KEYS = 1_000_000;
    private static final int CALLS_OF_A_KEY = 3;

    private final Trouble trouble;
    private final SoakStore store;
    private final ScheduledExecutorService maintenance = Executors.newScheduledThreadPool(2, task -> {
        Thread thread = new Thread(task, "maintenance");
        thread.setDaemon(true);
        return thread;
    });
    private final IdempotencyEngine engine;
    private final AtomicInteger calls = new AtomicInteger();
    private final AtomicInteger told = new AtomicInteger();
    private final AtomicInteger errors = new AtomicInteger();
    private final AtomicInteger hanging = new AtomicInteger();
    private final AtomicIntegerArray bodies = new AtomicIntegerArray(KEYS);
    private volatile boolean over;

    private Soak(Trouble trouble) {
        this.trouble = trouble;
        this.store = new SoakStore();
        this.engine = new IdempotencyEngine(TestServices.of(
                trouble.executor(),
                (named, delay, task) -> maintenance.schedule(task, delay.toNanos(), TimeUnit.NANOSECONDS),
                System::nanoTime,
                () -> UUID.randomUUID().toString(),
                () -> ThreadLocalRandom.current().nextDouble(),
                List.of()));
    }

    /** {@code TROUBLE seconds}; ends with 0 and says how many calls there were when everything is in order. */
    public static void main(String[] arguments) throws Exception {
        Trouble trouble = Trouble.valueOf(arguments[0]);
        new Soak(trouble).run(Duration.ofSeconds(Long.parseLong(arguments[1])));
    }

    private void run(Duration span) throws Exception {
        List<Thread> threads = new ArrayList<>();
        for (int i = 0; i < CALLERS; i++) {
            threads.add(new Thread(null, this::call, "caller", 512 << 10));
        }
        threads.forEach(Thread::start);
        store.trouble(span);
        Awaitility.await("a lease was renewed, without which nothing is proved")
                .atMost(HANGS)
                .until(() -> store.renewals() > 0);
        over = true;
        for (Thread thread : threads) {
            thread.join(HANGS.toMillis());
        }
        everythingIsInOrder();
        System.out.println(trouble + ": " + calls + " calls, " + told + " told, " + errors + " Errors, "
                + store.renewals() + " renewals");
    }

    private static void pause(long millis) {
        new CompletableFuture<>()
                .completeOnTimeout(null, millis, TimeUnit.MILLISECONDS)
                .join();
    }

    private void call() {
        while (!over) {
            int key = Math.min(KEYS - 1, calls.getAndIncrement() / CALLS_OF_A_KEY);
            try {
                call(key);
                told.incrementAndGet();
            } catch (TimeoutException e) {
                hanging.incrementAndGet();
            } catch (Throwable e) { // an Error is what this is about
                errors.incrementAndGet();
            }
        }
    }

    private void call(int key) throws Exception {
        boolean waits = ThreadLocalRandom.current().nextBoolean();
        Invocation call = new Invocation(
                operation(waits),
                RecordId.of("soak", null, null, "" + key),
                CallFingerprint.only("1:x"),
                context -> body(key, context),
                null);
        if (ThreadLocalRandom.current().nextBoolean()) {
            engine.execute(call);
        } else {
            engine.executeAsync(call).toCompletableFuture().get(HANGS.toMillis(), TimeUnit.MILLISECONDS);
        }
    }

    /** Now and then it takes longer than it takes to renew, or than the lease. */
    private CompletionStage<?> body(int key, IdempotencyContext context) throws InterruptedException {
        bodies.incrementAndGet(key);
        ThreadLocalRandom random = ThreadLocalRandom.current();
        if (random.nextInt(30) == 0) {
            pause(random.nextLong(LEASE.toMillis()));
        }
        return CompletableFuture.completedFuture(new byte[] {1});
    }

    private Operation operation(boolean waits) {
        return new Operation(
                "soak",
                "soak",
                store.store(),
                new SoakStore.Bytes(),
                Seal.NONE,
                new Operation.Policy(
                        Duration.ofHours(1),
                        Duration.ofHours(1),
                        LEASE,
                        waits ? WhenInProgress.WAIT : WhenInProgress.REJECT,
                        LEASE,
                        OnFailure.REMEMBER,
                        Map.of(),
                        OnStoreFailure.FAIL,
                        OnAbandoned.REFUSE,
                        false,
                        1000,
                        Duration.ofMillis(100),
                        false));
    }

    private void everythingIsInOrder() {
        store.purge();
        check(hanging.get() == 0, hanging + " callers hang");
        check(told.get() > 0, "nobody was told anything");
        Awaitility.await("in flight").atMost(HANGS).until(() -> engine.running() == 0);
        Awaitility.await("renewed for nobody").atMost(HANGS).until(store::renewsNothing);
        Awaitility.await("settled, in doubt or free")
                .atMost(HANGS)
                .until(() -> store.count(RecordState.IN_PROGRESS) == 0);
        IdempotencyEngine.Left left = engine.shutDown(HANGS);
        check(left.equals(new IdempotencyEngine.Left(0, 0)), "the shutdown left " + left);
        for (int key = 0; key < KEYS; key++) {
            check(bodies.get(key) <= 1, "the body of key " + key + " ran " + bodies.get(key) + " times");
        }
    }

    private static void check(boolean inOrder, String what) {
        if (!inOrder) {
            throw new IllegalStateException(what);
        }
    }
}
