package io.idempotency.runtime.engine;

import io.idempotency.runtime.FailureClassifier;
import io.idempotency.runtime.FailureSanitizer;
import io.idempotency.runtime.store.RecordId;
import java.util.List;
import java.util.concurrent.Executor;
import java.util.function.DoubleSupplier;
import java.util.function.Supplier;

/** Makes the engine's services with the default waiters and sanitiser, no secret for derived keys, and no listeners. */
public final class TestServices {

    static final int MAX_WAITERS_PER_KEY = 1000;

    private TestServices() {}

    public static ExecutionServices of(
            Executor executor,
            Maintenance maintenance,
            ElapsedTime time,
            Supplier<String> tokens,
            DoubleSupplier jitter,
            List<FailureClassifier> classifiers) {
        return new ExecutionServices(
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
