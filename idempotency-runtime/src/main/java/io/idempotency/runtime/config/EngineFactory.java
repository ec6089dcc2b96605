package io.idempotency.runtime.config;

import io.idempotency.runtime.FailureClassifier;
import io.idempotency.runtime.FailureSanitizer;
import io.idempotency.runtime.OutcomeListener;
import io.idempotency.runtime.Within;
import io.idempotency.runtime.call.Invocation.OwnerTokens;
import io.idempotency.runtime.engine.ElapsedTime;
import io.idempotency.runtime.engine.ExecutionServices;
import io.idempotency.runtime.engine.IdempotencyEngine;
import io.idempotency.runtime.memory.MemoryIdempotencyStore;
import io.idempotency.runtime.secrets.IdentityDigests;
import io.micronaut.context.annotation.ConfigurationProperties;
import io.micronaut.context.annotation.Factory;
import io.micronaut.core.annotation.Nullable;
import io.micronaut.core.bind.annotation.Bindable;
import io.micronaut.core.propagation.PropagatedContext;
import io.micronaut.scheduling.TaskExecutors;
import jakarta.inject.Named;
import jakarta.inject.Singleton;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.ThreadLocalRandom;

/** Builds the engine with the application's executors. */
@Factory
final class EngineFactory {

    @Singleton
    IdempotencyEngine executor(
            ElapsedTime time,
            @Named(TaskExecutors.BLOCKING) ExecutorService blocking,
            MaintenanceThreads maintenance,
            List<FailureClassifier> classifiers,
            IdempotencyConfiguration configuration,
            IdentityDigests digests,
            @Nullable FailureSanitizer sanitizer,
            @Nullable OwnerTokens tokens,
            List<OutcomeListener> listeners) {
        return new IdempotencyEngine(new ExecutionServices(
                // the store would use the caller's connection on two threads; bodies set their own context
                task -> blocking.execute(PropagatedContext.empty().wrap(task)),
                maintenance,
                time,
                tokens == null ? () -> UUID.randomUUID().toString() : tokens,
                () -> ThreadLocalRandom.current().nextDouble(),
                classifiers,
                configuration.getMaxWaitersPerKey(),
                digests::derivedKey,
                sanitizer == null ? new FailureSanitizer() {} : sanitizer,
                listeners));
    }

    @Singleton
    @Named(Stores.MEMORY)
    MemoryIdempotencyStore memory(ElapsedTime time, OfMemory configuration) {
        return new MemoryIdempotencyStore(time::nanos, configuration.getMaxRecords());
    }

    @Singleton
    ElapsedTime time() {
        return System::nanoTime;
    }

    /** {@code idempotency.memory.*}: the store on the heap. */
    @ConfigurationProperties("idempotency.memory")
    interface OfMemory {

        /**
         * How many records are kept. A call with one more key is refused and its body does not run, until others expire. Positive.
         */
        @Within(min = "1")
        @Bindable(defaultValue = "1000000")
        int getMaxRecords();
    }
}
