package io.idempotency.runtime.engine;

import static io.idempotency.runtime.engine.Engine.refusal;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import io.idempotency.IdempotencyException;
import io.idempotency.IdempotencyException.Executed;
import io.idempotency.IdempotencyException.Retry;
import io.idempotency.IdempotencyKeyReusedException;
import io.idempotency.IdempotencyStoreUnavailableException;
import io.idempotency.OnAbandoned;
import io.idempotency.OnFailure;
import io.idempotency.OperationInProgressException;
import io.idempotency.OutcomeUnknownException;
import io.idempotency.PreviousAttemptFailedException;
import io.idempotency.Refusal;
import io.idempotency.ResultUnavailableException;
import io.idempotency.runtime.Effect;
import io.idempotency.runtime.Outcome;
import io.idempotency.runtime.Outcome.Recorded;
import io.idempotency.runtime.OutcomeListener;
import io.idempotency.runtime.ResultCodec;
import io.idempotency.runtime.UnfaithfulResultException;
import io.idempotency.runtime.UnkeptResultException;
import io.idempotency.runtime.answer.ResultEncoder;
import io.idempotency.runtime.call.CallFingerprint;
import io.idempotency.runtime.call.Invocation;
import io.idempotency.runtime.store.RecordState;
import io.idempotency.test.logs.LogLines;
import java.io.IOException;
import java.lang.reflect.Proxy;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** What one call comes to, and what the next one is told. */
class OutcomesTest {

    private final Engine engine = new Engine();

    @Test
    void theSecondCallOfAKeyGetsTheFirstOnesResultWithoutRunningTheBody() {
        assertThat(engine.call("k", context -> "first")).isEqualTo(new Outcome.Executed("first", Recorded.YES));
        assertThat(engine.call("k", context -> "second")).isEqualTo(new Outcome.Replayed("first"));
        assertThat(engine.bodies).hasValue(1);
    }

    @Test
    void aStageOfAnotherLibraryNeedNotBeOneThatCanBeConverted() {
        CompletionStage<?> foreign = unconvertible(CompletableFuture.completedFuture("first"));
        assertThat(engine.callAsync("k", context -> foreign).toCompletableFuture())
                .isCompletedWithValue(new Outcome.Executed("first", Recorded.YES));
    }

    /** {@code CompletionStage} permits that {@code toCompletableFuture} throws. */
    private static CompletionStage<?> unconvertible(CompletionStage<?> stage) {
        Class<?>[] types = {CompletionStage.class};
        return (CompletionStage<?>) Proxy.newProxyInstance(
                OutcomesTest.class.getClassLoader(), types, (proxy, method, arguments) -> {
                    if (method.getName().equals("toCompletableFuture")) {
                        throw new UnsupportedOperationException();
                    }
                    Object result = method.invoke(stage, arguments);
                    return result instanceof CompletionStage<?> next ? unconvertible(next) : result;
                });
    }

    @Test
    void otherKeysRunTheirOwnBodies() {
        engine.call("k1", context -> "one");
        assertThat(engine.call("k2", context -> "two")).isEqualTo(new Outcome.Executed("two", Recorded.YES));
    }

    @Test
    void nullIsAResultThatIsReplayed() {
        engine.call("k", context -> null);
        assertThat(engine.call("k", context -> "second")).isEqualTo(new Outcome.Replayed(null));
    }

    @Test
    void aKeyRunsAgainOnlyAfterItsRetention() {
        engine.call("k", context -> "first");
        engine.time.pass(Engine.RETENTION.minusMillis(1));
        assertThat(engine.call("k", context -> "second")).isEqualTo(new Outcome.Replayed("first"));
        engine.time.pass(java.time.Duration.ofMillis(1));
        assertThat(engine.call("k", context -> "second")).isEqualTo(new Outcome.Executed("second", Recorded.YES));
    }

    @Test
    void anExceptionOfTheBodyIsFinalAndTheBodyIsNotRunAgain() {
        IllegalStateException thrown = new IllegalStateException("limit exceeded");
        assertThat(engine.call("k", context -> {
                    throw thrown;
                }))
                .isEqualTo(new Outcome.Threw(thrown, Effect.FINAL, Recorded.YES));

        PreviousAttemptFailedException refused =
                refusal(engine.call("k", context -> "second"), PreviousAttemptFailedException.class);
        assertThat(refused.failureType()).isEqualTo("java.lang.IllegalStateException");
        assertThat(refused.failureMessage()).isNull();
        assertThat(refused).hasMessageNotContaining("limit exceeded");
        assertThat(refused.executed()).isEqualTo(Executed.YES);
        assertThat(engine.bodies).hasValue(1);
    }

    @Test
    void anExceptionDeclaredAsNoEffectGivesTheKeyBack() {
        engine.declaredEffects = Map.of(IllegalArgumentException.class, Effect.NONE);
        engine.call("k", context -> {
            throw new NumberFormatException("a subclass");
        });
        assertThat(engine.record("k")).isEmpty();
        assertThat(engine.call("k", context -> "second")).isEqualTo(new Outcome.Executed("second", Recorded.YES));
    }

    @Test
    void aBodyCanDeclareItselfThatItHadNoEffect() {
        engine.call("k", context -> {
            context.noEffect();
            throw new IllegalStateException("nothing was sent");
        });
        assertThat(engine.record("k")).isEmpty();
        Outcome outcome = engine.call("k", context -> {
            context.noEffect();
            return "nothing to do";
        });
        assertThat(outcome).isEqualTo(new Outcome.Executed("nothing to do", Recorded.RELEASED));
        assertThat(engine.record("k")).isEmpty();
    }

    @Test
    void onFailureReleaseGivesTheKeyBack() {
        engine.onFailure = OnFailure.RELEASE;
        engine.call("k", context -> {
            throw new IllegalStateException();
        });
        assertThat(engine.call("k", context -> "second")).isEqualTo(new Outcome.Executed("second", Recorded.YES));
    }

    @Test
    void aBodyThatWasCutOffLeavesTheOutcomeUnknownEvenWithOnFailureRelease() {
        engine.onFailure = OnFailure.RELEASE;
        for (Throwable cutOff : List.of(
                new TimeoutException(),
                new IOException("connection reset"),
                new InterruptedException(),
                new StackOverflowError(),
                new SQLException("An I/O error occurred while sending to the backend.", "08006"),
                new SQLException("terminating connection due to administrator command", "57P01"),
                new SQLException("canceling statement due to user request", "57014"),
                new IllegalStateException("wrapped", new IOException("connection reset")))) {
            String key = cutOff.toString();
            Outcome outcome = engine.call(key, context -> {
                throw cutOff;
            });
            assertThat(outcome).isEqualTo(new Outcome.Threw(cutOff, Effect.UNKNOWN, Recorded.YES));

            OutcomeUnknownException refused =
                    refusal(engine.call(key, context -> "second"), OutcomeUnknownException.class);
            assertThat(refused.executed()).isEqualTo(Executed.UNKNOWN);
            assertThat(refused.retry()).isEqualTo(Retry.NEVER);
            assertThat(refused).hasMessageContaining(cutOff.getClass().getName());
        }
        assertThat(engine.bodies).hasValue(8);
    }

    @Test
    void anExceptionThatCannotEvenBeReadLeavesNoClaimBehindThatIsRenewedForEver() {
        RuntimeException unreadable = new RuntimeException() {
            @Override
            public String getMessage() {
                throw new IllegalStateException("the message is gone");
            }

            @Override
            public synchronized Throwable getCause() {
                throw new IllegalStateException("the cause is gone");
            }
        };
        assertThat(engine.call("k", context -> {
                    throw unreadable;
                }))
                .isEqualTo(new Outcome.Threw(unreadable, Effect.UNKNOWN, Recorded.YES));
        refusal(engine.call("k", context -> "second"), OutcomeUnknownException.class);
        engine.nothingIsLeft();
        assertThat(engine.bodies).hasValue(1);
    }

    @Test
    void aBodyThatReturnsNoStageAtAllHasFailed() {
        Outcome outcome =
                engine.callAsync("k", context -> null).toCompletableFuture().join();
        assertThat(outcome).isInstanceOf(Outcome.Threw.class);
        refusal(engine.call("k", context -> "second"), PreviousAttemptFailedException.class);
        engine.nothingIsLeft();
    }

    @Test
    void otherArgumentsAreRefusedInEveryState() {
        engine.call("completed", context -> "first");
        engine.call("failed", context -> {
            throw new IllegalStateException();
        });
        engine.call("in doubt", context -> {
            throw new TimeoutException();
        });
        engine.call("in progress", context -> {
            refusal(engine.call("in progress", "others", inner -> "second"), IdempotencyKeyReusedException.class);
            return "first";
        });
        for (String key : List.of("completed", "failed", "in doubt", "in progress")) {
            IdempotencyKeyReusedException refused =
                    refusal(engine.call(key, "others", context -> "second"), IdempotencyKeyReusedException.class);
            assertThat(refused.executed()).isEqualTo(Executed.NO);
        }
        assertThat(engine.bodies).hasValue(4);
    }

    @Test
    void aKeyOfAnotherOperationInTheSameNamespaceIsRefused() {
        engine.call("k", context -> "first");
        Invocation other = new Invocation(
                engine.operation("refund"),
                Engine.id("k"),
                CallFingerprint.only("1:arguments"),
                context -> CompletableFuture.completedFuture("second"),
                null);
        IdempotencyException refused = refusal(engine.executor.execute(other), Refusal.KEY_USED_ELSEWHERE);
        assertThat(refused).hasMessageContaining("'pay'").hasMessageContaining("'refund'");
    }

    @Test
    void aDuplicateWhileTheBodyRunsIsToldSoRatherThanGivenNull() {
        engine.call("k", context -> {
            OperationInProgressException refused =
                    refusal(engine.call("k", inner -> "second"), OperationInProgressException.class);
            assertThat(refused.retryAfter()).isPositive();
            assertThat(refused.executed()).isEqualTo(Executed.UNKNOWN);
            return "first";
        });
        assertThat(engine.bodies).hasValue(1);
    }

    @Test
    void aResultThatIsTooLargeIsGivenToTheFirstCallerAndTheKeyStaysSpent() {
        engine.maxResultSize = 3;
        assertThat(engine.call("k", context -> "large")).isEqualTo(new Outcome.Executed("large", Recorded.YES));
        ResultUnavailableException refused =
                refusal(engine.call("k", context -> "second"), ResultUnavailableException.class);
        assertThat(refused.executed()).isEqualTo(Executed.YES);
        assertThat(refused).hasMessageContaining("5 bytes").hasMessageContaining("idempotency.max-result-size");
        assertThat(engine.bodies).hasValue(1);
    }

    @Test
    void aResultThatCannotBeEncodedIsGivenToTheFirstCallerAndTheKeyStaysSpent() {
        assertThat(engine.call("k", context -> 42)).isEqualTo(new Outcome.Executed(42, Recorded.YES));
        refusal(engine.call("k", context -> "second"), ResultUnavailableException.class);
        assertThat(engine.bodies).hasValue(1);
    }

    @Test
    void aResultThatCannotBeDecodedAnyMoreNeverRunsTheBodyAgain() {
        engine.call("k", context -> "first");
        engine.codec = new ResultCodec() {
            @Override
            public byte[] encode(Object value) {
                return new byte[0];
            }

            @Override
            public Object decode(byte[] bytes) throws IOException {
                throw new IOException("the type has changed");
            }
        };
        ResultUnavailableException refused =
                refusal(engine.call("k", context -> "second"), ResultUnavailableException.class);
        assertThat(refused).hasRootCauseMessage("the type has changed");
        assertThat(engine.bodies).hasValue(1);
    }

    @Test
    void theContextTellsTheBodyAboutItsClaim() {
        String[] derived = new String[2];
        engine.call("k", context -> {
            assertThat(context.operation()).isEqualTo("pay");
            assertThat(context.keyHash()).isEqualTo(Engine.id("k").value());
            assertThat(context.fence())
                    .isEqualTo(engine.record("k").orElseThrow().fence());
            assertThat(context.isProtected()).isTrue();
            assertThat(context.attempt()).isEqualTo(1);
            assertThat(context.remainingLease()).isEqualTo(Engine.LEASE);
            assertThat(context.leaseLost()).isFalse();
            derived[0] = context.deriveKey("psp");
            derived[1] = context.deriveKey("mail");
            return "done";
        });
        assertThat(derived[0]).matches("[0-9a-f]{64}").isNotEqualTo(derived[1]);
        assertThat(derived[0]).isEqualTo(Engine.id("k").derive("psp"));
        assertThat(engine.record("k").orElseThrow().state()).isEqualTo(RecordState.COMPLETED);
    }

    @Test
    void aResultThatItsCodecRefusesToKeepIsLeftOutWithTheReason() {
        boolean[] first = {true};
        engine.codec = new ResultCodec() {
            @Override
            public byte[] encode(@Nullable Object value) throws IOException {
                if ("unfaithful".equals(value)) {
                    boolean report = first[0];
                    first[0] = false;
                    throw new UnfaithfulResultException("'total' would be lost", report, null);
                }
                throw new UnkeptResultException("it is a stream");
            }

            @Override
            public @Nullable Object decode(byte[] bytes) {
                return null;
            }
        };
        assertThat(LogLines.during(ResultEncoder.class, () -> engine.call("k1", context -> "unfaithful")))
                .hasSize(1);
        assertThat(LogLines.during(ResultEncoder.class, () -> engine.call("k2", context -> "unfaithful")))
                .as("it is the code that has to be mended, not the call")
                .isEmpty();
        engine.call("k3", context -> "unkept");
        assertThat(refusal(engine.call("k2", context -> "again"), ResultUnavailableException.class))
                .hasMessageContaining("'total' would be lost");
        assertThat(refusal(engine.call("k3", context -> "again"), ResultUnavailableException.class))
                .hasMessageContaining("it is a stream");
        assertThat(engine.bodies).hasValue(3);
    }

    @Test
    void argumentsAreKeptOnlyForAReconciler() {
        engine.storeArguments = true;
        assertThat(engine.operation("pay").keepsArguments()).isFalse();
        engine.onAbandoned = OnAbandoned.RECONCILE;
        assertThat(engine.operation("pay").keepsArguments()).isTrue();
        engine.storeArguments = false;
        assertThat(engine.operation("pay").keepsArguments()).isFalse();
    }

    @Test
    void listenersAreToldOfACallAndHowLongItTook() {
        List<OutcomeListener.Call> told = new ArrayList<>();
        OutcomeListener listener = new OutcomeListener() {
            @Override
            public void onOutcome(Call call, Outcome outcome) {
                told.add(call);
            }
        };
        long begun = System.nanoTime();
        Invocation call = engine.invocation("k", "arguments", context -> CompletableFuture.completedFuture("first"));
        Listeners.tell(call, begun, engine.executor.execute(call), List.of(listener));
        Duration atMost = Duration.ofNanos(System.nanoTime() - begun);
        assertThat(told).singleElement().satisfies(heard -> {
            assertThat(heard.id()).isEqualTo(Engine.id("k"));
            assertThat(heard.took()).isPositive().isLessThanOrEqualTo(atMost);
        });
    }

    /** Both would pass for one call downstream. */
    @Test
    void twoCallsOfOneNameWithOtherArgumentsHaveNoDerivedKeyInCommon() {
        Outcome outcome = engine.call("k", context -> {
            String first = context.deriveKey("psp", List.of("10 EUR"));
            assertThat(first).isEqualTo(Engine.id("k").derive("psp"));
            assertThat(context.deriveKey("psp", List.of("10 EUR"))).isEqualTo(first);
            assertThatIllegalStateException()
                    .isThrownBy(() -> context.deriveKey("psp", List.of("20 EUR")))
                    .withMessageContaining("'psp'");
            return "done";
        });
        assertThat(outcome).isEqualTo(new Outcome.Executed("done", Recorded.YES));
    }

    @Test
    void aRecordWhoseFingerprintThisNodeCannotMakeIsNotTakenForOtherArguments() {
        engine.call("k", context -> "first");
        Invocation newer = new Invocation(
                engine.operation("pay"),
                Engine.id("k"),
                CallFingerprint.only("2:arguments"),
                context -> CompletableFuture.completedFuture("never"),
                null);
        assertThat(refusal(engine.executor.execute(newer), IdempotencyStoreUnavailableException.class))
                .hasMessageContaining("'1:'");
    }

    @Test
    void messagesNameTheOperationAndTheHashButNeverTheKey() {
        engine.call("secret-key", context -> "first");
        assertThat(refusal(
                        engine.call("secret-key", "others", context -> "second"), IdempotencyKeyReusedException.class))
                .hasMessageContaining("'pay'")
                .hasMessageContaining(Engine.id("secret-key").value().substring(0, 8))
                .hasMessageNotContaining(Engine.id("secret-key").value())
                .hasMessageNotContaining("secret-key");
    }
}
