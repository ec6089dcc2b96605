package io.idempotency.test;

import io.idempotency.runtime.store.Claim;
import io.idempotency.runtime.store.ClaimResult;
import io.idempotency.runtime.store.Ownership;
import io.idempotency.test.FaultyStore.Call;
import java.time.Duration;
import java.util.Map;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Phaser;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;

/** The faults of a {@link FaultyStore}, by the calls that meet them. */
final class Faults {

    sealed interface Fault {
        <T> T meet(Call call, Supplier<T> real);
    }

    record Refused() implements Fault {
        @Override
        public <T> T meet(Call call, Supplier<T> real) {
            throw new IllegalStateException(call + " was refused by a FaultyStore: it was not applied");
        }
    }

    record ReplyLost() implements Fault {
        @Override
        public <T> T meet(Call call, Supplier<T> real) {
            var unused = real.get();
            throw new IllegalStateException(call + " was applied, but a FaultyStore lost the reply");
        }
    }

    record Delayed(Duration delay) implements Fault {
        @Override
        public <T> T meet(Call call, Supplier<T> real) {
            new CompletableFuture<Boolean>()
                    .completeOnTimeout(true, delay.toNanos(), TimeUnit.NANOSECONDS)
                    .join();
            return real.get();
        }
    }

    /**
     * Holds calls until the gate opens. The phaser counts those that have not ended. A test that holds calls of its own
     * thread cannot mend the store: after a minute they fail.
     */
    record Held(CompletableFuture<Boolean> gate, Phaser inside) implements Fault {
        Held() {
            this(new CompletableFuture<>(), new Phaser(1));
        }

        @Override
        public <T> T meet(Call call, Supplier<T> real) {
            inside.register();
            try {
                if (!gate.copy().completeOnTimeout(false, 1, TimeUnit.MINUTES).join()) {
                    throw new IllegalStateException(
                            call + " was held for a minute and not applied: call mend() from another thread");
                }
                return real.get();
            } finally {
                inside.arriveAndDeregister();
            }
        }

        void open() {
            gate.complete(true);
            inside.arriveAndAwaitAdvance();
        }
    }

    private final Map<Call, Fault> faults = new ConcurrentHashMap<>();
    private final Queue<Held> holding = new ConcurrentLinkedQueue<>();
    private final Map<Call, Runnable> actions = new ConcurrentHashMap<>();
    private final AtomicInteger owners = new AtomicInteger();
    private final Set<String> crashed = ConcurrentHashMap.newKeySet();

    void set(Fault fault, Call... calls) {
        if (fault instanceof Held held) {
            holding.add(held);
        }
        for (Call call : calls) {
            faults.put(call, fault);
        }
    }

    /** Lets one more of the owners that claim from now on count as dead. */
    void crashNextOwner() {
        owners.incrementAndGet();
    }

    void claimed(Claim claim, ClaimResult answer) {
        if (answer instanceof ClaimResult.Acquired && owners.getAndUpdate(left -> Math.max(0, left - 1)) > 0) {
            crashed.add(claim.owner());
        }
    }

    boolean crashed(Ownership ownership) {
        return crashed.contains(ownership.owner());
    }

    void before(Call call, Runnable action) {
        actions.put(call, action);
    }

    /** Removes all faults. Returns when the held calls have reached the store. */
    void clear() {
        faults.clear();
        actions.clear();
        owners.set(0);
        crashed.clear();
        for (Held held = holding.poll(); held != null; held = holding.poll()) {
            held.open();
        }
    }

    <T> T meet(Call call, Supplier<T> real) {
        actions.getOrDefault(call, () -> {}).run();
        Fault fault = faults.get(call);
        return fault == null ? real.get() : fault.meet(call, real);
    }
}
