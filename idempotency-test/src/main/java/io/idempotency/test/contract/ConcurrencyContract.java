package io.idempotency.test.contract;

import static org.assertj.core.api.Assertions.assertThat;

import io.idempotency.runtime.store.Claim;
import io.idempotency.runtime.store.ClaimResult;
import io.idempotency.runtime.store.Ownership;
import io.idempotency.runtime.store.RecordState;
import io.idempotency.runtime.store.Resolution;
import io.idempotency.runtime.store.Settled;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.SplittableRandom;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** One of many racing calls wins, and a key's fence rises with every granted claim. */
abstract class ConcurrencyContract extends ContractPart {

    private static final int THREADS = 64;
    private static final int KEYS = 24;
    private static final int CLAIMERS = 12;
    private static final Duration MOMENT = Duration.ofMillis(1);

    @Test
    void oneOfManyClaimsOfOneKeyWins() {
        Claim claim = fresh();
        List<ClaimResult> results = Together.run(THREADS, thread -> claim(duplicateOf(claim)));
        assertOneWinner(results);
        long fence = find(claim.id()).fence();
        assertThat(results)
                .allMatch(result -> result instanceof ClaimResult.Acquired acquired
                        ? acquired.fence() == fence
                        : ((ClaimResult.Duplicate) result).record().fence() == fence);
    }

    @Test
    void oneOfManyClaimsWinsForEachOfManyKeys() {
        List<Claim> keys = Stream.generate(ContractPart::fresh).limit(KEYS).toList();
        ConcurrentMap<Claim, Integer> winners = new ConcurrentHashMap<>();
        Together.run(THREADS, thread -> {
            List<Claim> shuffled = new ArrayList<>(keys);
            Collections.shuffle(shuffled, new Random(thread));
            for (Claim key : shuffled) {
                if (claim(duplicateOf(key)) instanceof ClaimResult.Acquired) {
                    winners.merge(key, 1, Integer::sum);
                }
            }
            return thread;
        });
        assertThat(winners).hasSize(KEYS);
        assertThat(winners.values()).containsOnly(1);
    }

    @Test
    void claimResentManyTimesAtOnceIsOneClaim() {
        Claim claim = fresh();
        List<ClaimResult> results = Together.run(16, thread -> claim(claim));
        assertThat(results).allMatch(ClaimResult.Acquired.class::isInstance).containsOnly(results.get(0));
    }

    @Test
    void oneOfManyTakesOver() {
        Claim first = fresh();
        arrange(Situation.LEASE_OVER, first);
        assertOneWinner(Together.run(THREADS, thread -> claim(takeOver(first))));
        assertThat(find(first.id()).attempt()).isEqualTo(2);
    }

    @Test
    void oneOfManyClaimsAnExpiredKey() {
        Claim first = fresh();
        apply(Verb.COMPLETE, acquire(first), SHORT);
        shortPasses();
        assertOneWinner(Together.run(THREADS, thread -> claim(duplicateOf(first))));
    }

    private static void assertOneWinner(List<ClaimResult> results) {
        assertThat(results).filteredOn(ClaimResult.Acquired.class::isInstance).hasSize(1);
        assertThat(results).filteredOn(ClaimResult.Duplicate.class::isInstance).hasSize(results.size() - 1);
    }

    @Test
    void lateCompletionAndTakeOverExcludeEachOther() {
        for (int round = 0; round < KEYS; round++) {
            Claim first = fresh();
            Ownership late = arrange(Situation.DOUBTED, first);
            assertOneWins(applied(() -> complete(late)), () -> claim(takeOver(first)) instanceof ClaimResult.Acquired);
        }
    }

    @Test
    void lateCompletionAndResolutionExcludeEachOther() {
        Resolution failed = new Resolution.Fail(FAILURE, RETENTION);
        for (int round = 0; round < KEYS; round++) {
            Ownership late = arrange(Situation.DOUBTED, fresh());
            assertOneWins(
                    applied(() -> complete(late)),
                    applied(() -> store().resolve(late.id(), late.fence(), failed, NOTE)));
        }
    }

    @Test
    void claimThatTakesOverWhatIsBeingForgottenIsKept() {
        for (int round = 0; round < KEYS; round++) {
            Claim first = fresh();
            Ownership seen = arrange(Situation.DOUBTED, first);
            Claim next = takeOver(first);
            Together.run(
                    2,
                    thread -> thread == 0
                            ? store().resolve(seen.id(), seen.fence(), new Resolution.Forget(), NOTE)
                            : acquired(next));
            assertThat(find(next.id()).owner()).isEqualTo(next.owner());
        }
    }

    /** A renewal that is written from what was read before would bring the former owner back. */
    @Test
    void lateRenewalAndTakeOverExcludeEachOther() {
        List<Claim> keys = Stream.generate(ContractPart::fresh).limit(KEYS).toList();
        List<Ownership> late =
                keys.stream().map(key -> acquire(withLease(key, SHORT))).toList();
        shortPasses();
        for (int round = 0; round < KEYS; round++) {
            Ownership owner = late.get(round);
            Claim next = takeOver(keys.get(round));
            assertOneWins(applied(() -> renew(owner, LONG)), () -> claim(next) instanceof ClaimResult.Acquired);
        }
    }

    @Test
    void anErasureUndoesNoLateCompletion() {
        for (int round = 0; round < KEYS; round++) {
            Ownership late = arrange(Situation.DOUBTED, fresh());
            Together.run(2, thread -> thread == 0 ? complete(late) : store().erase(late.id(), NOTE));
            assertThat(find(late.id()).state()).isEqualTo(RecordState.COMPLETED);
        }
    }

    @Test
    void oneOfTwoSettlementsWins() {
        for (int round = 0; round < KEYS; round++) {
            Ownership ownership = acquire(fresh());
            assertOneWins(applied(() -> complete(ownership)), applied(() -> apply(Verb.FAIL, ownership)));
        }
    }

    private static Supplier<Boolean> applied(Supplier<Settled> settling) {
        return () -> settling.get() instanceof Settled.Applied;
    }

    private static void assertOneWins(Supplier<Boolean> one, Supplier<Boolean> other) {
        List<Boolean> won = Together.run(2, thread -> thread == 0 ? one.get() : other.get());
        assertThat(won).containsExactlyInAnyOrder(true, false);
    }

    @Test
    void fenceRisesWithEveryGrantThroughReleasesExpiryPurgesAndTakeOvers() {
        Claim key = fresh();
        List<Long> granted = Collections.synchronizedList(new ArrayList<>());
        Together.run(CLAIMERS, thread -> {
            SplittableRandom random = new SplittableRandom(thread);
            for (int i = 0; i < 120; i++) {
                Claim claim = takeOver(key);
                if (claim(claim) instanceof ClaimResult.Acquired acquired) {
                    granted.add(acquired.fence()); // no other call is granted the key before it is given up below
                    giveUp(new Ownership(claim.id(), claim.owner(), acquired.fence()), random.nextInt(16));
                } else if (random.nextInt(8) == 0) {
                    store().purge(100);
                }
            }
            return thread;
        });
        assertThat(granted).hasSizeGreaterThan(CLAIMERS).isSorted().doesNotHaveDuplicates();
    }

    private void giveUp(Ownership ownership, int how) {
        switch (how) {
            case 0 -> {
                assertApplied(apply(Verb.COMPLETE, ownership, MOMENT));
                passes(MOMENT.multipliedBy(2));
                store().purge(100);
            }
            case 1, 2, 3 -> assertApplied(doubt(ownership));
            default -> assertApplied(release(ownership));
        }
    }
}
