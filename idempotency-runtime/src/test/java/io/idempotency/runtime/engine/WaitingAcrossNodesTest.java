package io.idempotency.runtime.engine;

import static io.idempotency.runtime.engine.Engine.refusal;
import static org.assertj.core.api.Assertions.assertThat;

import io.idempotency.IdempotencyStoreUnavailableException;
import io.idempotency.OnAbandoned;
import io.idempotency.OperationInProgressException;
import io.idempotency.OutcomeUnknownException;
import io.idempotency.WhenInProgress;
import io.idempotency.runtime.Effect;
import io.idempotency.runtime.Outcome;
import io.idempotency.runtime.Outcome.Recorded;
import io.idempotency.test.FaultyStore.Call;
import java.time.Duration;
import java.util.Collections;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Duplicates that wait for a call of another JVM. */
class WaitingAcrossNodesTest {

    private static final int MANY = 1000;
    private static final Outcome FIRST = new Outcome.Replayed("first");

    private final Engine owner = new Engine();
    private final CompletableFuture<Object> answer = new CompletableFuture<>();
    private Engine node;

    @BeforeEach
    void aBodyIsRunningElsewhere() {
        owner.whenInProgress = WhenInProgress.WAIT;
        owner.declaredEffects = Map.of(IllegalStateException.class, Effect.NONE);
        owner.callAsync("k", context -> answer);
        node = owner.onAnotherNode();
    }

    @Test
    void theSignalWakesAThousandWaitersAtOnceForThreeClaims() {
        Calls waiters = Calls.of(node, MANY);
        answer.complete("first");
        assertThat(waiters.ended()).as("no time has passed").isEqualTo(Collections.nCopies(MANY, FIRST));
        assertThat(node.claims)
                .as("one, one more when listening, one when woken")
                .hasValue(3);
        assertThat(node.bodies).hasValue(0);
    }

    @Test
    void whileSignalsArriveTheStoreIsHardlyAsked() {
        Calls waiters = Calls.of(node, MANY);
        node.time.pass(Duration.ofSeconds(9));
        assertThat(waiters.ended()).isEmpty();
        assertThat(node.claims).hasValueLessThan(8);
    }

    @Test
    void aSettlementJustBeforeListeningIsSeen() {
        AtomicBoolean first = new AtomicBoolean(true);
        node.store.before(Call.CLAIM, () -> {
            if (!first.getAndSet(false)) {
                answer.complete("first");
            }
        });
        assertThat(Calls.of(node, 3).ended()).hasSize(3).containsOnly(FIRST);
    }

    @Test
    void withoutAChannelPollingFindsTheResult() {
        node.store.closeChannel();
        Calls waiters = Calls.of(node, MANY);
        node.time.pass(Duration.ofSeconds(3));
        answer.complete("first");
        assertThat(waiters.ended()).isEmpty();
        node.time.pass(Duration.ofMillis(250));
        assertThat(waiters.ended()).isEqualTo(Collections.nCopies(MANY, FIRST));
        assertThat(node.claims).hasValueLessThan(25);
    }

    @Test
    void whenTheChannelBreaksPollingIsQuickAgain() {
        Calls waiters = Calls.of(node, 3);
        node.time.pass(Duration.ofSeconds(3));
        node.store.closeChannel();
        node.time.pass(Duration.ofSeconds(1));
        answer.complete("first");
        node.time.pass(Duration.ofMillis(250));
        assertThat(waiters.ended()).hasSize(3).containsOnly(FIRST);
    }

    @Test
    void whenTheChannelComesBackWaitersHearOfIt() {
        node.store.closeChannel();
        Calls waiters = Calls.of(node, 3);
        node.time.pass(Duration.ofSeconds(3));
        node.store.mend();
        answer.complete("first");
        assertThat(waiters.ended()).hasSize(3).containsOnly(FIRST);
    }

    @Test
    void aSignalThatIsLostCostsTimeButNotTheResult() {
        node.store.loseSignals();
        Calls waiters = Calls.of(node, 3);
        answer.complete("first");
        assertThat(waiters.ended()).isEmpty();
        node.time.pass(Duration.ofSeconds(1));
        assertThat(waiters.ended()).hasSize(3).containsOnly(FIRST);
    }

    @Test
    void aThousandWhoGiveUpInTheSameMomentDoNotAskTheStoreOneAfterTheOther() {
        Calls waiters = Calls.of(node, MANY);
        node.time.pass(Duration.ofSeconds(10));
        assertThat(waiters.ended()).hasSize(MANY);
        waiters.ended().forEach(outcome -> refusal(outcome, OperationInProgressException.class));
        assertThat(node.claims).hasValueLessThan(8);

        answer.complete("first");
        assertThat(owner.call("k", context -> "second")).isEqualTo(FIRST);
    }

    @Test
    void afterAReleaseElsewhereExactlyOneOfAllWaitersOfAllNodesRunsTheBody() {
        Calls here = Calls.of(node, 100);
        Engine third = owner.onAnotherNode();
        Calls there = Calls.of(third, 100);
        answer.completeExceptionally(new IllegalStateException("nothing was sent"));
        assertThat(here.ended()).hasSize(100).contains(new Outcome.Replayed("second"));
        assertThat(there.ended()).hasSize(100).contains(new Outcome.Replayed("second"));
        assertThat(node.bodies.get() + third.bodies.get()).isOne();
    }

    @Test
    void aFailingStoreIsAskedOnceForAllWhoWait() {
        Calls waiters = Calls.of(node, MANY);
        int before = node.claims.get();
        node.store.refuse(Call.CLAIM);
        answer.complete("first");
        assertThat(waiters.ended()).hasSize(MANY);
        waiters.ended().forEach(outcome -> refusal(outcome, IdempotencyStoreUnavailableException.class));
        assertThat(node.claims).hasValue(before + 1);
    }

    @Test
    void whenTheLeaseEndsWaitersLearnThatTheOutcomeIsUnknown() {
        owner.store.refuse(Call.RENEW);
        node.waitTimeout = Duration.ofMinutes(2);
        Calls waiters = Calls.of(node, 100);
        node.time.pass(Engine.LEASE.minusMillis(1));
        assertThat(waiters.ended()).isEmpty();
        node.time.pass(Duration.ofMillis(26));
        assertThat(waiters.ended()).hasSize(100);
        waiters.ended().forEach(outcome -> refusal(outcome, OutcomeUnknownException.class));
    }

    @Test
    void whenTheLeaseEndsOneOfManyWaitersTakesOver() {
        owner.store.refuse(Call.RENEW);
        node.onAbandoned = OnAbandoned.TAKE_OVER;
        node.waitTimeout = Duration.ofMinutes(2);
        Calls waiters = Calls.of(node, 100);
        node.time.pass(Engine.LEASE.plusMillis(26));
        assertThat(waiters.ended())
                .hasSize(100)
                .containsOnlyOnce(new Outcome.Executed("second", Recorded.YES))
                .contains(new Outcome.Replayed("second"));
        assertThat(node.bodies).hasValue(1);
    }

    @Test
    void aWaiterWhoseTimeEndsWhileItAsksTheStoreWaitsNoLonger() {
        node.store.before(Call.CLAIM, () -> node.time.pass(Duration.ofSeconds(6)));
        Calls waiter = Calls.of(node, 1);
        node.time.pass(Duration.ofSeconds(12));
        refusal(waiter.ended().get(0), OperationInProgressException.class);
        assertThat(node.store.listeners()).isZero();
    }

    @Test
    void whoeverComesLaterWaitsWithTheOthers() {
        Calls early = Calls.of(node, 1);
        node.time.pass(Duration.ofSeconds(6));
        int before = node.claims.get();
        Calls late = Calls.of(node, 100);
        assertThat(node.claims).hasValue(before);
        node.time.pass(Duration.ofSeconds(5));
        refusal(early.all().get(0).join(), OperationInProgressException.class);
        answer.complete("first");
        assertThat(late.ended()).hasSize(100).containsOnly(FIRST);
    }

    /** Each look used to be one more stage that waited for the next. */
    @Test
    void aLongWaitIsAsCheapAtItsEndAsAtItsBeginning() throws Exception {
        node.store.closeChannel();
        node.waitTimeout = Duration.ofDays(2);
        Calls waiters = Calls.of(node, 1);
        node.time.pass(Duration.ofHours(1));
        assertThat(node.claims).hasValueGreaterThan(10_000);
        answer.complete("first");
        Thread small = new Thread(null, () -> node.time.pass(Duration.ofMillis(250)), "small", 128 * 1024);
        small.start();
        small.join();
        assertThat(waiters.ended()).containsExactly(FIRST);
    }

    @Test
    void afterwardsNobodyListensAndNothingIsScheduled() {
        Calls.of(node, 10);
        assertThat(node.store.listeners()).as("one for all").isOne();
        answer.complete("first");
        assertThat(node.store.listeners()).isZero();
        node.nothingIsLeft();
    }

    @Test
    void whenEverybodyGaveUpNobodyListensAndNothingButTheOwnersRenewalIsScheduled() {
        Calls.of(node, 10);
        node.time.pass(Duration.ofSeconds(10));
        assertThat(node.store.listeners()).isZero();
        assertThat(node.time.pendingTasks()).isOne();
    }

    @Test
    void aWaiterWhoseApplicationTakesNoTasksAnyMoreIsAnsweredWhenItsTimeIsOver() {
        AtomicBoolean down = new AtomicBoolean();
        var stopping = node.executorThatShutsDownWhen(down::get);
        CompletableFuture<Outcome> waiter = stopping.executeAsync(
                        node.invocation("k", "arguments", context -> CompletableFuture.completedFuture("second")))
                .toCompletableFuture();
        assertThat(waiter).isNotDone();
        down.set(true);
        node.time.pass(Duration.ofSeconds(10));
        refusal(waiter.join(), OperationInProgressException.class);
        assertThat(node.bodies).hasValue(0);
    }
}
