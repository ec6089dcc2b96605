package io.idempotency.test;

import io.idempotency.runtime.IdempotencyEvent;
import io.idempotency.runtime.OutcomeListener;
import io.idempotency.runtime.config.OperationBinder;
import io.idempotency.runtime.config.Stores;
import io.idempotency.runtime.store.IdempotencyStore;
import io.idempotency.test.contract.Together;
import io.micronaut.context.annotation.Requires;
import io.micronaut.context.event.ApplicationEventListener;
import io.micronaut.test.context.TestContext;
import io.micronaut.test.context.TestExecutionListener;
import jakarta.inject.Singleton;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutionException;
import org.reactivestreams.Publisher;

/**
 * Breaks the stores of an application under test, skips time, and counts calls and effects. A bean with
 * {@link IdempotencyTest}, or with the property {@code idempotency.test.enabled=true}. Thread-safe.
 */
@Singleton
@Requires(property = TestKitProperties.ENABLED, value = "true")
public final class IdempotencyTestKit implements ApplicationEventListener<IdempotencyEvent>, OutcomeListener {

    private final OperationBinder operations;
    private final Stores stores;
    private final FaultyStores faulty;
    private final SkippableTime time;
    private final Map<String, OperationCalls> calls = new ConcurrentHashMap<>();
    private final Map<String, Effects> effects = new ConcurrentHashMap<>();

    IdempotencyTestKit(OperationBinder operations, Stores stores, FaultyStores faulty, SkippableTime time) {
        this.operations = operations;
        this.stores = stores;
        this.faulty = faulty;
        this.time = time;
    }

    /** Returns the store of operations that name none, to break it. */
    public FaultyStore store() {
        return faulty.named(stores.standard().name());
    }

    /** Returns a store by its name in {@code @IdempotentOperation(store)}, to break it. */
    public FaultyStore store(String name) {
        return faulty.named(stores.named(name, "IdempotencyTestKit.store").name());
    }

    /**
     * Advances the library's time at once, for leases, waits and retention. Time-outs that become due fire soon after,
     * on their own threads.
     *
     * @throws IllegalStateException when any operation's store has a server with its own clock: use
     *     {@code idempotency.store: memory} in this test, or short leases
     */
    public void skip(Duration duration) {
        store(); // is one of those in use from here on
        for (IdempotencyStore store : stores.inUse()) {
            if (!"memory".equals(store.name())) {
                throw new IllegalStateException(
                        "Store '" + store.name() + "' goes by the clock of its server, which a test cannot skip. Set"
                                + " idempotency.store=memory for this test, and idempotency.operations.<name>.store where"
                                + " an operation names its own, or give the operation a short lease.");
            }
        }
        time.skip(duration);
    }

    /**
     * Returns the calls of an operation in this test. An operation that is only called by hand is known from its first
     * call on, or where it is configured.
     *
     * @throws IllegalArgumentException when this application has no such operation
     */
    public OperationCalls calls(String operation) {
        if (!calls.containsKey(operation) && operations.named(operation).isEmpty()) {
            List<String> names = operations.all().stream()
                    .map(bound -> bound.operation().name())
                    .sorted()
                    .toList();
            throw new IllegalArgumentException(
                    "This application has no operation '" + operation + "'. Did you mean one of " + names + "?");
        }
        return ofOperation(operation);
    }

    private OperationCalls ofOperation(String operation) {
        return calls.computeIfAbsent(operation, OperationCalls::new);
    }

    /** Returns the counter of real effects in this test, such as charges: its fakes call {@link Effects#happen}. */
    public Effects effects(String name) {
        return effects.computeIfAbsent(name, Effects::new);
    }

    /**
     * Makes the same call many times at the same moment, each on its own thread, and waits for all of them, stages too.
     *
     * @throws AssertionError when a call returns a publisher, which has not begun
     */
    public <T> Duplicates<T> atOnce(int times, Callable<T> call) {
        List<T> returned = new CopyOnWriteArrayList<>();
        List<Throwable> thrown = new CopyOnWriteArrayList<>();
        Together.run(times, number -> {
            T answer = null;
            try {
                answer = call.call();
                if (answer instanceof CompletionStage<?> stage) {
                    stage.toCompletableFuture().get();
                }
                Optional.ofNullable(answer).ifPresent(returned::add);
            } catch (ExecutionException e) {
                thrown.add(answer == null ? e : e.getCause()); // of the call itself, or what its stage failed with
            } catch (Exception | Error e) {
                thrown.add(e);
            }
            if (answer instanceof Publisher<?>) {
                throw new IllegalArgumentException("A publisher runs nothing before a subscription: block() it");
            }
            return number;
        });
        return new Duplicates<>(returned, thrown);
    }

    /** Mends every store and resets all counts; with Micronaut Test, before each set-up and after each clean-up. */
    public void reset() {
        faulty.stores.values().forEach(FaultyStore::mend);
        calls.values().forEach(OperationCalls::clear);
        effects.values().forEach(Effects::clear);
    }

    @Override
    public void onApplicationEvent(IdempotencyEvent event) {
        ofOperation(event.operation()).add(event);
    }

    @Override
    public void onBody(Call call) {
        ofOperation(call.operation()).bodyRuns();
    }

    @Override
    public void onUnprotected(String operation) {
        ofOperation(operation).bodyRuns();
    }

    /** Resets the kit around each test, so that no test meets another's faults. */
    @Singleton
    @Requires(classes = TestExecutionListener.class)
    @Requires(property = TestKitProperties.ENABLED, value = "true")
    record Reset(IdempotencyTestKit kit) implements TestExecutionListener {

        @Override
        public void beforeTestMethod(TestContext context) {
            kit.reset();
        }

        @Override
        public void afterTestMethod(TestContext context) {
            kit.reset();
        }
    }
}
