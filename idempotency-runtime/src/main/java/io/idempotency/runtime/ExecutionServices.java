package io.idempotency.runtime;

import java.util.List;
import java.util.concurrent.Executor;
import java.util.function.DoubleSupplier;
import java.util.function.LongSupplier;
import java.util.function.Supplier;

/**
 * What the engine needs of its surroundings.
 *
 * @param timer for delays
 * @param executor runs blocking store calls, and bodies of asynchronous calls
 * @param upkeep runs what keeps claims alive on stores that block: renewals, and attempts to settle in the background;
 *     bodies and callers cannot use it up
 * @param nanoTime elapsed time in nanoseconds, as {@link System#nanoTime()}
 * @param tokens a new owner token per call, never the same twice on any node
 * @param jitter numbers from 0 (inclusive) to 1 (exclusive)
 * @param classifiers know exceptions of the technologies at hand
 */
public record ExecutionServices(
        DelayTimer timer,
        Executor executor,
        Executor upkeep,
        LongSupplier nanoTime,
        Supplier<String> tokens,
        DoubleSupplier jitter,
        List<FailureClassifier> classifiers) {

    /** Copies the list. */
    public ExecutionServices {
        classifiers = List.copyOf(classifiers);
    }
}
