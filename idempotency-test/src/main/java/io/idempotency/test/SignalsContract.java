package io.idempotency.test;

import static org.assertj.core.api.Assertions.assertThat;

import io.idempotency.runtime.store.Claim;
import io.idempotency.runtime.store.ClaimResult;
import io.idempotency.runtime.store.Ownership;
import io.idempotency.runtime.store.RecordState;
import io.idempotency.runtime.store.Settled;
import io.idempotency.runtime.store.SettlementSignals;
import io.idempotency.runtime.store.SettlementSignals.Subscription;
import java.util.List;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Waiting callers are woken when there is something to look at. A store that cannot tell says so. */
abstract class SignalsContract extends StoreContract {

    private static final int ROUNDS = 50;

    /** So much later than in the round before the owner settles: at first before anybody listens, in the end long after. */
    private static final long STEP_NANOS = 100_000;

    SignalsContract(IdempotencyStoreTck kit) {
        super(kit);
    }

    /** A duplicate that waits. */
    private final class Waiter implements AutoCloseable {
        private final Claim claim;
        private final Semaphore looks = new Semaphore(0);
        private final Subscription subscription;

        Waiter(Claim claim) {
            this.claim = Claims.duplicateOf(claim);
            this.subscription =
                    store().signals().orElseGet(SettlementSignals::none).listen(claim.id(), looks::release);
        }

        /** Waits until it hears, then claims, and forgets what it heard before. */
        ClaimResult claimsLive() {
            if (!subscription.live()) {
                Awaitility.await("the store hears settlements").until(subscription::live);
            }
            looks.drainPermits();
            return claim(claim);
        }

        Waiter waiting() {
            ClaimResult answer = claimsLive();
            assertThat(answer).isInstanceOf(ClaimResult.Duplicate.class);
            assertThat(((ClaimResult.Duplicate) answer).record().state()).isEqualTo(RecordState.IN_PROGRESS);
            return this;
        }

        void hears() {
            try {
                assertThat(looks.tryAcquire(signalsWithin().toMillis(), TimeUnit.MILLISECONDS))
                        .as("a waiting caller hears that the record was settled")
                        .isTrue();
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                throw new AssertionError("Interrupted while it waited", e);
            }
        }

        @Override
        public void close() {
            subscription.close();
        }
    }

    @ParameterizedTest
    @EnumSource(mode = EnumSource.Mode.EXCLUDE, names = "RENEW")
    void waiterHearsThatTheOwnerSettled(Verb verb) {
        Claim claim = Claims.fresh();
        Ownership owner = acquire(claim);
        try (Waiter waiter = new Waiter(claim)) {
            if (signals(waiter)) {
                waiter.waiting();
                assertApplied(verb.apply(this, owner));
                waiter.hears();
            }
        }
    }

    @Test
    void waiterHearsTheNextOwnerAfterARelease() {
        Claim claim = Claims.fresh();
        Ownership first = acquire(claim);
        try (Waiter waiter = new Waiter(claim)) {
            if (signals(waiter)) {
                waiter.waiting();
                release(first);
                waiter.hears();
                Ownership second = acquire(Claims.duplicateOf(claim));
                waiter.waiting();
                complete(second);
                waiter.hears();
            }
        }
    }

    @Test
    void waiterHearsWhoeverTookOver() {
        Claim claim = Claims.lease(Claims.fresh(), SHORT);
        acquire(claim);
        try (Waiter waiter = new Waiter(claim)) {
            if (signals(waiter)) {
                waiter.claimsLive();
                shortPasses();
                Ownership second = acquire(Claims.takingOver(Claims.lease(Claims.duplicateOf(claim), LONG)));
                waiter.waiting();
                complete(second);
                waiter.hears();
            }
        }
    }

    @Test
    void allWhoWaitHearAndWhoHasGoneAwayChangesNothing() {
        Claim claim = Claims.fresh();
        Ownership owner = acquire(claim);
        List<Waiter> waiters = Stream.generate(() -> new Waiter(claim)).limit(3).toList();
        if (signals(waiters.get(0))) {
            waiters.forEach(Waiter::waiting);
            waiters.get(0).close();
            complete(owner);
            waiters.get(1).hears();
            waiters.get(2).hears();
        }
        waiters.forEach(Waiter::close);
    }

    @Test
    void whoIsToldThatItHearsIsAlsoToldToLook() {
        try (Waiter waiter = new Waiter(Claims.fresh())) {
            if (signals(waiter)) {
                waiter.hears();
                assertThat(waiter.subscription.live()).isTrue();
            }
        }
    }

    @Test
    void noSettlementIsMissedBetweenListeningAndSettling() {
        for (int round = 0; round < ROUNDS; round++) {
            Claim claim = Claims.fresh();
            Ownership owner = acquire(claim);
            long delay = round * STEP_NANOS;
            Together.run(2, thread -> thread == 0 ? completeAfter(delay, owner) : hearsOfWhatIsNotSettled(claim));
        }
    }

    private Settled completeAfter(long nanos, Ownership owner) {
        long due = System.nanoTime() + nanos;
        while (System.nanoTime() < due) {
            Thread.onSpinWait();
        }
        return complete(owner);
    }

    private boolean hearsOfWhatIsNotSettled(Claim claim) {
        try (Waiter waiter = new Waiter(claim)) {
            if (signals(waiter)
                    && waiter.claimsLive() instanceof ClaimResult.Duplicate duplicate
                    && duplicate.record().state() == RecordState.IN_PROGRESS) {
                waiter.hears();
            }
            return true;
        }
    }

    /** A store that does not signal has kept its contract by never saying that it does. */
    private boolean signals(Waiter waiter) {
        if (tellsWaiters()) {
            return true;
        }
        assertThat(waiter.subscription.live()).isFalse();
        return false;
    }
}
