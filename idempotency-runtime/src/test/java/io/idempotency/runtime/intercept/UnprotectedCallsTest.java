package io.idempotency.runtime.intercept;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import io.idempotency.IdempotencyContext;
import io.idempotency.IdempotencyExecutor;
import io.idempotency.IdempotentOperation;
import io.idempotency.test.IdempotencyTestKit;
import io.idempotency.test.logs.LogLines;
import io.micronaut.context.ApplicationContext;
import io.micronaut.context.annotation.Requires;
import io.micronaut.core.annotation.Nullable;
import io.micronaut.core.type.Argument;
import io.micronaut.retry.annotation.Retryable;
import io.micronaut.serde.annotation.Serdeable;
import jakarta.inject.Singleton;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import reactor.core.publisher.Mono;

class UnprotectedCallsTest {

    /** What a body saw. */
    @Serdeable
    record Seen(boolean isProtected, String operation, long fence, String derived, String again, String other) {
        static Seen now() {
            IdempotencyContext context = IdempotencyContext.current();
            return new Seen(
                    context.isProtected(),
                    context.operation(),
                    context.fence(),
                    context.deriveKey("psp"),
                    context.deriveKey("psp"),
                    context.deriveKey("mail"));
        }
    }

    /** Bodies of each kind that ask for their context. */
    @Singleton
    @Requires(property = "test.unprotected")
    static class Bodies {
        final List<Seen> attempts = new ArrayList<>();
        private final AtomicInteger retries = new AtomicInteger();

        @IdempotentOperation(value = "keyless-now", key = "id", keyRequired = false)
        public Seen now(@Nullable String id) {
            return Seen.now();
        }

        @IdempotentOperation(value = "keyless-stage", key = "id", keyRequired = false)
        public CompletionStage<Seen> stage(@Nullable String id) {
            return CompletableFuture.completedFuture(Seen.now());
        }

        @IdempotentOperation(value = "keyless-mono", key = "id", keyRequired = false)
        public Mono<Seen> mono(@Nullable String id) {
            return Mono.fromSupplier(Seen::now);
        }

        @Retryable(attempts = "2", delay = "1ms")
        @IdempotentOperation(value = "keyless-retried", key = "id", keyRequired = false)
        public int retried(@Nullable String id) {
            attempts.add(Seen.now());
            if (retries.getAndIncrement() == 0) {
                throw new IllegalStateException("once more");
            }
            return attempts.size();
        }
    }

    private static ApplicationContext start(boolean enabled) {
        return ApplicationContext.run(Map.of(
                "test.unprotected",
                true,
                "idempotency.store",
                "memory",
                "idempotency.enabled",
                enabled,
                "idempotency.operations.keyless-by-hand.programmatic",
                true,
                "idempotency.operations.keyless-by-hand.key-required",
                false));
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void aBodyWithoutAKeyOrWithoutTheLibraryGetsAContextThatSaysSo(boolean enabled) throws Exception {
        String key = enabled ? null : "the same every time";
        try (ApplicationContext context = start(enabled)) {
            Bodies bodies = context.getBean(Bodies.class);
            IdempotencyExecutor executor = context.getBean(IdempotencyExecutor.class);
            Mono<Seen> mono = bodies.mono(key);
            List<Seen> seen = List.of(
                    bodies.now(key),
                    bodies.now(key),
                    bodies.stage(key).toCompletableFuture().join(),
                    bodies.stage(key).toCompletableFuture().join(),
                    mono.block(),
                    mono.block(),
                    executor.execute("keyless-by-hand", key, null, Argument.of(Seen.class), Seen::now),
                    executor.executeAsync(
                                    "keyless-by-hand",
                                    key,
                                    null,
                                    Argument.of(Seen.class),
                                    () -> CompletableFuture.completedFuture(Seen.now()))
                            .toCompletableFuture()
                            .join());

            Set<String> derived = new HashSet<>();
            assertThat(seen).allSatisfy(each -> {
                assertThat(each.isProtected()).isFalse();
                assertThat(each.operation()).startsWith("keyless-");
                assertThat(each.fence()).isZero();
                assertThat(each.derived()).hasSize(64).isEqualTo(each.again()).isNotEqualTo(each.other());
                assertThat(derived.add(each.derived())).as("fresh per call").isTrue();
            });
        }
    }

    @Test
    void aBodyWithoutAKeyIsReportedEachTimeItRunsNotWhenItIsPrepared() {
        try (ApplicationContext context = ApplicationContext.run(
                Map.of("test.unprotected", true, "idempotency.store", "memory", "idempotency.test.enabled", true))) {
            IdempotencyTestKit kit = context.getBean(IdempotencyTestKit.class);
            Bodies bodies = context.getBean(Bodies.class);
            Mono<Seen> mono = bodies.mono(null);
            assertThat(kit.calls("keyless-mono")).neverRan();
            mono.block();
            mono.block();
            assertThat(kit.calls("keyless-mono")).ran(2);
            bodies.now(null);
            assertThat(kit.calls("keyless-now")).ranOnce();
            bodies.stage(null);
            assertThat(kit.calls("keyless-stage")).ranOnce();
        }
    }

    @Test
    void aCallWithAKeyIsProtectedAndNotToldApartFromItsRetries() {
        try (ApplicationContext context = start(true)) {
            assertThat(context.getBean(Bodies.class).now("1").isProtected()).isTrue();
        }
    }

    @Test
    void theAttemptsOfOneCallDeriveTheSameKeys() {
        try (ApplicationContext context = start(false)) {
            Bodies bodies = context.getBean(Bodies.class);
            assertThat(bodies.retried("1")).isEqualTo(2);
            assertThat(bodies.attempts)
                    .extracting(Seen::derived)
                    .containsOnly(bodies.attempts.get(0).derived());
            bodies.retried("1");
            assertThat(bodies.attempts.get(2).derived())
                    .isNotEqualTo(bodies.attempts.get(0).derived());
        }
    }

    /** Before: the inner body was given the outer one's context, and two inner calls derived the same key. */
    @Test
    void anUnprotectedBodyNeverDerivesItsKeysFromAnOperationAroundIt() {
        try (ApplicationContext context = start(true)) {
            Bodies bodies = context.getBean(Bodies.class);
            IdempotencyExecutor executor = context.getBean(IdempotencyExecutor.class);
            executor.execute("keyless-by-hand", "outer", null, Argument.VOID, () -> {
                Seen outer = Seen.now();
                assertThat(Set.of(
                                outer.derived(),
                                bodies.now(null).derived(),
                                bodies.now(null).derived()))
                        .hasSize(3);
                return null;
            });
        }
    }

    @Test
    void theStartSaysAloudWhatRunsUnprotected() {
        List<String> lines;
        try (LogLines log = LogLines.of(StartUp.class)) {
            start(true).close();
            start(false).close();
            lines = log.messages(Level.WARN);
        }
        assertThat(lines)
                .anySatisfy(
                        text -> assertThat(text).contains("key-required is false", "keyless-now", "keyless-retried"))
                .anySatisfy(text -> assertThat(text).contains("idempotency.enabled is false"));
    }
}
