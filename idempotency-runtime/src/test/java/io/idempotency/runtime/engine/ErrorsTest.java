package io.idempotency.runtime.engine;

import static io.idempotency.runtime.engine.Engine.refusal;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.idempotency.IdempotencyException.Executed;
import io.idempotency.IdempotencyException.Retry;
import io.idempotency.OnAbandoned;
import io.idempotency.OnFailure;
import io.idempotency.OutcomeUnknownException;
import io.idempotency.PreviousAttemptFailedException;
import io.idempotency.ResultUnavailableException;
import io.idempotency.WhenInProgress;
import io.idempotency.runtime.Effect;
import io.idempotency.runtime.FailureClassifier;
import io.idempotency.runtime.Outcome;
import io.idempotency.runtime.Outcome.Recorded;
import io.idempotency.runtime.ResultCodec;
import io.idempotency.runtime.call.NewKeyAdmission;
import io.idempotency.runtime.store.RecordState;
import io.idempotency.test.FaultyStore.Call;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

/** Whatever is thrown, and wherever: a claim whose body did something is never forgotten. */
class ErrorsTest {

    private final Engine engine = new Engine();

    static Stream<Throwable> whatEndsABodyFromOutside() {
        return Stream.of(
                new OutOfMemoryError("made by a test"),
                new StackOverflowError(),
                new NoClassDefFoundError("com/example/Missing"),
                new ExceptionInInitializerError(),
                new AssertionError(),
                new InterruptedException(),
                new IllegalStateException(new InterruptedException()));
    }

    /** A codec that throws an error, or the exception, while it encodes or decodes. */
    private record BrokenCodec(Throwable failure) implements ResultCodec {
        @Override
        public byte[] encode(@Nullable Object value) {
            throw BrokenCodec.<RuntimeException>asIs(failure);
        }

        @Override
        public Object decode(byte[] bytes) {
            throw BrokenCodec.<RuntimeException>asIs(failure);
        }

        @SuppressWarnings("unchecked")
        private static <E extends Throwable> RuntimeException asIs(Throwable failure) throws E {
            throw (E) failure;
        }
    }

    @ParameterizedTest
    @MethodSource("whatEndsABodyFromOutside")
    void whatEndsABodyFromOutsideLeavesItsOutcomeUnknown(Throwable thrown) {
        engine.onFailure = OnFailure.RELEASE;
        assertThat(engine.call("sync", context -> {
                    throw thrown;
                }))
                .isEqualTo(new Outcome.Threw(thrown, Effect.UNKNOWN, Recorded.YES));
        assertThat(engine.callAsync("async", context -> CompletableFuture.failedFuture(thrown))
                        .toCompletableFuture()
                        .join())
                .isEqualTo(new Outcome.Threw(thrown, Effect.UNKNOWN, Recorded.YES));
        for (String key : new String[] {"sync", "async"}) {
            OutcomeUnknownException refused =
                    refusal(engine.call(key, context -> "second"), OutcomeUnknownException.class);
            assertThat(refused.executed()).isEqualTo(Executed.UNKNOWN);
            assertThat(refused.retry()).isEqualTo(Retry.NEVER);
            assertThat(refused.code()).isEqualTo("outcome-unknown");
        }
        assertThat(engine.bodies).hasValue(2);
        engine.nothingIsLeft();
    }

    /** Whatever surrounds the engine may fail, and the store has not been asked yet. */
    @ParameterizedTest
    @EnumSource
    void anErrorBeforeTheClaimLeavesNothingTaken(WhenInProgress whenInProgress) {
        engine.whenInProgress = whenInProgress;
        engine.admission = new NewKeyAdmission() {
            @Override
            public Optional<Closed> closed() {
                throw new OutOfMemoryError("made by a test");
            }

            @Override
            public void granted() {
                // is never called
            }
        };
        assertThatExceptionOfType(OutOfMemoryError.class).isThrownBy(() -> engine.call("k", context -> "never"));
        assertThat(engine.executor.running()).isZero();
        assertThat(engine.callAsync("k", context -> CompletableFuture.completedFuture("never")))
                .failsWithin(Duration.ZERO)
                .withThrowableThat()
                .withCauseInstanceOf(OutOfMemoryError.class);
        assertThat(engine.executor.running()).isZero();
        engine.admission = NewKeyAdmission.UNLIMITED;
        assertThat(engine.call("k", context -> "first")).isEqualTo(new Outcome.Executed("first", Recorded.YES));
        engine.nothingIsLeft();
    }

    static Stream<Throwable> whatACodecThrows() {
        return Stream.of(
                new ClassCastException("another type than declared"),
                new StackOverflowError(),
                new OutOfMemoryError("made by a test"),
                new NoClassDefFoundError("com/example/Missing"),
                new AssertionError());
    }

    @ParameterizedTest
    @MethodSource("whatACodecThrows")
    void whatHappensWhileAResultIsEncodedOrDecodedNeverFreesTheKey(Throwable thrown) {
        engine.codec = new BrokenCodec(thrown);
        assertThat(engine.call("k", context -> "first")).isEqualTo(new Outcome.Executed("first", Recorded.YES));
        ResultUnavailableException refused =
                refusal(engine.call("k", context -> "second"), ResultUnavailableException.class);
        assertThat(refused.executed()).isEqualTo(Executed.YES);
        assertThat(refused.retry()).isEqualTo(Retry.NEVER);
        assertThat(refused.code()).isEqualTo("result-unavailable");

        engine.codec = new Engine.TextCodec();
        engine.call("readable", context -> "first");
        engine.codec = new BrokenCodec(thrown);
        assertThat(refusal(engine.call("readable", context -> "second"), ResultUnavailableException.class))
                .hasCause(thrown);
        assertThat(engine.bodies).hasValue(2);
    }

    @Test
    void aThreadThatWasInterruptedMeanwhileStillRecordsAndStaysInterrupted() {
        Outcome outcome = engine.call("k", context -> {
            Thread.currentThread().interrupt();
            return "first";
        });
        assertThat(Thread.interrupted()).isTrue();
        assertThat(outcome).isEqualTo(new Outcome.Executed("first", Recorded.YES));
        assertThat(engine.call("k", context -> "second")).isEqualTo(new Outcome.Replayed("first"));
    }

    @Test
    void aReconcilerThatEndsWithAnErrorLeavesTheOutcomeUnknown() {
        engine.onAbandoned = OnAbandoned.RECONCILE;
        engine.reconciler = context -> {
            throw new NoClassDefFoundError("com/example/Missing");
        };
        engine.store.refuse(Call.RENEW);
        engine.callAsync("k", context -> new CompletableFuture<>());
        engine.time.pass(Engine.LEASE.plusMillis(1));
        OutcomeUnknownException refused = refusal(engine.call("k", context -> "second"), OutcomeUnknownException.class);
        assertThat(refused).hasCauseInstanceOf(NoClassDefFoundError.class);
        assertThat(engine.record("k").orElseThrow().state()).isEqualTo(RecordState.IN_DOUBT);
        assertThat(engine.bodies).hasValue(1);
    }

    @Test
    void aClassifierThatThrowsKeepsNothingFromBeingRecorded() {
        FailureClassifier broken = new FailureClassifier() {
            @Override
            public Optional<Effect> effect(Throwable failure) {
                return failure instanceof IllegalStateException ? Optional.of(Effect.FINAL) : Optional.empty();
            }

            @Override
            public Optional<String> code(Throwable failure) {
                throw new NoClassDefFoundError("com/example/Missing");
            }
        };
        engine.classifier = broken;
        engine.call("k", context -> {
            throw new IllegalStateException("limit exceeded");
        });
        PreviousAttemptFailedException refused =
                refusal(engine.call("k", context -> "second"), PreviousAttemptFailedException.class);
        assertThat(refused.failureType()).isEqualTo("java.lang.IllegalStateException");
        assertThat(refused.failureCode()).isNull();
    }
}
