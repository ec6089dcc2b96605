package io.idempotency.runtime.intercept;

import io.idempotency.runtime.memory.MemoryIdempotencyStore;
import io.idempotency.runtime.store.ForwardingStore;
import io.idempotency.runtime.store.IdempotencyStore;
import io.micronaut.context.annotation.Factory;
import io.micronaut.context.annotation.Requires;
import jakarta.inject.Named;
import jakarta.inject.Singleton;
import java.time.InstantSource;

/** Stores in memory beside the usual one. */
@Factory
@Requires(property = "test.stores")
class StoresOfEachKind {

    @Singleton
    @Named("blocking")
    IdempotencyStore blocking() {
        return new MemoryIdempotencyStore(InstantSource.system());
    }

    @Singleton
    @Named("other")
    IdempotencyStore other() {
        return new ForwardingStore(new MemoryIdempotencyStore(InstantSource.system())) {
            @Override
            public String name() {
                return "other";
            }
        };
    }
}
