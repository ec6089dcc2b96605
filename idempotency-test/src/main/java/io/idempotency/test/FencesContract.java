package io.idempotency.test;

import static org.assertj.core.api.Assertions.assertThat;

import io.idempotency.runtime.store.Claim;
import io.idempotency.runtime.store.ClaimResult;
import io.idempotency.runtime.store.Ownership;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

/** The fence of a key rises with every claim that is granted, whatever became of the one before, and whichever caller waited. */
abstract class FencesContract extends StoreContract {

    private static final int THREADS = 12;
    private static final int CLAIMS = 120;
    private static final Duration MOMENT = Duration.ofMillis(1);

    FencesContract(IdempotencyStoreTck kit) {
        super(kit);
    }

    @Test
    void fenceRisesWithEveryGrantThroughReleasesExpiryPurgesAndTakeOvers() {
        Claim key = Claims.fresh();
        List<Long> granted = Collections.synchronizedList(new ArrayList<>());
        Together.run(THREADS, thread -> {
            SplittableRandom random = new SplittableRandom(thread);
            for (int i = 0; i < CLAIMS; i++) {
                Claim claim = Claims.takingOver(Claims.duplicateOf(key));
                if (claim(claim) instanceof ClaimResult.Acquired acquired) {
                    granted.add(acquired.fence()); // no other call is granted the key before it is given up below
                    giveUp(new Ownership(claim.id(), claim.owner(), acquired.fence()), random.nextInt(16));
                } else if (random.nextInt(8) == 0) {
                    store().purge(100);
                }
            }
            return thread;
        });
        assertThat(granted).hasSizeGreaterThan(THREADS).isSorted().doesNotHaveDuplicates();
    }

    private void giveUp(Ownership ownership, int how) {
        switch (how) {
            case 0 -> {
                assertApplied(store().complete(ownership, RESULT, MOMENT));
                passes(MOMENT.multipliedBy(2));
                store().purge(100);
            }
            case 1, 2, 3 -> assertApplied(doubt(ownership));
            default -> assertApplied(release(ownership));
        }
    }

    @Test
    void fenceRisesFromReleaseToRelease() {
        Claim key = Claims.fresh();
        long before = 0;
        for (int i = 0; i < 50; i++) {
            Ownership ownership = acquire(Claims.duplicateOf(key));
            assertThat(ownership.fence()).isGreaterThan(before);
            before = ownership.fence();
            assertApplied(release(ownership));
            store().purge(100);
        }
    }
}
