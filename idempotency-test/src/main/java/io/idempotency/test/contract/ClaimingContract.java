package io.idempotency.test.contract;

import static org.assertj.core.api.Assertions.assertThat;

import io.idempotency.runtime.store.Claim;
import io.idempotency.runtime.store.ClaimResult;
import io.idempotency.runtime.store.Ownership;
import io.idempotency.runtime.store.RecordState;
import io.idempotency.runtime.store.StoredRecord;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Verifies which claims are granted the key: first claims, duplicates, other arguments, take-overs. */
abstract class ClaimingContract extends ContractPart {

    @Test
    void firstClaimOfAnAbsentKeyIsAcquiredAndLeavesARecordInProgress() {
        Claim claim = fresh();
        assertAbsent(claim.id());
        ClaimResult.Acquired acquired = acquired(claim);
        assertThat(acquired.fence()).isPositive();
        acquire(fresh());
        assertInProgress(claim, acquired, 1);
    }

    private void assertInProgress(Claim claim, ClaimResult.Acquired acquired, int attempt) {
        assertThat(acquired.attempt()).isEqualTo(attempt);
        StoredRecord record = find(claim.id());
        assertThat(record.state()).isEqualTo(RecordState.IN_PROGRESS);
        assertThat(record.id()).isEqualTo(claim.id());
        assertThat(record.operation()).isEqualTo(claim.operation());
        assertThat(record.fingerprint()).isEqualTo(claim.fingerprint());
        assertThat(record.owner()).isEqualTo(claim.owner());
        assertThat(record.fence()).isEqualTo(acquired.fence());
        assertThat(record.attempt()).isEqualTo(attempt);
        assertThat(record.settledAt()).isNull();
        assertThat(record.doubt()).isNull();
        assertSpan(record.claimedAt(), record.leaseUntil(), claim.lease());
        assertSpan(record.claimedAt(), record.expiresAt(), claim.retention());
    }

    @Test
    void claimRepeatedByItsOwnerAnswersAsTheFirstOneDid() {
        Claim claim = withLease(fresh(), SHORT);
        assertRepeatable(claim, acquired(claim));
        Claim next = withLease(takeOver(claim), SHORT);
        assertRepeatable(next, acquired(next));
    }

    /** Verifies that a repeated claim gets the same answer, also after its lease, and takes nothing over. */
    private void assertRepeatable(Claim claim, ClaimResult.Acquired first) {
        assertThat(claim(claim)).isEqualTo(first);
        assertThat(claim(takingOver(claim))).isEqualTo(first);
        shortPasses();
        assertThat(claim(takingOver(claim))).isEqualTo(first);
    }

    @ParameterizedTest
    @EnumSource(names = {"COMPLETED", "FAILED", "COMPLETED_LEASE_OVER", "FAILED_LEASE_OVER"})
    void claimOfASettledRecordIsADuplicateAlsoForItsOwner(Situation situation) {
        Claim claim = fresh();
        arrange(situation, claim);
        StoredRecord before = find(claim.id());
        assertThat(before.state().name()).isEqualTo(situation.name().replace("_LEASE_OVER", ""));
        assertAnswered(claim, new ClaimResult.Duplicate(before));
        assertUnchanged(before);
    }

    @ParameterizedTest
    @EnumSource
    void otherArgumentsAndOtherOperationsAreToldApart(Situation situation) {
        Claim first = fresh();
        arrange(situation, first);
        StoredRecord before = find(first.id());
        Claim refund = withOperation(first, OTHER_OPERATION);
        assertAnswered(first.with(OTHER_FINGERPRINT), new ClaimResult.OtherArguments(before));
        assertAnswered(refund, new ClaimResult.OtherOperation(before));
        assertAnswered(refund.with(OTHER_FINGERPRINT), new ClaimResult.OtherOperation(before));
        assertUnchanged(before);
    }

    /** Claims by the same owner and by another one, each with and without taking over. */
    private void assertAnswered(Claim claim, ClaimResult expected) {
        Claim other = duplicateOf(claim);
        for (Claim asked : List.of(claim, other, takingOver(claim), takingOver(other))) {
            assertThat(claim(asked))
                    .usingRecursiveComparison()
                    .withStrictTypeChecking()
                    .ignoringFields("record.readAt")
                    .isEqualTo(expected);
        }
    }

    @ParameterizedTest
    @EnumSource(names = {"LEASE_OVER", "DOUBTED"})
    void recordInDoubtIsTakenOverWhereThatIsAsked(Situation situation) {
        Claim first = fresh();
        Ownership former = aheadOfTheClock(arrange(situation, first));
        StoredRecord other = find(arrange(situation, fresh()).id());
        StoredRecord seen = duplicate(duplicateOf(first));
        assertThat(seen.state()).isEqualTo(RecordState.IN_DOUBT);
        assertThat(seen.owner()).isEqualTo(first.owner());
        Claim next = takeOver(first);
        ClaimResult.Acquired acquired = acquired(next);
        assertThat(acquired.fence()).isGreaterThan(former.fence());
        assertInProgress(next, acquired, 2);
        assertUnchanged(other);
    }

    @Test
    void liveClaimIsNotTakenOverAndNotChanged() {
        Claim live = fresh();
        acquire(live);
        Claim renewed = fresh();
        assertApplied(renew(arrange(Situation.LEASE_OVER, renewed), LONG));
        for (Claim first : List.of(live, renewed)) {
            StoredRecord before = find(first.id());
            assertThat(before.owner()).isEqualTo(first.owner());
            assertSame(duplicate(takeOver(first)), before);
            assertSame(duplicate(withLease(duplicateOf(first), LONG.multipliedBy(2))), before);
            assertUnchanged(before);
        }
    }

    @Test
    void everyTakeOverCountsAnAttemptAndRaisesTheFence() {
        Claim claim = fresh();
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
}
