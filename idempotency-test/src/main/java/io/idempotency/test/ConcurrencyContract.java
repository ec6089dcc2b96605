package io.idempotency.test;

import static org.assertj.core.api.Assertions.assertThat;

import io.idempotency.runtime.store.Claim;
import io.idempotency.runtime.store.ClaimResult;
import io.idempotency.runtime.store.Ownership;
import io.idempotency.runtime.store.Resolution;
import io.idempotency.runtime.store.Settled;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Of many who race, one wins. */
abstract class ConcurrencyContract extends StoreContract {

    private static final int THREADS = 64;
    private static final int KEYS = 24;

    ConcurrencyContract(IdempotencyStoreTck kit) {
        super(kit);
    }

    @Test
    void oneOfManyClaimsOfOneKeyWins() {
        Claim claim = Claims.fresh();
        List<ClaimResult> results = Together.run(THREADS, thread -> claim(Claims.duplicateOf(claim)));
        assertOneWinner(results);
        long fence = find(claim.id()).fence();
        assertThat(results)
                .allMatch(result -> result instanceof ClaimResult.Acquired acquired
                        ? acquired.fence() == fence
                        : ((ClaimResult.Duplicate) result).record().fence() == fence);
    }

    @Test
    void oneOfManyClaimsWinsForEachOfManyKeys() {
        List<Claim> keys =
                IntStream.range(0, KEYS).mapToObj(i -> Claims.fresh()).toList();
        ConcurrentMap<Claim, AtomicInteger> winners = new ConcurrentHashMap<>();
        Together.run(THREADS, thread -> {
            List<Claim> shuffled = new ArrayList<>(keys);
            Collections.shuffle(shuffled, new Random(thread));
            for (Claim key : shuffled) {
                if (claim(Claims.duplicateOf(key)) instanceof ClaimResult.Acquired) {
                    winners.computeIfAbsent(key, k -> new AtomicInteger()).incrementAndGet();
                }
            }
            return thread;
        });
        assertThat(winners).hasSize(KEYS);
        assertThat(winners.values()).allMatch(count -> count.get() == 1);
    }

    @Test
    void claimResentManyTimesAtOnceIsOneClaim() {
        Claim claim = Claims.fresh();
        List<ClaimResult> results = Together.run(16, thread -> claim(claim));
        assertThat(results).allMatch(ClaimResult.Acquired.class::isInstance);
        assertThat(results).containsOnly(results.get(0));
    }

    @Test
    void oneOfManyTakesOver() {
        Claim first = Claims.lease(Claims.fresh(), SHORT);
        acquire(first);
        shortPasses();
        Claim next = Claims.takingOver(Claims.lease(first, LONG));
        assertOneWinner(Together.run(THREADS, thread -> claim(Claims.takingOver(Claims.duplicateOf(next)))));
        assertThat(find(first.id()).attempt()).isEqualTo(2);
    }

    @Test
    void oneOfManyClaimsAnExpiredKey() {
        Claim first = Claims.fresh();
        store().complete(acquire(first), RESULT, SHORT);
        shortPasses();
        assertOneWinner(Together.run(THREADS, thread -> claim(Claims.duplicateOf(first))));
    }

    @Test
    void lateCompletionAndTakeOverExcludeEachOther() {
        for (int round = 0; round < KEYS; round++) {
            Claim first = Claims.fresh();
            Ownership late = acquire(first);
            doubt(late);
            Claim next = Claims.takingOver(Claims.duplicateOf(first));
            List<Boolean> won = Together.run(
                    2,
                    thread -> thread == 0
                            ? complete(late) instanceof Settled.Applied
                            : claim(next) instanceof ClaimResult.Acquired);
            assertThat(won).containsExactlyInAnyOrder(true, false);
        }
    }

    @Test
    void lateCompletionAndResolutionExcludeEachOther() {
        for (int round = 0; round < KEYS; round++) {
            Ownership late = Situation.DOUBTED.arrange(this, Claims.fresh());
            Resolution failed = new Resolution.Fail(FAILURE, RETENTION);
            List<Settled> settled = Together.run(
                    2, thread -> thread == 0 ? complete(late) : store().resolve(late.id(), late.fence(), failed, NOTE));
            assertThat(settled).hasAtLeastOneElementOfType(Settled.Applied.class);
            assertThat(settled).hasAtLeastOneElementOfType(Settled.Stale.class);
        }
    }

    @Test
    void oneOfTwoSettlementsWins() {
        for (int round = 0; round < KEYS; round++) {
            Ownership ownership = acquire(Claims.fresh());
            List<Settled> settled = Together.run(2, thread -> thread == 0 ? complete(ownership) : fail(ownership));
            assertThat(settled).hasAtLeastOneElementOfType(Settled.Applied.class);
            assertThat(settled).hasAtLeastOneElementOfType(Settled.Stale.class);
        }
    }

    private static void assertOneWinner(List<ClaimResult> results) {
        assertThat(results).filteredOn(ClaimResult.Acquired.class::isInstance).hasSize(1);
        assertThat(results).filteredOn(ClaimResult.Duplicate.class::isInstance).hasSize(results.size() - 1);
    }
}
