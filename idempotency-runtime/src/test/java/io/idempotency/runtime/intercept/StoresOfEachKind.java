package io.idempotency.runtime.intercept;

import io.idempotency.runtime.memory.MemoryIdempotencyStore;
import io.idempotency.runtime.store.IdempotencyStore;
import io.micronaut.context.annotation.Bean;
import io.micronaut.context.annotation.Factory;
import io.micronaut.context.annotation.Requires;
import jakarta.inject.Named;
import jakarta.inject.Singleton;
import java.lang.reflect.Proxy;
import java.time.InstantSource;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

/** Stores in memory that answer as the others do: from the calling thread, which they block, or from a driver's. */
@Factory
@Requires(property = "test.stores")
class StoresOfEachKind {

    static final String DRIVER = "a-driver";

    @Singleton
    @Named("blocking")
    IdempotencyStore blocking() {
        IdempotencyStore memory = new MemoryIdempotencyStore(InstantSource.system());
        return store((method, arguments) ->
                method.getName().equals("blocking") ? Boolean.TRUE : method.invoke(memory, arguments));
    }

    @Singleton
    @Named("callback")
    IdempotencyStore callback(@Named(DRIVER) ExecutorService driver) {
        IdempotencyStore memory = new MemoryIdempotencyStore(InstantSource.system());
        return store((method, arguments) -> {
            Object answer = method.invoke(memory, arguments);
            CompletableFuture<Object> later = new CompletableFuture<>();
            if (answer instanceof CompletionStage<?> stage) {
                driver.execute(() -> later.complete(stage.toCompletableFuture().join()));
                return later;
            }
            return answer;
        });
    }

    @Singleton
    @Named(DRIVER)
    @Bean(preDestroy = "shutdown")
    ExecutorService driver() {
        return Executors.newSingleThreadExecutor(task -> new Thread(task, DRIVER));
    }

    private interface Answering {
        Object to(java.lang.reflect.Method method, Object[] arguments) throws ReflectiveOperationException;
    }

    private static IdempotencyStore store(Answering answering) {
        return (IdempotencyStore) Proxy.newProxyInstance(
                StoresOfEachKind.class.getClassLoader(),
                new Class<?>[] {IdempotencyStore.class},
                (proxy, method, arguments) -> answering.to(method, arguments));
    }
}
