package io.idempotency.test;

import static org.assertj.core.api.Assertions.assertThat;

import io.idempotency.runtime.store.Claim;
import io.idempotency.runtime.store.ClaimResult;
import io.idempotency.runtime.store.Ownership;
import io.idempotency.runtime.store.RecordState;
import io.idempotency.runtime.store.StoredRecord;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Claims with {@code takeOver}: they claim again what is in doubt, and nothing else. */
abstract class TakingOverContract extends StoreContract {

    TakingOverContract(IdempotencyStoreTck kit) {
        super(kit);
    }

    @Test
    void liveClaimIsNotTakenOver() {
        Claim first = Claims.fresh();
        acquire(first);
        StoredRecord before = find(first.id());
        assertSame(duplicate(takeOver(first)), before);
        assertUnchanged(before);
    }

    @Test
    void claimWhoseLeaseIsOverIsNotTakenOverUnlessAsked() {
        Claim first = Claims.lease(Claims.fresh(), SHORT);
        acquire(first);
        shortPasses();
        StoredRecord seen = duplicate(Claims.duplicateOf(first));
        assertThat(seen.state()).isEqualTo(RecordState.IN_DOUBT);
        assertThat(seen.owner()).isEqualTo(first.owner());
    }

    @Test
    void claimWhoseLeaseIsOverIsTakenOver() {
        Claim first = Claims.lease(Claims.fresh(), SHORT);
        long fence = acquired(first).fence();
        shortPasses();
        assertTakenOver(takeOver(first), fence);
    }

    @Test
    void claimInExplicitDoubtIsTakenOver() {
        Claim first = Claims.fresh();
        Ownership ownership = acquire(first);
        doubt(ownership);
        assertTakenOver(takeOver(first), ownership.fence());
    }

    private void assertTakenOver(Claim next, long formerFence) {
        ClaimResult.Acquired acquired = acquired(next);
        assertThat(acquired.attempt()).isEqualTo(2);
        assertThat(acquired.fence()).isGreaterThan(formerFence);
        StoredRecord record = find(next.id());
        assertThat(record.state()).isEqualTo(RecordState.IN_PROGRESS);
        assertThat(record.owner()).isEqualTo(next.owner());
        assertThat(record.fence()).isEqualTo(acquired.fence());
        assertThat(record.attempt()).isEqualTo(2);
        assertThat(record.settledAt()).isNull();
        assertThat(record.doubt()).isNull();
        assertSpan(record.claimedAt(), record.leaseUntil(), next.lease());
        assertSpan(record.claimedAt(), record.expiresAt(), next.retention());
    }

    @Test
    void takeOverLeavesOtherRecordsInDoubtAlone() {
        Claim first = Claims.fresh();
        Claim other = Claims.fresh();
        doubt(acquire(first));
        doubt(acquire(other));
        StoredRecord before = find(other.id());
        assertThat(acquired(takeOver(first)).attempt()).isEqualTo(2);
        assertUnchanged(before);
    }

    @Test
    void everyTakeOverCountsAnAttemptAndRaisesTheFence() {
        Claim claim = Claims.fresh();
        long fence = 0;
        for (int attempt = 1; attempt <= 4; attempt++) {
            ClaimResult.Acquired acquired = acquired(claim);
            assertThat(acquired.attempt()).isEqualTo(attempt);
            assertThat(acquired.fence()).isGreaterThan(fence);
            fence = acquired.fence();
            doubt(new Ownership(claim.id(), claim.owner(), fence));
            claim = takeOver(claim);
        }
    }

    @Test
    void takeOverRepeatedByItsOwnerAnswersAsTheFirstOneDid() {
        Claim first = Claims.fresh();
        doubt(acquire(first));
        Claim next = takeOver(first);
        ClaimResult.Acquired acquired = acquired(next);
        assertThat(claim(next)).isEqualTo(acquired);
    }

    @Test
    void renewedClaimIsNotTakenOver() {
        Claim first = Claims.lease(Claims.fresh(), SHORT);
        Ownership ownership = acquire(first);
        shortPasses();
        assertApplied(renew(ownership, LONG));
        assertThat(duplicate(takeOver(first)).owner()).isEqualTo(first.owner());
    }

    @ParameterizedTest
    @EnumSource(names = {"COMPLETED", "FAILED", "COMPLETED_LEASE_OVER", "FAILED_LEASE_OVER"})
    void settledRecordIsNotTakenOver(Situation situation) {
        Claim first = Claims.fresh();
        situation.arrange(this, first);
        StoredRecord before = find(first.id());
        assertSame(duplicate(takeOver(first)), before);
        assertSame(duplicate(Claims.takingOver(first)), before);
        assertUnchanged(before);
    }

    @Test
    void fenceThatIsAheadOfTheClockRisesByTakingOver() {
        Claim first = Claims.fresh();
        Ownership former = aheadOfTheClock(Situation.DOUBTED.arrange(this, first));
        assertTakenOver(takeOver(first), former.fence());
    }

    private static Claim takeOver(Claim claim) {
        return Claims.lease(Claims.takingOver(Claims.duplicateOf(claim)), LONG);
    }
}
