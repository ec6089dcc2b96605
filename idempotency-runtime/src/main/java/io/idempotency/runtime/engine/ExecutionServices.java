package io.idempotency.runtime.engine;

import io.idempotency.runtime.FailureClassifier;
import io.idempotency.runtime.FailureSanitizer;
import io.idempotency.runtime.OutcomeListener;
import io.idempotency.runtime.store.RecordId;
import java.util.List;
import java.util.concurrent.Executor;
import java.util.function.BiFunction;
import java.util.function.DoubleSupplier;
import java.util.function.Supplier;

/**
 * What the engine needs of its surroundings.
 *
 * @param executor runs asynchronous calls, which block while the store is asked; never on the thread that hands it a task
 * @param maintenance the library's own threads
 * @param time elapsed time, in which threads wait
 * @param tokens a new owner token per call, never the same twice on any node
 * @param jitter numbers from 0 (inclusive) to 1 (exclusive)
 * @param classifiers know exceptions of the technologies at hand
 * @param maxWaitersPerKey how many duplicates of one call may wait here at the same time, not negative
 * @param derivedKeys makes the key of a downstream call of a record's id and a name
 * @param sanitizer decides what of an exception is stored
 * @param listeners are told what happens to claims
 */
public record ExecutionServices(
        Executor executor,
        Maintenance maintenance,
        ElapsedTime time,
        Supplier<String> tokens,
        DoubleSupplier jitter,
        List<FailureClassifier> classifiers,
        int maxWaitersPerKey,
        BiFunction<RecordId, String, String> derivedKeys,
        FailureSanitizer sanitizer,
        List<OutcomeListener> listeners) {

    /** How many duplicates may wait for one key unless configured. */
    public static final int MAX_WAITERS_PER_KEY = 1000;

    /** Copies the lists. */
    public ExecutionServices {
        classifiers = List.copyOf(classifiers);
        listeners = List.copyOf(listeners);
    }

    /** Creates services with default waiters, no secret for derived keys, exceptions stored as their types, and no listeners. */
    public ExecutionServices(
            Executor executor,
            Maintenance maintenance,
            ElapsedTime time,
            Supplier<String> tokens,
            DoubleSupplier jitter,
            List<FailureClassifier> classifiers) {
        this(
                executor,
                maintenance,
                time,
                tokens,
                jitter,
                classifiers,
                MAX_WAITERS_PER_KEY,
                RecordId::derive,
                new FailureSanitizer() {},
                List.of());
    }
}
