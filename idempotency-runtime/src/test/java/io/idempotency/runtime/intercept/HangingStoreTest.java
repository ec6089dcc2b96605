package io.idempotency.runtime.intercept;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.idempotency.IdempotentOperation;
import io.idempotency.OnAbandoned;
import io.idempotency.OperationInProgressException;
import io.idempotency.runtime.engine.ElapsedTime;
import io.idempotency.runtime.engine.StandingTime;
import io.idempotency.runtime.memory.MemoryIdempotencyStore;
import io.idempotency.runtime.store.IdempotencyStore;
import io.micronaut.context.annotation.Factory;
import io.micronaut.context.annotation.Property;
import io.micronaut.context.annotation.Requires;
import io.micronaut.test.extensions.junit5.annotation.MicronautTest;
import jakarta.inject.Inject;
import jakarta.inject.Named;
import jakarta.inject.Singleton;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** A store that hangs holds up nobody who uses another one. */
@MicronautTest
@Property(name = "test.hanging", value = "true")
@Property(name = "test.standing-time", value = "true")
@Property(name = "idempotency.store", value = "healthy")
class HangingStoreTest {

    private static final int MANY = 8;
    private static final Duration THIRD_OF_A_LEASE = Duration.ofSeconds(10);

    @Inject
    Calls calls;

    @Inject
    StandingTime time;

    @Inject
    TwoStores stores;

    @AfterEach
    void goOn() {
        stores.hangs.countDown();
        calls.ends.complete("done");
    }

    /** Both block, and one of them hangs as soon as a lease is renewed. */
    @Factory
    @Requires(property = "test.hanging")
    static class TwoStores {

        final CountDownLatch hangs = new CountDownLatch(1);
        final AtomicInteger hanging = new AtomicInteger();
        final AtomicInteger renewed = new AtomicInteger();

        @Singleton
        @Named("hanging")
        IdempotencyStore hanging(ElapsedTime time) {
            return blocking("hanging", time, () -> {
                hanging.incrementAndGet();
                hangs.await();
            });
        }

        @Singleton
        @Named("healthy")
        IdempotencyStore healthy(ElapsedTime time) {
            return blocking("healthy", time, renewed::incrementAndGet);
        }

        private interface Renewal {
            void happens() throws InterruptedException;
        }

        private static IdempotencyStore blocking(String name, ElapsedTime time, Renewal renewal) {
            IdempotencyStore memory = new MemoryIdempotencyStore(time::nanos, 1000);
            return (IdempotencyStore) Proxy.newProxyInstance(
                    TwoStores.class.getClassLoader(),
                    new Class<?>[] {IdempotencyStore.class},
                    (proxy, method, arguments) -> switch (method.getName()) {
                        case "name" -> name;
                        case "blocking" -> true;
                        case "renew" -> {
                            renewal.happens();
                            yield method.invoke(memory, arguments);
                        }
                        default -> method.invoke(memory, arguments);
                    });
        }
    }

    /** Their bodies take as long as the test likes. */
    @Singleton
    @Requires(property = "test.hanging")
    static class Calls {

        final CompletableFuture<String> ends = new CompletableFuture<>();
        final AtomicInteger hangingBodies = new AtomicInteger();
        final AtomicInteger healthyBodies = new AtomicInteger();

        @IdempotentOperation(
                value = "on-hanging-store",
                key = "id",
                store = "hanging",
                lease = "30s",
                onAbandoned = OnAbandoned.TAKE_OVER)
        CompletionStage<String> onHangingStore(String id) {
            hangingBodies.incrementAndGet();
            return ends;
        }

        @IdempotentOperation(
                value = "on-healthy-store",
                key = "id",
                store = "healthy",
                lease = "30s",
                onAbandoned = OnAbandoned.TAKE_OVER)
        CompletionStage<String> onHealthyStore(String id) {
            healthyBodies.incrementAndGet();
            return ends;
        }
    }

    @Test
    void theLeasesOfAnotherStoreAreStillRenewed() {
        for (int i = 0; i < MANY; i++) {
            calls.onHangingStore("k" + i);
        }
        await().until(() -> calls.hangingBodies.get() == MANY);
        time.skip(THIRD_OF_A_LEASE);
        await().until(() -> stores.hanging.get() >= 1);
        calls.onHealthyStore("k");
        await().until(() -> calls.healthyBodies.get() == 1);
        for (int i = 0; i < 6; i++) {
            int before = stores.renewed.get();
            time.skip(THIRD_OF_A_LEASE);
            await().until(() -> stores.renewed.get() > before && idle("idempotency-healthy"));
        }
        assertThatThrownBy(() -> calls.onHealthyStore("k").toCompletableFuture().join())
                .hasCauseInstanceOf(OperationInProgressException.class);
        assertThat(calls.healthyBodies).hasValue(1);
    }

    /** A renewal is over, and the next one planned, when its thread waits again. */
    static boolean idle(String threads) {
        return Thread.getAllStackTraces().keySet().stream()
                .filter(thread -> thread.getName().equals(threads))
                .allMatch(thread ->
                        thread.getState() == Thread.State.WAITING || thread.getState() == Thread.State.TIMED_WAITING);
    }
}
