package io.idempotency.runtime.intercept;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.idempotency.ApplicationShuttingDownException;
import io.idempotency.IdempotentOperation;
import io.idempotency.runtime.memory.MemoryIdempotencyStore;
import io.idempotency.runtime.store.RecordId;
import io.idempotency.runtime.store.RecordState;
import io.micronaut.context.ApplicationContext;
import io.micronaut.context.annotation.Requires;
import io.micronaut.context.event.ShutdownEvent;
import io.micronaut.runtime.event.annotation.EventListener;
import jakarta.inject.Singleton;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executor;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** An application that is closed while operations run. */
class GracefulShutdownTest {

    /** Operations that take as long as a test wants. */
    @Singleton
    @Requires(property = "test.slow")
    static class Slow {
        final CountDownLatch started = new CountDownLatch(1);
        final CountDownLatch mayEnd = new CountDownLatch(1);
        private final Inner inner;

        Slow(Inner inner) {
            this.inner = inner;
        }

        @IdempotentOperation(value = "slow", key = "id")
        String run(String id) throws InterruptedException {
            started.countDown();
            mayEnd.await();
            return inner.part(id);
        }
    }

    @Singleton
    @Requires(property = "test.slow")
    static class Inner {
        @IdempotentOperation(value = "part", key = "id")
        String part(String id) {
            return "part of " + id;
        }
    }

    /** What bodies may need, and closes when the application says that it shuts down. */
    @Singleton
    @Requires(property = "test.slow")
    static class Closing {
        volatile boolean closed;

        @EventListener
        void shutDown(ShutdownEvent event) {
            closed = true;
        }
    }

    private static ApplicationContext application(Object... more) {
        Map<String, Object> properties = new HashMap<>(Map.of("test.slow", true, "idempotency.store", "memory"));
        for (int i = 0; i < more.length; i += 2) {
            properties.put((String) more[i], more[i + 1]);
        }
        return ApplicationContext.run(properties);
    }

    private static RecordState state(MemoryIdempotencyStore store, String operation, String key) {
        return store.find(RecordId.of(operation, null, null, key)).orElseThrow().state();
    }

    /** A key of its own each time: one that was claimed before the end began is replayed for ever. */
    private static void awaitRefusal(Inner inner) {
        Awaitility.await()
                .atMost(Duration.ofSeconds(10))
                .untilAsserted(() -> assertThatThrownBy(
                                () -> inner.part(UUID.randomUUID().toString()))
                        .isInstanceOf(ApplicationShuttingDownException.class)
                        .hasMessageContaining("this one did not run. Try again with the same key"));
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void runningOperationsEndAndAreRecordedWhileNothingNewStarts(boolean micronautsOwn) throws Exception {
        ApplicationContext context = application("micronaut.lifecycle.graceful-shutdown.enabled", micronautsOwn);
        Slow slow = context.getBean(Slow.class);
        Inner inner = context.getBean(Inner.class);
        MemoryIdempotencyStore store = context.getBean(MemoryIdempotencyStore.class);
        Closing needed = context.getBean(Closing.class);
        inner.part("old");
        Executor threads = task -> new Thread(task).start(); // the common pool may have one only
        CompletableFuture<String> running = CompletableFuture.supplyAsync(
                () -> {
                    try {
                        return slow.run("k");
                    } catch (InterruptedException e) {
                        throw new IllegalStateException(e);
                    }
                },
                threads);
        slow.started.await();
        CompletableFuture<Void> closed = CompletableFuture.runAsync(context::close, threads);

        awaitRefusal(inner);
        assertThat(inner.part("old")).isEqualTo("part of old");
        assertThat(closed).isNotDone();
        assertThat(needed.closed).isFalse();

        slow.mayEnd.countDown();
        assertThat(running.join()).isEqualTo("part of k");
        closed.join();
        assertThat(needed.closed).isTrue();
        assertThat(state(store, "slow", "k")).isEqualTo(RecordState.COMPLETED);
        assertThat(state(store, "part", "k")).isEqualTo(RecordState.COMPLETED);
    }

    @Test
    void anOperationThatDoesNotEndIsWaitedForNoLongerThanTheLimitAndNeverReleased() throws Exception {
        ApplicationContext context = application("idempotency.shutdown-timeout", "50ms");
        Slow slow = context.getBean(Slow.class);
        MemoryIdempotencyStore store = context.getBean(MemoryIdempotencyStore.class);
        Thread thread = new Thread(() -> {
            try {
                slow.run("k");
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        });
        thread.start();
        slow.started.await();
        context.close();
        assertThat(state(store, "slow", "k")).isEqualTo(RecordState.IN_PROGRESS);

        slow.mayEnd.countDown();
        thread.join();
        assertThat(state(store, "slow", "k"))
                .as("a late owner records what it can, also after the application is closed")
                .isNotEqualTo(RecordState.IN_PROGRESS);
    }
}
