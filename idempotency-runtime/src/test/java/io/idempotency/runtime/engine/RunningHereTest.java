package io.idempotency.runtime.engine;

import static io.idempotency.runtime.engine.Engine.refusal;
import static org.assertj.core.api.Assertions.assertThat;

import io.idempotency.IdempotencyKeyReusedException;
import io.idempotency.IdempotencyStoreUnavailableException;
import io.idempotency.OnAbandoned;
import io.idempotency.OnStoreFailure;
import io.idempotency.OperationInProgressException;
import io.idempotency.OutcomeUnknownException;
import io.idempotency.Refusal;
import io.idempotency.WhenInProgress;
import io.idempotency.runtime.Outcome;
import io.idempotency.runtime.Outcome.Recorded;
import io.idempotency.runtime.call.CallFingerprint;
import io.idempotency.runtime.call.Invocation;
import io.idempotency.runtime.memory.MemoryIdempotencyStore;
import io.idempotency.test.FaultyStore.Call;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Duplicates of a call that runs on this JVM are refused without the store, for as long as the store could say nothing else. */
class RunningHereTest {

    private static final int DUPLICATES = 1000;

    private final Engine engine = new Engine();
    private final CompletableFuture<Object> answer = new CompletableFuture<>();
    private CompletableFuture<Outcome> owner = new CompletableFuture<>();

    @BeforeEach
    void aCallRuns() {
        owner = engine.callAsync("k", context -> answer).toCompletableFuture();
    }

    private void ownerWith(OnAbandoned onAbandoned) {
        engine.onAbandoned = onAbandoned;
        owner = engine.callAsync("k of " + onAbandoned, context -> answer).toCompletableFuture();
    }

    private Outcome duplicate() {
        return engine.call("k", context -> "second");
    }

    @Test
    void aThousandDuplicatesCostTheStoreNothing() {
        for (int i = 0; i < DUPLICATES; i++) {
            OperationInProgressException refused = refusal(duplicate(), OperationInProgressException.class);
            assertThat(refused.retryAfter()).isEqualTo(Duration.ofSeconds(5));
            assertThat(refused).hasMessageContaining("is running in this application (attempt 1)");
        }
        assertThat(engine.claims).hasValue(1);
        answer.complete("first");
        assertThat(owner).isCompletedWithValue(new Outcome.Executed("first", Recorded.YES));
        assertThat(duplicate()).isEqualTo(new Outcome.Replayed("first"));
        assertThat(engine.bodies).hasValue(1);
    }

    @Test
    void otherArgumentsAndOtherOperationsAreRefusedAsTheStoreWouldRefuseThem() {
        refusal(engine.call("k", "others", context -> "second"), IdempotencyKeyReusedException.class);
        Invocation elsewhere = new Invocation(
                engine.operation("refund"),
                Engine.id("k"),
                CallFingerprint.only("1:arguments"),
                context -> CompletableFuture.completedFuture("second"),
                null);
        refusal(engine.executor.execute(elsewhere), Refusal.KEY_USED_ELSEWHERE);
        assertThat(engine.claims).hasValue(1);
    }

    /** A record of the same id in another store is another record. */
    @Test
    void anotherStoreIsAskedAboutItsOwnRecord() {
        Invocation elsewhere = new Invocation(
                engine.operation("pay", new MemoryIdempotencyStore()),
                Engine.id("k"),
                CallFingerprint.only("1:arguments"),
                context -> CompletableFuture.completedFuture("elsewhere"),
                null);
        assertThat(engine.executor.execute(elsewhere)).isEqualTo(new Outcome.Executed("elsewhere", Recorded.YES));
        assertThat(duplicate()).isInstanceOf(Outcome.Refused.class);
        answer.complete("first");
        assertThat(owner).isCompletedWithValue(new Outcome.Executed("first", Recorded.YES));
        assertThat(duplicate()).isEqualTo(new Outcome.Replayed("first"));
    }

    @Test
    void otherKeysAndOtherNodesAskTheStore() {
        engine.call("another", context -> "first");
        refusal(engine.onAnotherNode().call("k", context -> "second"), OperationInProgressException.class);
        assertThat(engine.claims).hasValue(2);
    }

    /** The store may know the outcome before this JVM hears that it does. */
    @Test
    void onceTheBodyIsOverTheStoreIsAsked() {
        engine.store.loseReply(Call.COMPLETE);
        answer.complete("first");
        assertThat(owner).isNotDone();
        assertThat(duplicate()).isEqualTo(new Outcome.Replayed("first"));
    }

    @Test
    void onceTheLeaseIsOverTheStoreIsAsked() {
        engine.store.refuse(Call.RENEW);
        engine.time.pass(Engine.LEASE.minusMillis(1));
        assertThat(refusal(duplicate(), OperationInProgressException.class).retryAfter())
                .isEqualTo(Duration.ofMillis(100));
        engine.time.pass(Duration.ofMillis(1));
        refusal(duplicate(), OutcomeUnknownException.class);
        assertThat(engine.claims).hasValue(2);
        engine.store.mend();
        engine.time.pass(Engine.LEASE);
        refusal(duplicate(), OperationInProgressException.class);
        assertThat(engine.claims).hasValue(2);
    }

    @Test
    void whoTookOverElsewhereIsSeenAtOnce() {
        ownerWith(OnAbandoned.TAKE_OVER);
        engine.store.refuse(Call.RENEW);
        engine.time.pass(Engine.LEASE);
        String key = "k of TAKE_OVER";
        assertThat(engine.onAnotherNode().call(key, context -> "elsewhere"))
                .isEqualTo(new Outcome.Executed("elsewhere", Recorded.YES));
        assertThat(engine.call(key, context -> "second")).isEqualTo(new Outcome.Replayed("elsewhere"));
    }

    /** Between its renewals, an owner cannot know that an operator has settled its record; only after its lease can one. */
    @Test
    void aSecondOwnerOnThisNodeIsNotForgottenWhenTheFirstOneEnds() {
        ownerWith(OnAbandoned.TAKE_OVER);
        String key = "k of TAKE_OVER";
        engine.store.refuse(Call.RENEW);
        engine.time.pass(Engine.LEASE);
        engine.store.mend();
        CompletableFuture<Object> later = new CompletableFuture<>();
        engine.callAsync(key, context -> later);
        answer.complete("stale");
        int claims = engine.claims.get();
        refusal(engine.call(key, context -> "third"), OperationInProgressException.class);
        assertThat(engine.claims).hasValue(claims);
        later.complete("second");
        assertThat(engine.call(key, context -> "third")).isEqualTo(new Outcome.Replayed("second"));
    }

    @Test
    void aBodyThatFailsOrIsCutOffLeavesNothingBehind() {
        answer.completeExceptionally(new OutOfMemoryError("made by a test"));
        refusal(duplicate(), OutcomeUnknownException.class);
        assertThat(engine.claims).hasValue(2);
    }

    /** An outage is no permission to run what runs already. */
    @Test
    void whatRunsHereIsKnownWhileTheStoreIsDown() {
        engine.onStoreFailure = OnStoreFailure.PROCEED;
        engine.store.refuse(Call.CLAIM);
        refusal(duplicate(), OperationInProgressException.class);
        assertThat(engine.bodies).hasValue(1);
    }

    @ParameterizedTest
    @EnumSource(WhenInProgress.class)
    void whatRunsHereIsKnownWhileTheStoreIsDownAlsoAfterItsLease(WhenInProgress whenInProgress) {
        engine.onStoreFailure = OnStoreFailure.PROCEED;
        engine.whenInProgress = whenInProgress;
        engine.callAsync("k of " + whenInProgress, context -> answer);
        engine.bodies.set(0);
        engine.store.refuse(Call.CLAIM, Call.RENEW);
        engine.time.pass(Engine.LEASE);
        refusal(engine.call("k of " + whenInProgress, context -> "second"), IdempotencyStoreUnavailableException.class);
        assertThat(engine.bodies).hasValue(0);
    }

    @ParameterizedTest
    @EnumSource(WhenInProgress.class)
    void whatRanHereIsKnownUntilTheStoreHasItsOutcome(WhenInProgress whenInProgress) {
        engine.onStoreFailure = OnStoreFailure.PROCEED;
        engine.whenInProgress = whenInProgress;
        engine.store.refuse(Call.values());
        answer.complete("first");
        for (Duration since : List.of(Duration.ofSeconds(2), Engine.LEASE, Duration.ofHours(1))) {
            engine.time.pass(since);
            refusal(duplicate(), IdempotencyStoreUnavailableException.class);
        }
        engine.store.mend();
        engine.time.pass(Duration.ofMinutes(1));
        assertThat(duplicate()).isEqualTo(new Outcome.Replayed("first"));
        assertThat(engine.bodies).hasValue(1);
        engine.nothingIsLeft();
    }

    @Test
    void whileTheApplicationShutsDownDuplicatesLearnThatItStillRuns() {
        engine.shutDown(Duration.ofSeconds(10));
        refusal(duplicate(), OperationInProgressException.class);
        answer.complete("first");
        assertThat(duplicate()).isEqualTo(new Outcome.Replayed("first"));
    }
}
