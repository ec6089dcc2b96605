package io.idempotency.test;

import static org.assertj.core.api.Assertions.assertThat;

import io.idempotency.runtime.store.Claim;
import io.idempotency.runtime.store.ClaimResult;
import io.idempotency.runtime.store.RecordState;
import io.idempotency.runtime.store.StoredRecord;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The state ABSENT and the way out of it. */
abstract class ClaimingContract extends StoreContract {

    ClaimingContract(IdempotencyStoreTck kit) {
        super(kit);
    }

    @Test
    void keyThatNobodyClaimedIsAbsent() {
        assertAbsent(Claims.fresh().id());
    }

    @Test
    void firstClaimIsAcquiredAsTheFirstAttempt() {
        ClaimResult.Acquired acquired = acquired(Claims.fresh());
        assertThat(acquired.attempt()).isEqualTo(1);
        assertThat(acquired.fence()).isPositive();
    }

    @Test
    void claimLeavesARecordInProgress() {
        Claim claim = Claims.fresh();
        long fence = acquired(claim).fence();
        StoredRecord record = find(claim.id());
        assertThat(record.state()).isEqualTo(RecordState.IN_PROGRESS);
        assertThat(record.id()).isEqualTo(claim.id());
        assertThat(record.operation()).isEqualTo(claim.operation());
        assertThat(record.fingerprint()).isEqualTo(claim.fingerprint());
        assertThat(record.owner()).isEqualTo(claim.owner());
        assertThat(record.fence()).isEqualTo(fence);
        assertThat(record.attempt()).isEqualTo(1);
        assertThat(record.settledAt()).isNull();
        assertThat(record.doubt()).isNull();
    }

    @Test
    void secondClaimOfTheSameKeyIsInProgress() {
        Claim first = Claims.fresh();
        acquire(first);
        StoredRecord seen = duplicate(Claims.duplicateOf(first));
        assertThat(seen.state()).isEqualTo(RecordState.IN_PROGRESS);
        assertThat(seen.owner()).isEqualTo(first.owner());
    }

    @Test
    void secondClaimChangesNothing() {
        Claim first = Claims.fresh();
        acquire(first);
        StoredRecord before = find(first.id());
        assertSame(duplicate(Claims.lease(Claims.duplicateOf(first), LONG.multipliedBy(2))), before);
        assertUnchanged(before);
    }

    @Test
    void claimsOfDifferentKeysDoNotMeet() {
        Claim one = Claims.fresh();
        Claim other = Claims.fresh();
        acquire(one);
        acquire(other);
        assertThat(find(one.id()).owner()).isEqualTo(one.owner());
        assertThat(find(other.id()).owner()).isEqualTo(other.owner());
    }

    @Test
    void claimRepeatedByItsOwnerAnswersAsTheFirstOneDid() {
        Claim claim = Claims.fresh();
        ClaimResult.Acquired first = acquired(claim);
        assertThat(claim(claim)).isEqualTo(first);
        assertThat(claim(Claims.takingOver(claim))).isEqualTo(first);
    }

    @Test
    void claimRepeatedByItsOwnerAfterTheLeaseTakesNothingOver() {
        Claim claim = Claims.takingOver(Claims.lease(Claims.fresh(), SHORT));
        ClaimResult.Acquired first = acquired(claim);
        shortPasses();
        assertThat(claim(claim)).isEqualTo(first);
    }

    @ParameterizedTest
    @EnumSource(names = {"COMPLETED", "FAILED", "COMPLETED_LEASE_OVER", "FAILED_LEASE_OVER"})
    void claimOfASettledRecordIsADuplicateAlsoForItsOwner(Situation situation) {
        Claim claim = Claims.fresh();
        situation.arrange(this, claim);
        StoredRecord before = find(claim.id());
        assertThat(before.state().name()).isEqualTo(situation.name().replace("_LEASE_OVER", ""));
        assertSame(duplicate(claim), before);
        assertSame(duplicate(Claims.duplicateOf(claim)), before);
        assertUnchanged(before);
    }
}
