package io.idempotency.runtime.engine;

import static org.assertj.core.api.Assertions.assertThat;

import io.idempotency.IdempotencyContext;
import io.idempotency.IdempotencyException;
import io.idempotency.OnAbandoned;
import io.idempotency.OnFailure;
import io.idempotency.OnStoreFailure;
import io.idempotency.Reconciliation;
import io.idempotency.Refusal;
import io.idempotency.WhenInProgress;
import io.idempotency.runtime.Effect;
import io.idempotency.runtime.FailureClassifier;
import io.idempotency.runtime.FailureSanitizer;
import io.idempotency.runtime.Outcome;
import io.idempotency.runtime.OutcomeListener;
import io.idempotency.runtime.ResultCodec;
import io.idempotency.runtime.call.CallFingerprint;
import io.idempotency.runtime.call.Invocation;
import io.idempotency.runtime.call.NewKeyAdmission;
import io.idempotency.runtime.call.Operation;
import io.idempotency.runtime.memory.MemoryIdempotencyStore;
import io.idempotency.runtime.outcome.Seal;
import io.idempotency.runtime.store.ForwardingStore;
import io.idempotency.runtime.store.IdempotencyStore;
import io.idempotency.runtime.store.RecordId;
import io.idempotency.runtime.store.Renewal;
import io.idempotency.runtime.store.Settled;
import io.idempotency.runtime.store.StoredRecord;
import io.idempotency.test.FaultyStore;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Queue;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BooleanSupplier;
import java.util.function.DoubleSupplier;
import org.jspecify.annotations.Nullable;

/** An engine in virtual time over the memory store, and calls of one operation. */
final class Engine {

    static final Duration LEASE = Duration.ofSeconds(30);
    static final Duration RETENTION = Duration.ofHours(24);

    final VirtualTime time;
    final MemoryIdempotencyStore memory;
    final FaultyStore store;
    final AtomicInteger bodies = new AtomicInteger();
    final AtomicInteger claims = new AtomicInteger();

    /** The keys of which the store cannot tell whether it renewed their leases. */
    final Set<RecordId> locked = ConcurrentHashMap.newKeySet();

    OnFailure onFailure = OnFailure.REMEMBER;
    OnStoreFailure onStoreFailure = OnStoreFailure.FAIL;
    OnAbandoned onAbandoned = OnAbandoned.REFUSE;
    WhenInProgress whenInProgress = WhenInProgress.REJECT;
    Map<Class<? extends Throwable>, Effect> declaredEffects = Map.of();
    Duration waitTimeout = Duration.ofSeconds(10);
    int maxResultSize = 1000;
    Duration settleBudget = Duration.ofSeconds(2);
    FailureClassifier classifier = failure -> Optional.empty();
    ResultCodec codec = new TextCodec();
    DoubleSupplier jitter = () -> 0.5;
    final List<OutcomeListener.ClaimChange> changes = Collections.synchronizedList(new ArrayList<>());
    Invocation.@Nullable Reconciler reconciler;
    Invocation.@Nullable Reloader reloader;
    NewKeyAdmission admission = NewKeyAdmission.UNLIMITED;
    Seal seal = Seal.NONE;
    boolean keepsMessages;
    boolean sanitizerFails;
    boolean transactional;
    boolean storeArguments;

    final IdempotencyEngine executor;

    Engine() {
        this(new VirtualTime());
    }

    private Engine(VirtualTime time) {
        this(time, new MemoryIdempotencyStore(time), TestServices.MAX_WAITERS_PER_KEY);
    }

    private Engine(VirtualTime time, MemoryIdempotencyStore memory, int maxWaitersPerKey) {
        this.time = time;
        this.memory = memory;
        this.store = new FaultyStore(new PartlyRenewing(memory));
        this.store.before(FaultyStore.Call.CLAIM, claims::incrementAndGet);
        this.executor = new IdempotencyEngine(new ExecutionServices(
                time,
                time,
                time,
                () -> UUID.randomUUID().toString(),
                () -> jitter.getAsDouble(),
                List.of(new Classifier()),
                maxWaitersPerKey,
                RecordId::derive,
                new StoreMessages(),
                List.of(new Changes())));
    }

    private final class PartlyRenewing extends ForwardingStore {

        PartlyRenewing(IdempotencyStore store) {
            super(store);
        }

        @Override
        public List<Settled> renew(List<Renewal> renewals) {
            return renewals.stream()
                    .map(renewal -> locked.contains(renewal.ownership().id())
                            ? new Settled.Unanswered(new IllegalStateException("the row is locked"))
                            : super.renew(List.of(renewal)).get(0))
                    .toList();
        }
    }

    /** One that lets at most so many wait. */
    static Engine thatLetsWait(int maxWaitersPerKey) {
        VirtualTime time = new VirtualTime();
        return new Engine(time, new MemoryIdempotencyStore(time), maxWaitersPerKey);
    }

    /** For tests with threads of their own: time stands still, so that a waiter that is not woken waits for ever. */
    static Engine thatStandsStill() {
        VirtualTime time = new VirtualTime(true);
        return new Engine(time, new MemoryIdempotencyStore(time), TestServices.MAX_WAITERS_PER_KEY);
    }

    /** What is planned for a lease ends with it, and then nothing is to happen any more. */
    void nothingIsLeft() {
        time.pass(LEASE);
        assertThat(time.pendingTasks()).isZero();
    }

    /** Another JVM with the same store. */
    Engine onAnotherNode() {
        Engine other = new Engine(time, memory, TestServices.MAX_WAITERS_PER_KEY);
        other.whenInProgress = whenInProgress;
        other.onAbandoned = onAbandoned;
        return other;
    }

    /** A body that throws whatever it likes. */
    interface Body {
        @Nullable
        Object run(IdempotencyContext context) throws Throwable;
    }

    Outcome call(String key, String arguments, Body body) {
        Outcome outcome = executor.execute(invocation(key, arguments, context -> {
            bodies.incrementAndGet();
            return CompletableFuture.completedFuture(body.run(context));
        }));
        time.settle();
        return outcome;
    }

    Outcome call(String key, Body body) {
        return call(key, "arguments", body);
    }

    CompletionStage<Outcome> callAsync(String key, Invocation.Body body) {
        return callAsync(key, "arguments", body);
    }

    CompletionStage<Outcome> callAsync(String key, String arguments, Invocation.Body body) {
        return executor.executeAsync(invocation(key, arguments, context -> {
            bodies.incrementAndGet();
            return body.run(context);
        }));
    }

    Invocation invocation(String key, String arguments, Invocation.Body body) {
        return new Invocation(
                operation("pay"),
                id(key),
                CallFingerprint.only("1:" + arguments),
                body,
                reconciler,
                reloader,
                false,
                admission,
                null);
    }

    Operation operation(String name) {
        return operation(name, store);
    }

    Operation operation(String name, IdempotencyStore inStore) {
        return new Operation(
                name,
                "payments",
                inStore,
                codec,
                seal,
                new Operation.Policy(
                        RETENTION,
                        Duration.ofDays(30),
                        LEASE,
                        whenInProgress,
                        waitTimeout,
                        onFailure,
                        declaredEffects,
                        onStoreFailure,
                        onAbandoned,
                        transactional,
                        maxResultSize,
                        settleBudget,
                        storeArguments));
    }

    /** An engine over the same store whose threads take no more tasks, as after a shutdown. */
    IdempotencyEngine executorThatShutsDownWhen(BooleanSupplier down) {
        Runnable check = () -> {
            if (down.getAsBoolean()) {
                throw new RejectedExecutionException("shut down");
            }
        };
        return new IdempotencyEngine(TestServices.of(
                task -> {
                    check.run();
                    time.execute(task);
                },
                (store, delay, task) -> {
                    check.run();
                    time.after(store, delay, task);
                },
                time,
                () -> UUID.randomUUID().toString(),
                () -> 0.5,
                List.of()));
    }

    /** An engine over the same store whose executor takes tasks and starts none. */
    IdempotencyEngine executorThatIsFullWhile(BooleanSupplier full, Queue<Runnable> queued) {
        return new IdempotencyEngine(TestServices.of(
                task -> {
                    if (full.getAsBoolean()) {
                        queued.add(task);
                    } else {
                        time.execute(task);
                    }
                },
                time,
                time,
                () -> UUID.randomUUID().toString(),
                () -> 0.5,
                List.of()));
    }

    /** On a thread of its own, which waits. */
    CompletableFuture<IdempotencyEngine.Left> shutDown(Duration limit) {
        CompletableFuture<IdempotencyEngine.Left> left = new CompletableFuture<>();
        time.execute(() -> left.complete(executor.shutDown(limit)));
        return left;
    }

    static RecordId id(String key) {
        return RecordId.of("payments", null, null, key);
    }

    Optional<StoredRecord> record(String key) {
        return memory.find(id(key));
    }

    void reconcileWith(Reconciliation<?> answer) {
        onAbandoned = OnAbandoned.RECONCILE;
        reconciler = context -> CompletableFuture.completedFuture(answer);
    }

    static IdempotencyException refusal(Outcome outcome, Refusal kind) {
        IdempotencyException refused = refusal(outcome, IdempotencyException.class);
        assertThat(refused.refusal()).isEqualTo(kind);
        return refused;
    }

    static <T extends IdempotencyException> T refusal(Outcome outcome, Class<T> type) {
        assertThat(outcome).isInstanceOf(Outcome.Refused.class);
        IdempotencyException reason = ((Outcome.Refused) outcome).reason();
        assertThat(reason).isInstanceOf(type);
        return type.cast(reason);
    }

    /** What happened to claims. */
    private final class Changes implements OutcomeListener {
        @Override
        public void onClaim(Call call, ClaimChange change) {
            changes.add(change);
        }
    }

    /** None unless the test says so. */
    private final class StoreMessages implements FailureSanitizer {
        @Override
        public String type(Throwable failure) {
            if (sanitizerFails) {
                throw new IllegalStateException("made by a test");
            }
            return FailureSanitizer.super.type(failure);
        }

        @Override
        public @Nullable String message(Throwable failure) {
            return keepsMessages && !sanitizerFails ? failure.getMessage() : null;
        }
    }

    /** Whatever the test says. */
    private final class Classifier implements FailureClassifier {
        @Override
        public Optional<Effect> effect(Throwable failure) {
            return classifier.effect(failure);
        }

        @Override
        public Optional<String> code(Throwable failure) {
            return classifier.code(failure);
        }
    }

    /** Text as UTF-8; anything else cannot be encoded. */
    static final class TextCodec implements ResultCodec {
        @Override
        public byte[] encode(@Nullable Object value) {
            return Objects.requireNonNullElse((String) value, "").getBytes(StandardCharsets.UTF_8);
        }

        @Override
        public @Nullable Object decode(byte[] bytes) {
            return bytes.length == 0 ? null : new String(bytes, StandardCharsets.UTF_8);
        }
    }
}
