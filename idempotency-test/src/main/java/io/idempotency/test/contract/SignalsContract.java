package io.idempotency.test.contract;

import static org.assertj.core.api.Assertions.assertThat;

import io.idempotency.runtime.store.Claim;
import io.idempotency.runtime.store.ClaimResult;
import io.idempotency.runtime.store.Ownership;
import io.idempotency.runtime.store.RecordState;
import io.idempotency.runtime.store.SettlementSignals;
import io.idempotency.runtime.store.SettlementSignals.Subscription;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** A store wakes waiting callers when a record may have changed, or says that it cannot. */
abstract class SignalsContract extends ContractPart {

    private static final int ROUNDS = 50;

    /** How much later the owner settles in each round: at first before the waiter listens, in the end after. */
    private static final long STEP_NANOS = 100_000;

    private final class Waiter implements AutoCloseable {
        private final Claim claim;
        private final Subscription subscription;
        private volatile CompletableFuture<Boolean> look = new CompletableFuture<>();

        Waiter(Claim claim) {
            this.claim = duplicateOf(claim);
            this.subscription =
                    store().signals().orElseGet(SettlementSignals::none).listen(claim.id(), () -> look.complete(true));
        }

        /** Waits until the subscription is live, drops earlier signals, and claims. */
        boolean findsItInProgress() {
            if (!subscription.live()) {
                Awaitility.await("the store hears settlements").until(subscription::live);
            }
            look = new CompletableFuture<>();
            return claim(claim) instanceof ClaimResult.Duplicate duplicate
                    && duplicate.record().state() == RecordState.IN_PROGRESS;
        }

        void waits() {
            assertThat(findsItInProgress()).isTrue();
        }

        void hears() {
            assertThat(look)
                    .as("a waiting caller hears that the record was settled")
                    .succeedsWithin(contract.signalsWithin());
        }

        @Override
        public void close() {
            subscription.close();
        }
    }

    /** Runs a test with a waiter. A store without signals passes if it never claims to have them. */
    private void withWaiter(Claim claim, Consumer<Waiter> story) {
        try (Waiter waiter = new Waiter(claim)) {
            if (contract.tellsWaiters()) {
                story.accept(waiter);
            } else {
                assertThat(waiter.subscription.live()).isFalse();
            }
        }
    }

    @ParameterizedTest
    @EnumSource(mode = EnumSource.Mode.EXCLUDE, names = "RENEW")
    void waiterHearsThatTheOwnerSettled(Verb verb) {
        Claim claim = fresh();
        Ownership owner = acquire(claim);
        withWaiter(claim, waiter -> {
            waiter.waits();
            assertApplied(apply(verb, owner));
            waiter.hears();
        });
    }

    @Test
    void waiterHearsTheNextOwnerAfterARelease() {
        Claim claim = fresh();
        Ownership first = acquire(claim);
        withWaiter(claim, waiter -> {
            waiter.waits();
            release(first);
            waiter.hears();
            Ownership second = acquire(duplicateOf(claim));
            waiter.waits();
            complete(second);
            waiter.hears();
        });
    }

    @Test
    void waiterHearsTheOwnerThatTookOver() {
        Claim claim = withLease(fresh(), SHORT);
        acquire(claim);
        withWaiter(claim, waiter -> {
            waiter.findsItInProgress();
            shortPasses();
            Ownership second = acquire(takeOver(claim));
            waiter.waits();
            complete(second);
            waiter.hears();
        });
    }

    @Test
    void allWhoWaitHearAndOneThatHasGoneAwayChangesNothing() {
        Claim claim = fresh();
        Ownership owner = acquire(claim);
        withWaiter(claim, leaving -> {
            List<Waiter> staying =
                    Stream.generate(() -> new Waiter(claim)).limit(2).toList();
            leaving.waits();
            staying.forEach(Waiter::waits);
            leaving.close();
            complete(owner);
            staying.forEach(Waiter::hears);
            staying.forEach(Waiter::close);
        });
    }

    @Test
    void waiterThatIsToldThatItHearsIsAlsoToldToLook() {
        withWaiter(fresh(), waiter -> {
            waiter.hears();
            assertThat(waiter.subscription.live()).isTrue();
        });
    }

    @Test
    void noSettlementIsMissedBetweenListeningAndSettling() {
        for (int round = 0; round < ROUNDS; round++) {
            Claim claim = fresh();
            Ownership owner = acquire(claim);
            long delay = round * STEP_NANOS;
            Together.run(2, thread -> {
                if (thread == 0) {
                    completeAfter(delay, owner);
                } else {
                    withWaiter(claim, waiter -> {
                        if (waiter.findsItInProgress()) {
                            waiter.hears();
                        }
                    });
                }
                return thread;
            });
        }
    }

    private void completeAfter(long nanos, Ownership owner) {
        long due = System.nanoTime() + nanos;
        while (System.nanoTime() < due) {
            Thread.onSpinWait();
        }
        complete(owner);
    }
}
