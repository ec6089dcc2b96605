package io.idempotency.runtime.intercept;

import io.idempotency.IdempotencyContext;
import io.idempotency.IdempotencyKey;
import io.idempotency.IdempotentOperation;
import io.idempotency.NotFingerprinted;
import io.idempotency.OnAbandoned;
import io.idempotency.WhenInProgress;
import jakarta.inject.Singleton;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;
import reactor.core.publisher.Mono;

@Singleton
class OrderService {

    /** Of {@link #waits}. */
    static final Duration LEASE = Duration.ofSeconds(30);

    final AtomicInteger bodies = new AtomicInteger();
    volatile Supplier<String> behaviour = () -> "ok";

    @IdempotentOperation(value = "charge", key = "order.id")
    public Receipt charge(Order order, @NotFingerprinted String traceId) {
        return new Receipt(order.id(), bodies.incrementAndGet(), order.amount(), Instant.now());
    }

    @IdempotentOperation(value = "notify-all", key = "id")
    public void nothing(String id) {
        bodies.incrementAndGet();
    }

    @IdempotentOperation(value = "find-null", key = "id")
    public String returnsNull(String id) {
        bodies.incrementAndGet();
        return null;
    }

    @IdempotentOperation(value = "find-maybe", key = "id")
    public Optional<Receipt> maybe(String id, boolean present) {
        bodies.incrementAndGet();
        return present ? Optional.of(new Receipt(id, 1, null, null)) : Optional.empty();
    }

    @IdempotentOperation(value = "find-many", key = "id")
    public Map<String, List<Receipt>> generic(String id) {
        return Map.of("all", List.of(new Receipt(id, bodies.incrementAndGet(), null, null)));
    }

    @IdempotentOperation(value = "find-empty", key = "id")
    public Sparse sparse(String id) {
        bodies.incrementAndGet();
        return new Sparse("", List.of(), Map.of(), Optional.empty(), null);
    }

    @IdempotentOperation(value = "raw-bytes", key = "id")
    public byte[] bytes(String id) {
        return new byte[] {(byte) bodies.incrementAndGet(), -1, 0};
    }

    @IdempotentOperation(value = "later", key = "id")
    public CompletionStage<Receipt> later(String id) {
        return CompletableFuture.supplyAsync(() -> new Receipt(id, bodies.incrementAndGet(), null, null));
    }

    @IdempotentOperation(value = "reactive", key = "id")
    public Mono<Receipt> reactive(String id) {
        return Mono.fromSupplier(() -> new Receipt(id, bodies.incrementAndGet(), null, null));
    }

    @IdempotentOperation(value = "protected-too", key = "id")
    protected int visibleToThePackage(String id) {
        return bodies.incrementAndGet();
    }

    @IdempotentOperation(value = "two-keys")
    public int twoKeys(@IdempotencyKey String tenant, @IdempotencyKey long number) {
        return bodies.incrementAndGet();
    }

    @IdempotentOperation(value = "by-arguments")
    public int byArguments(String a, String b) {
        return bodies.incrementAndGet();
    }

    @IdempotentOperation(value = "optional-key", key = "id", keyRequired = false)
    public int optionalKey(String id) {
        return bodies.incrementAndGet();
    }

    @IdempotentOperation(value = "fails-checked", key = "id")
    public String failsChecked(String id) throws CheckedFailure {
        bodies.incrementAndGet();
        throw new CheckedFailure("checked");
    }

    @IdempotentOperation(value = "mutates", key = "list.id")
    public int mutatesItsArguments(Mutable list) {
        list.setId("changed");
        return bodies.incrementAndGet();
    }

    @IdempotentOperation(value = "derives", key = "id")
    public String derives(String id) {
        return IdempotencyContext.current().deriveKey("psp");
    }

    @IdempotentOperation(value = "overloaded-one", key = "id")
    public int overloaded(String id) {
        return bodies.incrementAndGet();
    }

    @IdempotentOperation(value = "overloaded-two", key = "id")
    public int overloaded(String id, int times) {
        return bodies.incrementAndGet();
    }

    @IdempotentOperation(
            value = "taken-over",
            key = "id",
            lease = "30s",
            retention = "1h",
            onAbandoned = OnAbandoned.TAKE_OVER,
            whenInProgress = WhenInProgress.WAIT,
            waitTimeout = "1h")
    public String waits(String id) {
        bodies.incrementAndGet();
        return behaviour.get();
    }

    @IdempotentOperation(
            value = "taken-over-once-in-doubt",
            key = "id",
            lease = "1m",
            retention = "1h",
            onAbandoned = OnAbandoned.TAKE_OVER)
    public String takesOver(String id) {
        bodies.incrementAndGet();
        return behaviour.get();
    }

    static final class CheckedFailure extends Exception {
        private static final long serialVersionUID = 1L;

        CheckedFailure(String message) {
            super(message);
        }
    }

    static final class Mutable {
        private String id;

        Mutable(String id) {
            this.id = id;
        }

        public String getId() {
            return id;
        }

        public void setId(String id) {
            this.id = id;
        }
    }
}
