package io.idempotency.test.contract;

import static org.assertj.core.api.Assertions.assertThat;

import io.idempotency.runtime.store.Claim;
import io.idempotency.runtime.store.ClaimResult;
import io.idempotency.runtime.store.Ownership;
import io.idempotency.runtime.store.RecordState;
import io.idempotency.runtime.store.StoredRecord;
import java.util.List;
import java.util.Objects;
import java.util.function.Function;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * The body had no effect: the key is as if it was never used. But once a caller may have heard that
 * the outcome is unknown and that the body is not run again, that stays true.
 */
abstract class ReleasingContract extends ContractPart {

    @Test
    void releasedKeyIsAsIfItWasNeverUsedButForItsFence() {
        Claim claim = fresh();
        Ownership ownership = acquire(claim);
        assertApplied(release(ownership));
        assertAbsent(claim.id());
        ClaimResult.Acquired next =
                acquired(withOperation(duplicateOf(claim), OTHER_OPERATION).with(OTHER_FINGERPRINT));
        assertThat(next.attempt()).isEqualTo(1);
        assertThat(next.fence()).isGreaterThan(ownership.fence());
        assertThat(find(claim.id()).operation()).isEqualTo(OTHER_OPERATION);
        assertThat(find(claim.id()).fingerprint()).isEqualTo(OTHER_FINGERPRINT);
    }

    @Test
    void lateReleaseDoesNotHitTheNextClaim() {
        Claim claim = fresh();
        Ownership former = acquire(claim);
        release(former);
        acquire(duplicateOf(claim));
        assertStaleAndUnchanged(release(former), find(claim.id()));
    }

    @ParameterizedTest
    @EnumSource(names = {"LEASE_OVER", "DOUBTED"})
    void recordInDoubtIsNotReleased(Situation situation) {
        Claim claim = fresh();
        Ownership ownership = arrange(situation, claim);
        assertStaleAndUnchanged(release(ownership), find(claim.id()));
        assertThat(duplicate(duplicateOf(claim)).state()).isEqualTo(RecordState.IN_DOUBT);
        assertApplied(complete(ownership));
    }

    @Test
    void recordThatWasInDoubtIsNotReleasedAfterItsLeaseWasRenewed() {
        Claim claim = fresh();
        Ownership ownership = arrange(Situation.LEASE_OVER, claim);
        assertApplied(renew(ownership, LONG));
        assertApplied(renew(ownership, LONG));
        assertThat(find(claim.id()).doubt()).isNotNull();
        assertStaleAndUnchanged(release(ownership), find(claim.id()));
        assertThat(duplicate(duplicateOf(claim)).state()).isEqualTo(RecordState.IN_PROGRESS);
        assertApplied(complete(ownership));
        assertThat(find(claim.id()).doubt()).isNull();
    }

    /** The call that saw it answered that the body is not run again. */
    @Test
    void recordThatWasSeenInDoubtIsNotReleasedWhenTheClockIsSetBack() {
        List<Function<Claim, StoredRecord>> readings = List.of(
                claim -> duplicate(duplicateOf(claim)),
                claim -> find(claim.id()),
                claim -> Objects.requireNonNull(stale(release(new Ownership(claim.id(), "somebody", 1)))));
        for (Function<Claim, StoredRecord> reading : readings) {
            Claim claim = fresh();
            Ownership ownership = arrange(Situation.LEASE_OVER, claim);
            assertThat(reading.apply(claim).state()).isEqualTo(RecordState.IN_DOUBT);
            contract().moveLease(claim.id(), LONG);
            assertStaleAndUnchanged(release(ownership), find(claim.id()));
            assertThat(find(claim.id()).owner()).isEqualTo(claim.owner());
            assertApplied(complete(ownership));
            assertThat(find(claim.id()).doubt()).isNull();
        }
    }

    @Test
    void recordsOfOtherKeysAreNotInDoubtWithIt() {
        Claim settled = fresh();
        Ownership running = acquire(fresh());
        complete(acquire(settled));
        Ownership past = acquire(withLease(fresh(), SHORT));
        complete(past);
        StoredRecord former = find(past.id());
        Claim abandoned = fresh();
        arrange(Situation.LEASE_OVER, abandoned);
        assertThat(duplicate(duplicateOf(abandoned)).state()).isEqualTo(RecordState.IN_DOUBT);
        assertThat(find(settled.id()).doubt()).isNull();
        assertUnchanged(former);
        assertApplied(release(running));
    }

    @Test
    void recordThatWasTakenOverIsReleasedByItsNewOwner() {
        Claim claim = fresh();
        renew(arrange(Situation.LEASE_OVER, claim), SHORT);
        shortPasses();
        assertApplied(release(acquire(takeOver(claim))));
        assertAbsent(claim.id());
    }
}
