package io.idempotency.runtime.engine;

import io.idempotency.runtime.FailureClassifier;
import io.idempotency.runtime.FailureSanitizer;
import io.idempotency.runtime.OutcomeListener;
import io.idempotency.runtime.store.RecordId;
import java.util.List;
import java.util.concurrent.Executor;
import java.util.function.BiFunction;
import java.util.function.DoubleSupplier;
import java.util.function.LongSupplier;
import java.util.function.Supplier;

/**
 * What the engine needs of its surroundings.
 *
 * @param timer for delays
 * @param executor runs blocking store calls, and bodies of asynchronous calls; never on the thread that hands it a task
 * @param upkeep the threads of each store that keep its claims alive
 * @param nanoTime elapsed time in nanoseconds, as {@link System#nanoTime()}
 * @param tokens a new owner token per call, never the same twice on any node
 * @param jitter numbers from 0 (inclusive) to 1 (exclusive)
 * @param classifiers know exceptions of the technologies at hand
 * @param maxWaitersPerKey how many duplicates of one call may wait here at the same time, not negative
 * @param derivedKeys makes the key of a downstream call of a record's id and a name
 * @param sanitizer decides what of an exception is stored
 * @param listeners are told what happens to claims
 */
public record ExecutionServices(
        DelayTimer timer,
        Executor executor,
        Upkeep upkeep,
        LongSupplier nanoTime,
        Supplier<String> tokens,
        DoubleSupplier jitter,
        List<FailureClassifier> classifiers,
        int maxWaitersPerKey,
        BiFunction<RecordId, String, String> derivedKeys,
        FailureSanitizer sanitizer,
        List<OutcomeListener> listeners) {

    /** How many may wait for one key unless configured. */
    public static final int MAX_WAITERS_PER_KEY = 1000;

    /** Copies the lists. */
    public ExecutionServices {
        classifiers = List.copyOf(classifiers);
        listeners = List.copyOf(listeners);
    }

    /** As many waiters as usual, derived keys without a secret, and nothing stored of exceptions but their types; no listeners. */
    public ExecutionServices(
            DelayTimer timer,
            Executor executor,
            Upkeep upkeep,
            LongSupplier nanoTime,
            Supplier<String> tokens,
            DoubleSupplier jitter,
            List<FailureClassifier> classifiers) {
        this(
                timer,
                executor,
                upkeep,
                nanoTime,
                tokens,
                jitter,
                classifiers,
                MAX_WAITERS_PER_KEY,
                RecordId::derive,
                new FailureSanitizer() {},
                List.of());
    }
}
