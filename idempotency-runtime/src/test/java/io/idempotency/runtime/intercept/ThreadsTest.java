package io.idempotency.runtime.intercept;

import static org.assertj.core.api.Assertions.assertThat;

import io.idempotency.runtime.memory.MemoryIdempotencyStore;
import io.idempotency.runtime.store.IdempotencyStore;
import io.micronaut.context.ApplicationContext;
import io.micronaut.context.annotation.Factory;
import io.micronaut.context.annotation.Requires;
import jakarta.inject.Named;
import jakarta.inject.Singleton;
import java.lang.reflect.Proxy;
import java.time.InstantSource;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** On which threads the stores of asynchronous methods are asked, and their bodies start. */
class ThreadsTest {

    private static final String STORE = "idempotency.store";

    private record Seen(String name, boolean virtual) {
        static Seen here() {
            Thread thread = Thread.currentThread();
            // the JDK puts them all into a group of this name; the class is compiled for a JDK that has none
            return new Seen(thread.getName(), thread.getThreadGroup().getName().equals("VirtualThreads"));
        }
    }

    /** A store that asks a server, as far as the engine can tell. */
    @Factory
    @Requires(property = STORE, value = "asking")
    static class Stores {

        final AtomicReference<Seen> claimed = new AtomicReference<>();

        @Singleton
        @Named("asking")
        IdempotencyStore store() {
            MemoryIdempotencyStore memory = new MemoryIdempotencyStore(InstantSource.system());
            return (IdempotencyStore) Proxy.newProxyInstance(
                    IdempotencyStore.class.getClassLoader(),
                    new Class<?>[] {IdempotencyStore.class},
                    (proxy, method, arguments) -> {
                        if (method.getName().equals("claim")) {
                            claimed.set(Seen.here());
                        }
                        return method.getName().equals("answersAtOnce") ? false : method.invoke(memory, arguments);
                    });
        }
    }

    @ParameterizedTest
    @EnumSource
    void storesAreAskedOnMicronautsBlockingExecutorWhoseThreadsAreVirtualWhereTheJdkHasThem(Kind kind) {
        try (ApplicationContext context = ApplicationContext.run(Map.of(STORE, "asking"))) {
            LaterService service = context.getBean(LaterService.class);
            AtomicReference<Seen> thread = new AtomicReference<>();
            service.body = () -> {
                thread.set(Seen.here());
                return CompletableFuture.completedFuture("done");
            };
            kind.call(service, UUID.randomUUID().toString()).join();
            assertThat(thread.get().name()).doesNotContain("idempotency", "main");
            Seen claimed = context.getBean(Stores.class).claimed.get();
            assertThat(claimed.name()).isNotEqualTo(Thread.currentThread().getName());
            assertThat(claimed.virtual())
                    .as("%s", claimed)
                    .isEqualTo(Runtime.version().feature() >= 21);
        }
    }
}
