package io.idempotency.runtime.engine;

import static io.idempotency.runtime.engine.Engine.refusal;
import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.spi.ILoggingEvent;
import io.idempotency.IdempotencyStoreUnavailableException;
import io.idempotency.OnFailure;
import io.idempotency.OnStoreFailure;
import io.idempotency.OutcomeUnknownException;
import io.idempotency.PreviousAttemptFailedException;
import io.idempotency.ResultUnavailableException;
import io.idempotency.WhenInProgress;
import io.idempotency.runtime.Effect;
import io.idempotency.runtime.Outcome;
import io.idempotency.runtime.Outcome.Recorded;
import io.idempotency.runtime.store.IdempotencyStore.ClaimsRefusedException;
import io.idempotency.runtime.store.RecordState;
import io.idempotency.runtime.store.ResultRejectedException;
import io.idempotency.runtime.store.UnreadableRecordException;
import io.idempotency.test.FaultyStore.Call;
import io.idempotency.test.logs.LogLines;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** {@code onStoreFailure = PROCEED}: a body that runs although the store cannot be reached. */
class ProceedingTest {

    private static final Outcome UNPROTECTED = new Outcome.Executed("first", Recorded.UNPROTECTED);

    private final Engine engine = new Engine();

    @BeforeEach
    void theOperationProceeds() {
        engine.onStoreFailure = OnStoreFailure.PROCEED;
    }

    private void theStoreComesBack() {
        engine.store.mend();
        engine.time.pass(Duration.ofMinutes(1));
    }

    @Test
    void theBodyRunsUnprotectedAndSoDoesARetry() {
        engine.store.refuse(Call.values());
        assertThat(engine.call("k", context -> "first")).isEqualTo(UNPROTECTED);
        assertThat(engine.call("k", context -> "first")).isEqualTo(UNPROTECTED);
        assertThat(engine.bodies).hasValue(2);
    }

    @Test
    void theResultIsRecordedOnceTheStoreIsBack() {
        engine.store.refuse(Call.values());
        engine.call("k", context -> "first");
        theStoreComesBack();
        assertThat(engine.call("k", context -> "second")).isEqualTo(new Outcome.Replayed("first"));
        assertThat(engine.bodies).hasValue(1);
    }

    /** The JDK closes the socket that an interrupted virtual thread reads from: the store is there. */
    @Test
    void anInterruptedClaimIsNoStoreThatIsAway() {
        engine.store.before(Call.CLAIM, () -> Thread.currentThread().interrupt());
        engine.store.refuse(Call.CLAIM);
        Outcome told = engine.call("k", context -> "first");
        assertThat(Thread.interrupted()).isTrue();
        refusal(told, IdempotencyStoreUnavailableException.class);
        assertThat(engine.bodies).hasValue(0);
    }

    @Test
    void aClaimWhoseAnswerWasLostIsSettledByTheBodyThatRanWithoutIt() {
        engine.store.loseReply(Call.CLAIM);
        assertThat(engine.call("k", context -> {
                    assertThat(engine.record("k").orElseThrow().state()).isEqualTo(RecordState.IN_PROGRESS);
                    return "first";
                }))
                .isEqualTo(UNPROTECTED);
        theStoreComesBack();
        assertThat(engine.call("k", context -> "second")).isEqualTo(new Outcome.Replayed("first"));
        assertThat(engine.bodies).hasValue(1);
    }

    @Test
    void aClaimWhoseAnswerWasLostIsNeverGivenBackWhileItsBodyRuns() {
        engine.store.loseReply(Call.CLAIM);
        CompletableFuture<Object> answer = new CompletableFuture<>();
        engine.callAsync("k", context -> answer);
        theStoreComesBack();
        refusal(engine.call("k", context -> "second"), OutcomeUnknownException.class);

        answer.complete("first");
        engine.time.pass(Duration.ofSeconds(1));
        assertThat(engine.call("k", context -> "second")).isEqualTo(new Outcome.Replayed("first"));
        assertThat(engine.bodies).hasValue(1);
    }

    @Test
    void anotherCallsClaimIsNeverOverwritten() {
        engine.store.refuse(Call.values());
        CompletableFuture<Object> answer = new CompletableFuture<>();
        CompletionStage<Outcome> unprotected = engine.callAsync("k", context -> answer);
        engine.store.mend();
        assertThat(engine.call("k", context -> "second")).isEqualTo(new Outcome.Executed("second", Recorded.YES));

        List<ILoggingEvent> lines = LogLines.during(BodyExecution.class, () -> {
            answer.complete("first");
            engine.time.pass(Duration.ofMinutes(1));
        });
        assertThat(unprotected.toCompletableFuture().join()).isEqualTo(UNPROTECTED);
        assertThat(engine.call("k", context -> "third")).isEqualTo(new Outcome.Replayed("second"));
        assertThat(lines)
                .singleElement()
                .satisfies(line -> assertThat(line.getFormattedMessage()).contains("probably run more than once"));
    }

    /** It is told again, and then finds its own record. */
    @Test
    void anOutcomeWhoseAnswerWasLostIsNotTakenForAnotherCalls() {
        engine.store.refuse(Call.values());
        engine.call("k", context -> "first");
        engine.store.mend();
        engine.store.loseReply(Call.COMPLETE);
        assertThat(LogLines.during(BodyExecution.class, () -> {
                    engine.time.pass(Duration.ofSeconds(1));
                    theStoreComesBack();
                }))
                .isEmpty();
        assertThat(engine.executor.backlog(engine.store)).isEqualTo(new IdempotencyEngine.Backlog(0, 0));
        assertThat(engine.call("k", context -> "second")).isEqualTo(new Outcome.Replayed("first"));
    }

    @Test
    void whatTheBodyThrewIsRecordedToo() {
        engine.store.refuse(Call.values());
        IllegalStateException limit = new IllegalStateException("limit exceeded");
        assertThat(engine.call("final", context -> {
                    throw limit;
                }))
                .isEqualTo(new Outcome.Threw(limit, Effect.FINAL, Recorded.UNPROTECTED));
        engine.call("unknown", context -> {
            throw new TimeoutException();
        });
        theStoreComesBack();
        refusal(engine.call("final", context -> "second"), PreviousAttemptFailedException.class);
        refusal(engine.call("unknown", context -> "second"), OutcomeUnknownException.class);
        assertThat(engine.bodies).hasValue(2);
    }

    @Test
    void aBodyWithoutEffectLeavesNothingBehind() {
        engine.onFailure = OnFailure.RELEASE;
        engine.store.loseReply(Call.CLAIM);
        engine.call("k", context -> {
            throw new IllegalStateException("nothing was sent");
        });
        theStoreComesBack();
        assertThat(engine.record("k")).isEmpty();
        assertThat(engine.call("k", context -> "second")).isEqualTo(new Outcome.Executed("second", Recorded.YES));
    }

    @Test
    void ofABodyWithoutEffectThatIsToldLateItIsNotSaidThatItDidNotRun() {
        engine.onFailure = OnFailure.RELEASE;
        engine.store.loseReply(Call.CLAIM);
        engine.call("k", context -> {
            engine.store.refuse(Call.values());
            throw new IllegalStateException("nothing was sent");
        });
        engine.time.pass(Engine.LEASE.multipliedBy(2));
        theStoreComesBack();
        assertThat(engine.record("k").orElseThrow().doubt())
                .contains("without effect")
                .doesNotContain("not run");
    }

    @Test
    void theBodyCanDeriveKeysAndSeesThatItHasNoClaim() {
        engine.store.refuse(Call.values());
        Outcome outcome = engine.call("k", context -> {
            assertThat(context.deriveKey("psp")).isEqualTo(Engine.id("k").derive("psp"));
            assertThat(context.isProtected()).isFalse();
            assertThat(context.fence()).isZero();
            assertThat(context.remainingLease()).isZero();
            assertThat(context.leaseLost()).isFalse();
            return "first";
        });
        assertThat(outcome).isEqualTo(UNPROTECTED);
    }

    private CompletionStage<Outcome> waiter() {
        return engine.callAsync("k", context -> CompletableFuture.completedFuture("second"));
    }

    @Test
    void aWaiterThatKnowsOfABodyOnAnotherNodeNeverRunsItsOwn() {
        engine.whenInProgress = WhenInProgress.WAIT;
        IdempotencyEngine elsewhere = engine.executorThatShutsDownWhen(() -> false);
        elsewhere.executeAsync(engine.invocation("k", "arguments", context -> new CompletableFuture<>()));
        CompletionStage<Outcome> one = waiter();
        CompletionStage<Outcome> two = waiter();
        engine.store.refuse(Call.values());
        engine.time.pass(Duration.ofSeconds(5));
        refusal(one.toCompletableFuture().join(), IdempotencyStoreUnavailableException.class);
        refusal(two.toCompletableFuture().join(), IdempotencyStoreUnavailableException.class);
        assertThat(engine.bodies).hasValue(0);
    }

    @Test
    void aWaiterThatKnowsOfABodyThatRanNeverRunsItsOwn() {
        engine.whenInProgress = WhenInProgress.WAIT;
        CompletableFuture<Object> answer = new CompletableFuture<>();
        engine.callAsync("k", context -> answer);
        CompletionStage<Outcome> waiter = waiter();
        engine.store.refuse(Call.values());
        answer.complete("first");
        engine.time.pass(Duration.ofSeconds(5));
        refusal(waiter.toCompletableFuture().join(), IdempotencyStoreUnavailableException.class);
        assertThat(engine.bodies).hasValue(1);
    }

    /** Both found the key free; the store granted it to one, and then went away. */
    @Test
    void aBodyThatBeganWhileTheStoreWasAskedIsNoLessKnownThanOneBefore() {
        AtomicInteger claims = new AtomicInteger();
        engine.store.before(Call.CLAIM, () -> {
            if (claims.incrementAndGet() == 1) {
                engine.callAsync("k", context -> new CompletableFuture<>());
                throw new IllegalStateException("made by a test: no answer in time");
            }
        });
        refusal(engine.call("k", context -> "second"), IdempotencyStoreUnavailableException.class);
        assertThat(claims).hasValue(2);
        assertThat(engine.bodies).hasValue(1);
    }

    @Test
    void thoseWhoWaitOnThisNodeAreToldWhatTheUnprotectedBodyCameTo() {
        engine.whenInProgress = WhenInProgress.WAIT;
        engine.store.refuse(Call.values());
        CompletableFuture<Object> answer = new CompletableFuture<>();
        engine.callAsync("k", context -> answer);
        CompletionStage<Outcome> waiter = waiter();
        answer.complete("first");
        assertThat(waiter.toCompletableFuture().join()).isEqualTo(new Outcome.Replayed("first"));
        assertThat(engine.bodies).hasValue(1);
    }

    @Test
    void thoseWhoWaitOnThisNodeAreToldHowTheUnprotectedBodyFailed() {
        engine.whenInProgress = WhenInProgress.WAIT;
        engine.store.refuse(Call.values());
        CompletableFuture<Object> declined = new CompletableFuture<>();
        engine.callAsync("k", context -> declined);
        CompletionStage<Outcome> waiter = waiter();
        declined.completeExceptionally(new IllegalStateException("declined"));
        assertThat(refusal(waiter.toCompletableFuture().join(), PreviousAttemptFailedException.class)
                        .failureType())
                .isEqualTo(IllegalStateException.class.getName());

        CompletableFuture<Object> cutOff = new CompletableFuture<>();
        engine.callAsync("k", context -> cutOff);
        waiter = waiter();
        cutOff.completeExceptionally(new TimeoutException("no answer"));
        assertThat(refusal(waiter.toCompletableFuture().join(), OutcomeUnknownException.class))
                .hasMessageContaining(TimeoutException.class.getName());
        assertThat(engine.bodies).hasValue(2);
    }

    /** What its owner did without the store they do not do again. */
    @Test
    void thoseWhoWaitForAnUnprotectedBodyWithoutEffectAreLetGo() {
        engine.whenInProgress = WhenInProgress.WAIT;
        engine.onFailure = OnFailure.RELEASE;
        engine.store.refuse(Call.values());
        CompletableFuture<Object> answer = new CompletableFuture<>();
        engine.callAsync("k", context -> answer);
        CompletionStage<Outcome> waiter = waiter();
        answer.completeExceptionally(new IllegalStateException("nothing was sent"));
        refusal(waiter.toCompletableFuture().join(), IdempotencyStoreUnavailableException.class);
        assertThat(engine.bodies).hasValue(1);
    }

    @Test
    void whatAStoreHasStillToBeToldIsCountedWithItsResult() {
        engine.store.refuse(Call.values());
        engine.call("k", context -> "first");
        assertThat(engine.executor.backlog(engine.store)).isEqualTo(new IdempotencyEngine.Backlog(1, "first".length()));
        theStoreComesBack();
        assertThat(engine.executor.backlog(engine.store)).isEqualTo(new IdempotencyEngine.Backlog(0, 0));
    }

    @Test
    void aResultThatTheStoreCanNeverHoldIsLeftOut() {
        engine.store.refuse(Call.values());
        engine.call("k", context -> "first");
        engine.store.mend();
        engine.store.before(Call.COMPLETE, () -> {
            engine.store.before(Call.COMPLETE, () -> {});
            throw new ResultRejectedException("5 bytes do not fit");
        });
        engine.time.pass(Duration.ofMinutes(1));
        assertThat(refusal(engine.call("k", context -> "second"), ResultUnavailableException.class))
                .hasMessageContaining("5 bytes do not fit");
        engine.nothingIsLeft();
    }

    @Test
    void aRecordThatCannotBeUnderstoodIsNotAStoreThatCannotBeReached() {
        engine.store.before(Call.CLAIM, () -> {
            throw new UnreadableRecordException(Engine.id("k"), "written by a newer version");
        });
        refusal(engine.call("k", context -> "first"), OutcomeUnknownException.class);
        assertThat(engine.bodies).hasValue(0);
    }

    @Test
    void aStoreThatAnswersThatItTakesNoClaimsIsNotAway() {
        engine.store.before(Call.CLAIM, () -> {
            throw new ClaimsRefusedException("less durable than required", null);
        });
        assertThat(refusal(engine.call("k", context -> "first"), IdempotencyStoreUnavailableException.class))
                .hasStackTraceContaining("less durable than required");
        assertThat(engine.bodies).hasValue(0);
    }

    @Test
    void aClaimThatWasGrantedTooLateIsNotOverridden() {
        engine.store.before(Call.CLAIM, () -> engine.time.pass(Engine.LEASE));
        refusal(engine.call("k", context -> "first"), IdempotencyStoreUnavailableException.class);
        assertThat(engine.bodies).hasValue(0);
    }
}
