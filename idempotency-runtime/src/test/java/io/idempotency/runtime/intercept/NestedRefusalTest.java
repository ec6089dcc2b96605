package io.idempotency.runtime.intercept;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import io.idempotency.IdempotencyContext;
import io.idempotency.IdempotencyException;
import io.idempotency.IdempotencyException.Retry;
import io.idempotency.IdempotentOperation;
import io.idempotency.NotFingerprinted;
import io.idempotency.OnAbandoned;
import io.idempotency.OnFailure;
import io.idempotency.OperationInProgressException;
import io.idempotency.OutcomeUnknownException;
import io.idempotency.PreviousAttemptFailedException;
import io.idempotency.Refusal;
import io.micronaut.context.annotation.Property;
import io.micronaut.context.annotation.Requires;
import io.micronaut.test.extensions.junit5.annotation.MicronautTest;
import jakarta.inject.Inject;
import jakarta.inject.Singleton;
import java.util.Arrays;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.CountDownLatch;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import reactor.core.publisher.Mono;

/** What the caller of a chain is told, when an operation within it is refused, is true of his own key. */
@MicronautTest(startApplication = false)
@Property(name = "idempotency.store", value = "memory")
@Property(name = "test.chain", value = "true")
class NestedRefusalTest {

    private static final String HASH = "ab".repeat(32);

    /** The outer operations, one for each policy, and one that they call. */
    @Singleton
    @Requires(property = "test.chain")
    static class Chain {
        private final CountDownLatch running = new CountDownLatch(1);
        private final CountDownLatch over = new CountDownLatch(1);

        @IdempotentOperation(value = "inner-slow", key = "key")
        public String slow(String key) throws InterruptedException {
            running.countDown();
            over.await();
            return "inner";
        }

        @IdempotentOperation(value = "outer-remember", key = "key")
        public String remember(String key, @NotFingerprinted Supplier<String> body) {
            return body.get();
        }

        @IdempotentOperation(value = "outer-stage", key = "key")
        public CompletionStage<String> stage(String key, @NotFingerprinted Supplier<String> body) {
            return CompletableFuture.supplyAsync(body);
        }

        @IdempotentOperation(value = "outer-mono", key = "key")
        public Mono<String> mono(String key, @NotFingerprinted Supplier<String> body) {
            return Mono.fromSupplier(body);
        }

        @IdempotentOperation(value = "outer-release", key = "key", onFailure = OnFailure.RELEASE)
        public String release(String key, @NotFingerprinted Supplier<String> body) {
            return body.get();
        }

        @IdempotentOperation(value = "outer-no-effect", key = "key", noEffectFor = IdempotencyException.class)
        public String noEffectFor(String key, @NotFingerprinted Supplier<String> body) {
            return body.get();
        }

        @IdempotentOperation(value = "outer-says-so", key = "key")
        public String saysNoEffect(String key, @NotFingerprinted Supplier<String> body) {
            IdempotencyContext.current().noEffect();
            return body.get();
        }

        @IdempotentOperation(value = "outer-final", key = "key", finalFor = IdempotencyException.class)
        public String finalFor(String key, @NotFingerprinted Supplier<String> body) {
            return body.get();
        }

        @IdempotentOperation(value = "outer-unknown", key = "key", unknownFor = IdempotencyException.class)
        public String unknownFor(String key, @NotFingerprinted Supplier<String> body) {
            return body.get();
        }

        @IdempotentOperation(value = "outer-take-over", key = "key", onAbandoned = OnAbandoned.TAKE_OVER)
        public String takeOver(String key, @NotFingerprinted Supplier<String> body) {
            return body.get();
        }
    }

    /** An outer operation. */
    enum Outer {
        REMEMBER(Chain::remember),
        STAGE((chain, key, body) -> chain.stage(key, body).toCompletableFuture().join()),
        MONO((chain, key, body) -> chain.mono(key, body).block()),
        RELEASE(Chain::release),
        NO_EFFECT_FOR(Chain::noEffectFor),
        SAYS_NO_EFFECT(Chain::saysNoEffect),
        FINAL_FOR(Chain::finalFor),
        UNKNOWN_FOR(Chain::unknownFor),
        TAKE_OVER(Chain::takeOver);

        private interface Method {
            String call(Chain chain, String key, Supplier<String> body);
        }

        private final Method method;

        Outer(Method method) {
            this.method = method;
        }
    }

    @Inject
    Chain chain;

    private final String key = UUID.randomUUID().toString();

    static Stream<Arguments> combinations() {
        return Arrays.stream(Outer.values())
                .flatMap(outer -> Arrays.stream(Refusal.values()).map(inner -> Arguments.of(outer, inner)));
    }

    private IdempotencyException told(Outer outer, Supplier<String> body) {
        Throwable thrown = catchThrowable(() -> outer.method.call(chain, key, body));
        Throwable own = thrown instanceof CompletionException ? thrown.getCause() : thrown;
        assertThat(own).isInstanceOf(IdempotencyException.class);
        return (IdempotencyException) own;
    }

    private static Supplier<String> refused(Refusal inner) {
        return () -> {
            throw inner.exception("inner", HASH, "refused", null);
        };
    }

    /** Whoever may come again finds his key free, and only he. */
    @ParameterizedTest
    @MethodSource("combinations")
    void theAnswerAgreesWithTheRecord(Outer outer, Refusal inner) {
        IdempotencyException told = told(outer, refused(inner));
        boolean free = outer == Outer.NO_EFFECT_FOR || outer == Outer.SAYS_NO_EFFECT;
        boolean decided = outer == Outer.RELEASE && inner != Refusal.OUTCOME_UNKNOWN;
        if (told.retry() == Retry.SAME_KEY || free || decided || outer == Outer.TAKE_OVER && isOpen(inner)) {
            assertThat(outer.method.call(chain, key, () -> "second")).isEqualTo("second");
        } else {
            assertThat(told(outer, () -> "second").retry()).isEqualTo(Retry.NEVER);
        }
        if (told.refusal() != inner) {
            assertThat(told.keyHash()).as("speaks of the caller's own key").isNotEqualTo(HASH);
            assertThat(told.getMessage()).contains("'inner'", inner.code());
        }
    }

    private static boolean isOpen(Refusal inner) {
        return inner == Refusal.OUTCOME_UNKNOWN || inner.retry() == Retry.SAME_KEY;
    }

    @Test
    void aBusyNestedOperationIsNotKnownUnlessTheBodySaysOtherwise() throws Exception {
        CompletableFuture<String> other = CompletableFuture.supplyAsync(() -> slow());
        chain.running.await();
        assertThat(told(Outer.REMEMBER, this::slow))
                .isInstanceOf(OutcomeUnknownException.class)
                .hasCauseInstanceOf(OperationInProgressException.class)
                .hasMessageContainingAll("'inner-slow'", "noEffectFor = OperationInProgressException.class", "WAIT");
        assertThat(told(Outer.REMEMBER, this::slow)).isInstanceOf(OutcomeUnknownException.class);
        assertThat(told(Outer.FINAL_FOR, this::slow)).isInstanceOf(PreviousAttemptFailedException.class);
        for (Outer freed : new Outer[] {Outer.RELEASE, Outer.NO_EFFECT_FOR, Outer.SAYS_NO_EFFECT}) {
            assertThat(told(freed, this::slow)).isInstanceOf(OperationInProgressException.class);
        }
        chain.over.countDown();
        assertThat(other.join()).isEqualTo("inner");
        assertThat(Outer.RELEASE.method.call(chain, key, this::slow)).isEqualTo("inner");
        assertThat(Outer.TAKE_OVER.method.call(chain, key, this::slow)).isEqualTo("inner");
    }

    private String slow() {
        try {
            return chain.slow(key);
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }
}
