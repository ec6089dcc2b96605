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
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;

/** Which calls of a {@link FaultyStore} are broken, and how. */
final class Faults {

    /** What happens to a call. */
    sealed interface Fault {
        <T> CompletionStage<T> meet(Call call, Supplier<CompletionStage<T>> real);
    }

    record Refused() implements Fault {
        @Override
        public <T> CompletionStage<T> meet(Call call, Supplier<CompletionStage<T>> real) {
            return failed(call + " was refused by a FaultyStore: it was not applied");
        }
    }

    record ReplyLost() implements Fault {
        @Override
        public <T> CompletionStage<T> meet(Call call, Supplier<CompletionStage<T>> real) {
            return real.get().thenCompose(lost -> failed(call + " was applied, but a FaultyStore lost the reply"));
        }
    }

    record Delayed(Duration delay) implements Fault {
        @Override
        public <T> CompletionStage<T> meet(Call call, Supplier<CompletionStage<T>> real) {
            Executor later = CompletableFuture.delayedExecutor(delay.toNanos(), TimeUnit.NANOSECONDS);
            return CompletableFuture.runAsync(() -> {}, later).thenCompose(now -> real.get());
        }
    }

    record Held(CompletableFuture<Boolean> gate) implements Fault {
        Held() {
            this(new CompletableFuture<>());
        }

        @Override
        public <T> CompletionStage<T> meet(Call call, Supplier<CompletionStage<T>> real) {
            return gate.thenCompose(open -> real.get());
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

    /** One more owner of those that claim from now on is as good as dead. */
    void crashNextOwner() {
        owners.incrementAndGet();
    }

    CompletionStage<ClaimResult> claimed(Claim claim, CompletionStage<ClaimResult> answer) {
        return owners.get() == 0
                ? answer
                : answer.thenApply(result -> {
                    boolean owner = result instanceof ClaimResult.Acquired;
                    if (owner && owners.getAndUpdate(left -> Math.max(0, left - 1)) > 0) {
                        crashed.add(claim.owner());
                    }
                    return result;
                });
    }

    boolean crashed(Ownership ownership) {
        return crashed.contains(ownership.owner());
    }

    void before(Call call, Runnable action) {
        actions.put(call, action);
    }

    /** Held calls go on in the thread that asks for it. */
    void clear() {
        faults.clear();
        actions.clear();
        owners.set(0);
        crashed.clear();
        for (Held held = holding.poll(); held != null; held = holding.poll()) {
            held.gate().complete(true);
        }
    }

    <T> CompletionStage<T> meet(Call call, Supplier<CompletionStage<T>> real) {
        actions.getOrDefault(call, () -> {}).run();
        Fault fault = faults.get(call);
        return fault == null ? real.get() : fault.meet(call, real);
    }

    private static <T> CompletionStage<T> failed(String message) {
        return CompletableFuture.failedFuture(new IllegalStateException(message));
    }
}
