package io.idempotency.test;

import static org.assertj.core.api.Assertions.assertThat;

import io.idempotency.runtime.store.Claim;
import io.idempotency.runtime.store.ClaimResult;
import io.idempotency.runtime.store.Ownership;
import io.idempotency.runtime.store.RecordState;
import io.idempotency.runtime.store.StoredRecord;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * The body had no effect: the key is as if it was never used. But once others may have been told that the outcome is
 * unknown and that the body is not run again, that stays true.
 */
abstract class ReleasingContract extends StoreContract {

    ReleasingContract(IdempotencyStoreTck kit) {
        super(kit);
    }

    @Test
    void releasedKeyIsAbsent() {
        Claim claim = Claims.fresh();
        assertApplied(release(acquire(claim)));
        assertAbsent(claim.id());
    }

    @Test
    void releasedKeyIsClaimedAsTheFirstAttemptWithAHigherFence() {
        Claim claim = Claims.fresh();
        Ownership ownership = acquire(claim);
        release(ownership);
        ClaimResult.Acquired next = acquired(Claims.duplicateOf(claim));
        assertThat(next.attempt()).isEqualTo(1);
        assertThat(next.fence()).isGreaterThan(ownership.fence());
    }

    @Test
    void releasedKeyMayServeOtherArgumentsAndAnotherOperation() {
        Claim claim = Claims.fresh();
        release(acquire(claim));
        Claim other = Claims.operation(Claims.fingerprint(Claims.duplicateOf(claim), "v1:6b86b273"), "refund-payment");
        acquire(other);
        assertThat(find(claim.id()).operation()).isEqualTo("refund-payment");
        assertThat(find(claim.id()).fingerprint()).isEqualTo("v1:6b86b273");
    }

    @ParameterizedTest
    @EnumSource(names = {"LEASE_OVER", "DOUBTED"})
    void recordInDoubtIsNotReleased(Situation situation) {
        Claim claim = Claims.fresh();
        Ownership ownership = situation.arrange(this, claim);
        assertStaleAndUnchanged(release(ownership), find(claim.id()));
        assertThat(duplicate(Claims.duplicateOf(claim)).state()).isEqualTo(RecordState.IN_DOUBT);
        assertApplied(complete(ownership));
    }

    @Test
    void recordThatWasInDoubtIsNotReleasedAfterItsLeaseWasRenewed() {
        Claim claim = Claims.fresh();
        Ownership ownership = Situation.LEASE_OVER.arrange(this, claim);
        assertApplied(renew(ownership, LONG));
        assertApplied(renew(ownership, LONG));
        assertThat(find(claim.id()).doubt()).isNotNull();
        assertStaleAndUnchanged(release(ownership), find(claim.id()));
        assertThat(duplicate(Claims.duplicateOf(claim)).state()).isEqualTo(RecordState.IN_PROGRESS);
        assertApplied(complete(ownership));
        assertThat(find(claim.id()).doubt()).isNull();
    }

    /** A call that saw it has told its caller that the body is not run again. */
    @ParameterizedTest
    @EnumSource(Reading.class)
    void recordThatSomebodySawInDoubtIsNotReleasedWhenTheClockIsSetBack(Reading reading) {
        Claim claim = Claims.fresh();
        Ownership ownership = Situation.LEASE_OVER.arrange(this, claim);
        assertThat(reading.of(this, claim).state()).isEqualTo(RecordState.IN_DOUBT);
        leaseStandsAgain(claim.id());
        assertStaleAndUnchanged(release(ownership), find(claim.id()));
        assertThat(find(claim.id()).owner()).isEqualTo(claim.owner());
        assertApplied(complete(ownership));
        assertThat(find(claim.id()).doubt()).isNull();
    }

    @Test
    void recordsOfOtherKeysAreNotInDoubtWithIt() {
        Claim settled = Claims.fresh();
        Claim running = Claims.fresh();
        Ownership ofRunning = acquire(running);
        complete(acquire(settled));
        Ownership past = acquire(Claims.lease(Claims.fresh(), SHORT));
        complete(past);
        StoredRecord former = find(past.id());
        Claim abandoned = Claims.fresh();
        Situation.LEASE_OVER.arrange(this, abandoned);
        assertThat(duplicate(Claims.duplicateOf(abandoned)).state()).isEqualTo(RecordState.IN_DOUBT);
        assertThat(find(settled.id()).doubt()).isNull();
        assertUnchanged(former);
        assertApplied(release(ofRunning));
    }

    /** How a record is read. */
    enum Reading {
        BY_A_DUPLICATE {
            @Override
            StoredRecord of(StoreContract contract, Claim claim) {
                return contract.duplicate(Claims.duplicateOf(claim));
            }
        },
        BY_ITSELF {
            @Override
            StoredRecord of(StoreContract contract, Claim claim) {
                return contract.find(claim.id());
            }
        },
        BY_WHO_IS_STALE {
            @Override
            StoredRecord of(StoreContract contract, Claim claim) {
                return Objects.requireNonNull(stale(contract.release(new Ownership(claim.id(), "somebody", 1))));
            }
        };

        abstract StoredRecord of(StoreContract contract, Claim claim);
    }

    @Test
    void recordThatWasTakenOverIsReleasedByItsNewOwner() {
        Claim claim = Claims.fresh();
        renew(Situation.LEASE_OVER.arrange(this, claim), SHORT);
        shortPasses();
        assertApplied(release(acquire(Claims.takingOver(Claims.duplicateOf(claim)))));
        assertAbsent(claim.id());
    }

    @Test
    void lateReleaseDoesNotHitTheNextClaim() {
        Claim claim = Claims.fresh();
        Ownership former = acquire(claim);
        release(former);
        Claim next = Claims.duplicateOf(claim);
        acquire(next);
        assertStaleAndUnchanged(release(former), find(next.id()));
    }
}
