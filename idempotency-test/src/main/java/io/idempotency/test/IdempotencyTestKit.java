package io.idempotency.test;

import io.idempotency.runtime.IdempotencyEvent;
import io.idempotency.runtime.config.OperationBinder;
import io.idempotency.runtime.config.Stores;
import io.idempotency.runtime.store.IdempotencyStore;
import io.idempotency.test.contract.Together;
import io.micronaut.context.annotation.Requires;
import io.micronaut.context.event.ApplicationEventListener;
import jakarta.inject.Singleton;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.Callable;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.stream.Collectors;

/**
 * What a test does to an application's idempotent operations, and what it sees of them. A bean with
 * {@link IdempotencyTest}, or the property {@code idempotency.test.enabled=true}. Thread-safe.
 */
@Singleton
@Requires(property = TestKitProperties.ENABLED, value = "true")
public final class IdempotencyTestKit implements ApplicationEventListener<IdempotencyEvent> {

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

    /**
     * The store of operations that name none, to be broken.
     *
     * @return sound until told otherwise, and after each test
     */
    public FaultyStore store() {
        return named(stores.standard().name());
    }

    /**
     * A store by name, to be broken.
     *
     * @param name as in {@code @IdempotentOperation(store)}
     * @return sound until told otherwise, and after each test
     */
    public FaultyStore store(String name) {
        return named(stores.named(name, "IdempotencyTestKit.store").name());
    }

    private FaultyStore named(String name) {
        FaultyStore store = faulty.named(name);
        if (store == null) {
            throw new IllegalStateException(
                    "Store '" + name + "' has no name of its own: its name() is that of another bean");
        }
        return store;
    }

    /**
     * Lets time pass for the library at once: leases, waits, retention. Time-outs that become due by it fire soon after, on
     * their own threads.
     *
     * @param duration how much, never negative
     * @throws IllegalStateException with a store whose server has a clock of its own: use {@code idempotency.store: memory}
     *     in this test, or short leases
     */
    public void skip(Duration duration) {
        IdempotencyStore store = store();
        if (!"memory".equals(store.name())) {
            throw new IllegalStateException(
                    "Store '" + store.name() + "' goes by the clock of its server, which a test cannot skip."
                            + " Set idempotency.store=memory for this test, or give the operation a short lease.");
        }
        time.skip(duration);
    }

    /**
     * What became of the calls of an operation in this test.
     *
     * @param operation its name; one that is only called by hand is known from its first call on, or where it is configured
     * @return goes on counting
     * @throws IllegalArgumentException when this application has no such operation
     */
    public OperationCalls calls(String operation) {
        if (!calls.containsKey(operation) && operations.named(operation).isEmpty()) {
            Set<String> names = operations.all().stream()
                    .map(bound -> bound.operation().name())
                    .collect(Collectors.toCollection(TreeSet::new));
            throw new IllegalArgumentException(
                    "This application has no operation '" + operation + "'. Did you mean one of " + names + "?");
        }
        return ofOperation(operation);
    }

    private OperationCalls ofOperation(String operation) {
        return calls.computeIfAbsent(operation, OperationCalls::new);
    }

    /**
     * What really happened in this test, as its fakes count it: see {@link Effects#happen}.
     *
     * @param name what they are: {@code charge}, {@code mail}
     * @return goes on counting
     */
    public Effects effects(String name) {
        return effects.computeIfAbsent(name, Effects::new);
    }

    /**
     * Makes the same call many times at the same moment, each on a thread of its own, and waits for all of them.
     *
     * @param <T> what it returns
     * @return what each of them returned or threw
     */
    public <T> Duplicates<T> atOnce(int times, Callable<T> call) {
        List<T> returned = new CopyOnWriteArrayList<>();
        List<Throwable> thrown = new CopyOnWriteArrayList<>();
        Together.run(times, number -> {
            try {
                Optional.ofNullable(call.call()).ifPresent(returned::add);
            } catch (Exception | Error e) {
                thrown.add(e);
            }
            return number;
        });
        return new Duplicates<>(returned, thrown);
    }

    /** Mends every store and counts from zero. Happens before and after each test of Micronaut's. */
    public void reset() {
        faulty.all().forEach(FaultyStore::mend);
        calls.values().forEach(OperationCalls::clear);
        effects.values().forEach(Effects::clear);
    }

    @Override
    public void onApplicationEvent(IdempotencyEvent event) {
        ofOperation(event.operation()).add(event);
    }
}
