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
 * The services that the engine needs from its environment.
 *
 * @param executor runs asynchronous calls, which block while they ask the store; never on the submitting thread
 * @param maintenance the library's own threads
 * @param time the clock by which the engine's threads wait
 * @param tokens returns a new owner token for each call, unique across nodes
 * @param jitter returns random numbers from 0 (inclusive) to 1 (exclusive)
 * @param classifiers classify exceptions of the technologies in use
 * @param maxWaitersPerKey how many duplicates of one call may wait in this JVM at the same time, not negative
 * @param derivedKeys derives the key of a downstream call from a record's id and a name
 * @param sanitizer decides which parts of an exception are stored
 * @param listeners are notified of bodies and of changes of claims
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
        List<OutcomeListener> listeners) {}
