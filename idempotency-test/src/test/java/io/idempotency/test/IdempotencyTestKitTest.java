package io.idempotency.test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.idempotency.IdempotencyException;
import io.idempotency.IdempotentOperation;
import io.idempotency.NotFingerprinted;
import io.idempotency.OnAbandoned;
import io.idempotency.OutcomeUnknownException;
import io.idempotency.PreviousAttemptFailedException;
import io.idempotency.Reconciles;
import io.idempotency.Reconciliation;
import io.idempotency.WhenInProgress;
import io.micronaut.context.annotation.Property;
import io.micronaut.test.extensions.junit5.annotation.MicronautTest;
import jakarta.inject.Inject;
import jakarta.inject.Singleton;
import java.time.Duration;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicInteger;
import org.awaitility.Awaitility;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.reactivestreams.Publisher;

/** An application's tests, as docs/testing.md shows them. */
@MicronautTest
@IdempotencyTest
@Property(name = "idempotency.purge.interval", value = "20ms")
class IdempotencyTestKitTest {

    @Singleton
    static class Payments {
        final AtomicInteger charges = new AtomicInteger();

        @IdempotentOperation(
                value = "kit-charge",
                key = "order",
                whenInProgress = WhenInProgress.WAIT,
                waitTimeout = "1h",
                lease = "30s")
        int charge(String order) {
            return charges.incrementAndGet();
        }

        @IdempotentOperation(value = "kit-later", key = "order", lease = "30s")
        CompletionStage<Integer> chargeLater(String order, @NotFingerprinted Executor on) {
            return CompletableFuture.supplyAsync(
                    () -> {
                        if (order.equals("declined")) {
                            throw new IllegalStateException("declined");
                        }
                        return charges.incrementAndGet();
                    },
                    on);
        }

        @IdempotentOperation(value = "kit-optional", key = "order", keyRequired = false)
        int chargeWithoutAKey(@Nullable String order) {
            return charges.incrementAndGet();
        }

        @IdempotentOperation(value = "kit-again", key = "order", lease = "30s", onAbandoned = OnAbandoned.TAKE_OVER)
        int again(String order, @NotFingerprinted Runnable meanwhile) {
            meanwhile.run();
            return charges.incrementAndGet();
        }

        @IdempotentOperation(value = "kit-lost", key = "order", onAbandoned = OnAbandoned.RECONCILE)
        int lost(String order, @NotFingerprinted Callable<Integer> provider) throws Exception {
            return provider.call();
        }

        volatile Reconciliation<Integer> found = Reconciliation.unknown("the provider is down");

        @Reconciles("kit-lost")
        Reconciliation<Integer> find(String order, Callable<Integer> provider) {
            return found;
        }

        final CountDownLatch started = new CountDownLatch(1);
        final CountDownLatch end = new CountDownLatch(1);

        @IdempotentOperation(
                value = "kit-slow",
                key = "order",
                whenInProgress = WhenInProgress.WAIT,
                waitTimeout = "1h",
                lease = "3h")
        int slow(String order) throws InterruptedException {
            started.countDown();
            end.await(60, TimeUnit.SECONDS);
            return charges.incrementAndGet();
        }
    }

    @Inject
    Payments payments;

    @Inject
    IdempotencyTestKit kit;

    @Test
    void anOperationThatIsMisspeltIsReportedWithTheNamesThatThereAre() {
        assertThatThrownBy(() -> kit.calls("kit-chrage"))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("no operation 'kit-chrage'. Did you mean one of [")
                .hasMessageContaining("kit-charge");
    }

    @Test
    void fiftyCallsAtOnceAreOneCharge() {
        Duplicates<Integer> answers = kit.atOnce(50, () -> payments.charge("fifty"));

        assertThat(answers.returned())
                .hasSize(50)
                .containsOnly(answers.returned().get(0));
        assertThat(kit.calls("kit-charge")).ranOnce().replayed(49);
    }

    @Test
    void callsThatAnswerLaterAreOverWhenTheyHaveTheirAnswers() {
        AtomicInteger calls = new AtomicInteger();
        Duplicates<CompletionStage<Integer>> answers = kit.atOnce(
                2,
                () -> payments.chargeLater(
                        "later" + calls.incrementAndGet(),
                        CompletableFuture.delayedExecutor(20, TimeUnit.MILLISECONDS)));
        assertThat(answers.returned())
                .hasSize(2)
                .allMatch(answer -> answer.toCompletableFuture().isDone());
        assertThat(kit.calls("kit-later")).ran(2);
    }

    @Test
    void aStageThatFailsCountsAsThrown() {
        Duplicates<CompletionStage<Integer>> answers =
                kit.atOnce(1, () -> payments.chargeLater("declined", Runnable::run));
        assertThat(answers.returned()).isEmpty();
        assertThat(answers.thrown()).singleElement().isInstanceOf(IllegalStateException.class);
    }

    @Test
    void aPublisherIsRefusedAsItHasNotBegun() {
        Publisher<Integer> never = subscriber -> {};
        assertThatThrownBy(() -> kit.atOnce(2, () -> never)).hasMessageContaining("block() it");
    }

    @Test
    void afterACrashTheOutcomeIsUnknownOnceTheLeaseIsOver() {
        kit.store().crashNextOwner();
        payments.charge("crash");

        kit.skip(Duration.ofSeconds(31));

        assertThatThrownBy(() -> payments.charge("crash")).isInstanceOf(OutcomeUnknownException.class);
        assertThat(kit.calls("kit-charge")).ranOnce().inDoubt(1);
    }

    private void timesOut(String order) {
        assertThatThrownBy(() -> payments.lost(order, () -> {
                    throw new TimeoutException();
                }))
                .isInstanceOf(TimeoutException.class);
    }

    @Test
    void aKeyIsInDoubtUntilACallGetsItsOutcome() throws Exception {
        payments.found = Reconciliation.unknown("the provider is down");
        timesOut("lost");
        assertThatThrownBy(() -> payments.lost("lost", () -> 8)).isInstanceOf(OutcomeUnknownException.class);
        assertThat(kit.calls("kit-lost")).ranOnce().inDoubt(1);
        payments.found = Reconciliation.done(7);
        assertThat(payments.lost("lost", () -> 8)).isEqualTo(7);
        assertThat(kit.calls("kit-lost")).ranOnce().inDoubt(0);
    }

    @Test
    void aKeyIsInDoubtUntilABodyRecordsItsOutcome() throws Exception {
        payments.found = Reconciliation.absent();
        timesOut("again");
        timesOut("again");
        assertThat(kit.calls("kit-lost")).ran(2).inDoubt(1);
        assertThat(payments.lost("again", () -> 7)).isEqualTo(7);
        assertThat(kit.calls("kit-lost")).ran(3).inDoubt(0);
    }

    @Test
    void aKeyIsInDoubtUntilACallIsToldThatItsBodyFailed() {
        payments.found = Reconciliation.absent();
        timesOut("declined");
        kit.store().loseReply(FaultyStore.Call.FAIL);
        assertThatThrownBy(() -> payments.lost("declined", () -> {
                    throw new IllegalStateException("declined");
                }))
                .isInstanceOf(IllegalStateException.class);
        assertThat(kit.calls("kit-lost")).inDoubt(1);
        assertThatThrownBy(() -> payments.lost("declined", () -> 7)).isInstanceOf(PreviousAttemptFailedException.class);
        assertThat(kit.calls("kit-lost")).ran(2).inDoubt(0);
    }

    @Test
    void aStoreThatIsDownBeforeTheBodyKeepsItFromRunning() {
        kit.store().refuse(FaultyStore.Call.CLAIM);
        assertThatThrownBy(() -> payments.charge("down")).isInstanceOf(IdempotencyException.class);
        assertThat(kit.calls("kit-charge")).neverRan().refused("store-unavailable", 1);

        kit.store().mend();
        payments.charge("down");
        assertThat(kit.calls("kit-charge")).ranOnce();
    }

    @Test
    void aBodyIsCountedThatRanWithoutAKey() {
        payments.chargeWithoutAKey(null);
        payments.chargeWithoutAKey(null);
        assertThat(kit.calls("kit-optional")).ran(2);
    }

    /** Its first call is told what the second one recorded, as if its own body had not run. */
    @Test
    void aBodyIsCountedWhoseKeyWasTakenOver() {
        kit.store().refuse(FaultyStore.Call.RENEW);
        payments.again("twice", () -> {
            kit.skip(Duration.ofSeconds(31));
            payments.again("twice", () -> {});
        });
        assertThat(kit.calls("kit-again")).ran(2);
    }

    @Test
    void theFaultsOfAStoreReachItsPurges() throws InterruptedException {
        CountDownLatch purged = new CountDownLatch(1);
        kit.store().before(FaultyStore.Call.PURGE, purged::countDown);
        assertThat(purged.await(60, TimeUnit.SECONDS)).isTrue();
    }

    @Test
    void aKeyIsForgottenAfterItsRetention() {
        int first = payments.charge("forgotten");
        kit.skip(Duration.ofHours(23));
        assertThat(payments.charge("forgotten")).isEqualTo(first);
        kit.skip(Duration.ofHours(2));
        assertThat(payments.charge("forgotten")).isGreaterThan(first);
        assertThat(kit.calls("kit-charge")).ran(2).replayed(1);
    }

    @Test
    void aDuplicateThatWaitsTooLongIsToldSoWithoutTheTestWaiting() throws Exception {
        Thread owner = new Thread(this::slow);
        Thread duplicate = new Thread(this::slow);
        owner.start();
        assertThat(payments.started.await(60, TimeUnit.SECONDS)).isTrue();
        duplicate.start();
        Awaitility.await()
                .until(() -> duplicate.getState() == Thread.State.WAITING
                        || duplicate.getState() == Thread.State.TIMED_WAITING);

        kit.skip(Duration.ofHours(2));
        Awaitility.await().untilAsserted(() -> assertThat(kit.calls("kit-slow")).refused("in-progress", 1));

        payments.end.countDown();
        owner.join();
        duplicate.join();
        assertThat(kit.calls("kit-slow")).ranOnce();
    }

    private void slow() {
        try {
            payments.slow("slow");
        } catch (IdempotencyException | InterruptedException e) {
            // what the test asks about is counted
        }
    }

    @Test
    void anAssertionThatFailsSaysWhatHappened() {
        payments.charge("message");
        assertThatThrownBy(() -> assertThat(kit.calls("kit-charge")).ran(2))
                .hasMessageContaining("2 to have run")
                .hasMessageContaining("operation 'kit-charge': ran 1, replayed 0, refused [], in doubt 0");
    }
}
