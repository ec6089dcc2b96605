package io.idempotency.runtime.intercept;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.idempotency.IdempotencyException;
import io.idempotency.IdempotencyExecutor;
import io.idempotency.IdempotencyKeyReusedException;
import io.idempotency.Refusal;
import io.idempotency.runtime.CallerResolver;
import io.idempotency.runtime.TenantResolver;
import io.idempotency.runtime.engine.ElapsedTime;
import io.micronaut.context.ApplicationContext;
import io.micronaut.context.annotation.Factory;
import io.micronaut.context.annotation.Replaces;
import io.micronaut.context.annotation.Requires;
import io.micronaut.core.type.Argument;
import jakarta.inject.Singleton;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;

/** Callers with many keys cannot fill a store. */
class NewKeyLimitsTest {

    /** The time and the callers, by a test's word. */
    @Factory
    @Requires(property = "test.limits")
    static class Surroundings {
        final AtomicLong nanos = new AtomicLong(Long.MAX_VALUE - 1); // the origin is arbitrary, and it may overflow
        final AtomicReference<String> caller = new AtomicReference<>();
        final AtomicReference<String> tenant = new AtomicReference<>();

        @Singleton
        @Replaces(ElapsedTime.class)
        ElapsedTime time() {
            return nanos::get;
        }

        @Singleton
        CallerResolver callers() {
            return caller::get;
        }

        @Singleton
        TenantResolver tenants() {
            return tenant::get;
        }

        void pass(Duration time) {
            nanos.addAndGet(time.toNanos());
        }
    }

    private static ApplicationContext application(Map<String, Object> limits) {
        Map<String, Object> properties = new HashMap<>(limits);
        properties.put("idempotency.store", "memory");
        properties.put("test.limits", true);
        return ApplicationContext.run(properties);
    }

    private static IdempotencyException refused(OrderService service, String key) {
        IdempotencyException refused = catchThrowableOfType(IdempotencyException.class, () -> service.nothing(key));
        if (refused != null) {
            assertThat(refused.refusal()).isEqualTo(Refusal.TOO_MANY_RECORDS);
        }
        return refused;
    }

    @Test
    void oneNewKeyMoreThanTheLimitOfAnOperationIsRefusedAndWhatIsRememberedIsReplayed() {
        try (ApplicationContext context = application(Map.of("idempotency.max-new-keys", 3))) {
            OrderService service = context.getBean(OrderService.class);
            for (int i = 0; i < 3; i++) {
                service.nothing("k" + i);
            }
            assertThatThrownBy(() -> service.nothing("k3"))
                    .hasFieldOrPropertyWithValue("refusal", Refusal.TOO_MANY_RECORDS)
                    .hasMessageContaining("3 new keys in PT1M on each node")
                    .hasMessageContaining("idempotency.operations.notify-all.max-new-keys")
                    .hasMessageContaining("the body did not run");
            for (int i = 0; i < 3; i++) {
                service.nothing("k" + i);
            }
            assertThat(service.bodies).hasValue(3);
            service.returnsNull("of another operation");
            assertThat(service.bodies).hasValue(4);
        }
    }

    @Test
    void theKeyStaysFreeAndWorksAfterTheTimeThatTheRefusalSays() {
        try (ApplicationContext context =
                application(Map.of("idempotency.max-new-keys", 3, "idempotency.limits.window", "3m"))) {
            OrderService service = context.getBean(OrderService.class);
            for (int i = 0; i < 3; i++) {
                service.nothing("k" + i);
            }
            Duration wait = refused(service, "late").retryAfter();
            assertThat(wait).isEqualTo(Duration.ofMinutes(1));
            Surroundings time = context.getBean(Surroundings.class);
            time.pass(wait.minusNanos(1));
            assertThat(refused(service, "late").retryAfter()).isEqualTo(Duration.ofNanos(1));
            time.pass(Duration.ofNanos(1));
            service.nothing("late");
            assertThat(service.bodies).hasValue(4);
            assertThat(refused(service, "another").retryAfter()).isEqualTo(Duration.ofMinutes(1));
            time.pass(Duration.ofMinutes(3));
            for (int i = 0; i < 3; i++) {
                service.nothing("later" + i);
            }
            assertThat(service.bodies).hasValue(7);
        }
    }

    @Test
    void aCallerHasALimitOfHisOwn() {
        try (ApplicationContext context = application(Map.of(
                "idempotency.operations.notify-all.max-new-keys-per-caller", 2, "idempotency.max-new-keys", 5))) {
            OrderService service = context.getBean(OrderService.class);
            Surroundings who = context.getBean(Surroundings.class);
            who.caller.set("mallory");
            service.nothing("m1");
            service.nothing("m2");
            assertThat(refused(service, "m3")).hasMessageContaining("max-new-keys-per-caller");
            who.caller.set("alice");
            service.nothing("a1");
            who.tenant.set("another");
            who.caller.set("mallory"); // somebody else of that name
            service.nothing("m3");
            who.caller.set(null);
            service.nothing("n1");
            assertThat(refused(service, "n2")).hasMessageContaining(".max-new-keys)");
            assertThat(service.bodies).hasValue(5);
        }
    }

    /** Whoever has ten thousand names gets no more memory than that, and no more records than he is due. */
    @Test
    void callersBeyondThoseThatAreCountedShareOneLimit() {
        try (ApplicationContext context =
                application(Map.of("idempotency.max-new-keys-per-caller", 2, "idempotency.limits.max-callers", 3))) {
            OrderService service = context.getBean(OrderService.class);
            Surroundings who = context.getBean(Surroundings.class);
            int refused = 0;
            for (int i = 0; i < 100; i++) {
                who.caller.set("mallory " + i);
                refused += refused(service, "k" + i) == null ? 0 : 1;
            }
            assertThat(refused).isEqualTo(95);
            who.caller.set("mallory 0");
            service.nothing("his second");
            assertThat(refused(service, "his third")).isNotNull();
            who.pass(Duration.ofMinutes(1));
            who.caller.set("alice");
            service.nothing("a1");
            service.nothing("a2");
            assertThat(refused(service, "a3")).isNotNull();
            who.caller.set("bob");
            service.nothing("b1");
            assertThat(service.bodies).hasValue(9);
        }
    }

    @Test
    void aBodyThatFailsWithoutAnEffectCountsAgainWhenItRunsAgain() {
        try (ApplicationContext context = application(Map.of(
                "idempotency.max-new-keys",
                2,
                "idempotency.on-failure",
                "RELEASE",
                "idempotency.operations.by-hand.programmatic",
                true))) {
            IdempotencyExecutor executor = context.getBean(IdempotencyExecutor.class);
            for (int i = 0; i < 2; i++) {
                assertThatThrownBy(() -> executor.execute("by-hand", "k", null, Argument.STRING, () -> {
                            throw new IllegalStateException("no effect");
                        }))
                        .isInstanceOf(IllegalStateException.class);
            }
            assertThatThrownBy(() -> executor.execute("by-hand", "k", null, Argument.STRING, () -> "done"))
                    .hasFieldOrPropertyWithValue("refusal", Refusal.TOO_MANY_RECORDS);
            context.getBean(Surroundings.class).pass(Duration.ofMinutes(1));
            assertThat(executor.execute("by-hand", "k", null, Argument.STRING, () -> "done"))
                    .isEqualTo("done");
        }
    }

    /** Another answer than a grant makes no record. */
    @Test
    void duplicatesAndRefusalsCountNothing() {
        try (ApplicationContext context = application(Map.of("idempotency.max-new-keys", 2))) {
            OrderService service = context.getBean(OrderService.class);
            for (int i = 0; i < 50; i++) {
                service.overloaded("one", 1);
                service.overloaded("one", 1);
            }
            assertThatThrownBy(() -> service.overloaded("one", 2)).isInstanceOf(IdempotencyKeyReusedException.class);
            service.overloaded("two", 1);
            assertThatThrownBy(() -> service.overloaded("one", 2)).isInstanceOf(IdempotencyKeyReusedException.class);
            assertThatThrownBy(() -> service.overloaded("three", 1))
                    .hasFieldOrPropertyWithValue("refusal", Refusal.TOO_MANY_RECORDS);
        }
    }

    @Test
    void limitsThatCannotBeMeantStopTheStart() {
        assertThatThrownBy(() -> application(Map.of("idempotency.limits.max-callers", 0)))
                .hasStackTraceContaining("idempotency.limits.max-callers: 0 is less than 1");
        assertThatThrownBy(() -> application(Map.of("idempotency.limits.window", "2d")))
                .hasStackTraceContaining("idempotency.limits.window: 2d is more than 1d");
        assertThatThrownBy(() -> application(Map.of("idempotency.operations.notify-all.max-new-keys", -1)))
                .hasStackTraceContaining("max-new-keys: -1 is less than 0");
        Map<String, Object> nobody = Map.of("idempotency.max-new-keys-per-caller", 5);
        assertThatThrownBy(() -> ApplicationContext.run(nobody))
                .hasStackTraceContaining("Declare a CallerResolver bean, or use max-new-keys");
    }
}
