package io.idempotency.runtime.intercept;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.idempotency.PreviousAttemptFailedException;
import io.micronaut.test.extensions.junit5.annotation.MicronautTest;
import jakarta.inject.Inject;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.BiFunction;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Retry, circuit breaker, cache and async stand around an operation: each of their attempts is a call with the same key. */
@MicronautTest
class OtherAdviceTest {

    @Inject
    AdvisedService service;

    private final String id = UUID.randomUUID().toString();

    @BeforeEach
    void reset() {
        service.bodies.set(0);
        service.behaviour = run -> "run " + run;
    }

    /** The ways in which a method may return. */
    enum Retried {
        SYNCHRONOUS(AdvisedService::retried),
        STAGE((service, id) -> service.retriedStage(id).toCompletableFuture().join()),
        MONO((service, id) -> service.retriedMono(id).block());

        private final BiFunction<AdvisedService, String, String> call;

        Retried(BiFunction<AdvisedService, String, String> call) {
            this.call = call;
        }

        String call(AdvisedService service, String id) {
            try {
                return call.apply(service, id);
            } catch (CompletionException e) {
                throw (RuntimeException) e.getCause();
            }
        }
    }

    @ParameterizedTest
    @EnumSource
    void aRetryAfterADeclaredNoEffectRunsTheBodyAgain(Retried way) {
        service.behaviour = run -> {
            if (run < 3) {
                throw new AdvisedService.NotSent();
            }
            return "run " + run;
        };
        assertThat(way.call(service, id)).isEqualTo("run 3");
        assertThat(way.call(service, id)).isEqualTo("run 3");
        assertThat(service.bodies).hasValue(3);
    }

    @ParameterizedTest
    @EnumSource
    void aRetryAfterAnyOtherExceptionIsRefusedAndNeverRunsTheBodyAgain(Retried way) {
        service.behaviour = run -> {
            throw new IllegalStateException("sold out in run " + run);
        };
        assertThatThrownBy(() -> way.call(service, id))
                .isInstanceOf(PreviousAttemptFailedException.class)
                .hasMessageContaining("IllegalStateException");
        assertThat(service.bodies).hasValue(1);
    }

    @Test
    void aRetryIsTheSameCallWhateverTheBodyDidToItsArguments() {
        service.behaviour = run -> {
            throw new IllegalStateException("run " + run);
        };
        assertThatThrownBy(() -> service.mutates(new OrderService.Mutable(id)))
                .isInstanceOf(PreviousAttemptFailedException.class);
        assertThatThrownBy(() -> service.mutates(new OrderService.Mutable(id)))
                .isInstanceOf(PreviousAttemptFailedException.class);
        assertThat(service.bodies).hasValue(1);
    }

    @Test
    void refusalsDoNotOpenACircuitThatExcludesThem() {
        assertThat(service.circuit(id)).isEqualTo("run 1");
        service.behaviour = run -> {
            throw new IllegalStateException("broken");
        };
        assertThatThrownBy(() -> service.circuit(id + "2")).isInstanceOf(PreviousAttemptFailedException.class);
        assertThat(service.circuit(id)).isEqualTo("run 1");
        assertThat(service.bodies).hasValue(2);
    }

    @Test
    void aCacheInFrontAnswersWithWhatWasRecorded() {
        assertThat(service.cached(id)).isEqualTo("run 1");
        assertThat(service.cached(id)).isEqualTo("run 1");
        service.behaviour = run -> {
            throw new IllegalStateException("broken");
        };
        assertThatThrownBy(() -> service.cached(id + "2")).isInstanceOf(IllegalStateException.class);
        assertThatThrownBy(() -> service.cached(id + "2")).isInstanceOf(PreviousAttemptFailedException.class);
        assertThat(service.bodies).hasValue(2);
    }

    @Test
    void anAsyncMethodIsRecordedWhenItsBodyIsOver() {
        assertThat(service.async(id).join()).isEqualTo("run 1");
        assertThat(service.async(id).join()).isEqualTo("run 1");

        List<String> seen = new CopyOnWriteArrayList<>();
        service.asyncWithoutResult(id, seen);
        await().until(() -> seen.size() == 1);
        service.asyncWithoutResult(id, seen);
        assertThat(service.async(id).join()).isEqualTo("run 1");
        assertThat(seen).containsExactly("run 2");
    }
}
