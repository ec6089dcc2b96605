package io.idempotency.test;

import static org.assertj.core.api.Assertions.assertThat;

import io.idempotency.runtime.store.Claim;
import io.idempotency.runtime.store.IdempotencyStore;
import io.idempotency.runtime.store.Ownership;
import io.idempotency.runtime.store.RecordState;
import io.idempotency.runtime.store.Renewal;
import io.idempotency.runtime.store.Settled;
import io.idempotency.runtime.store.StoredRecord;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** The lease is a field of the record, not the record's life. */
abstract class LeasesContract extends StoreContract {

    LeasesContract(IdempotencyStoreTck kit) {
        super(kit);
    }

    @Test
    void claimIsInDoubtOnceItsLeaseIsOver() {
        Claim claim = Claims.lease(Claims.fresh(), SHORT);
        acquire(claim);
        shortPasses();
        StoredRecord record = find(claim.id());
        assertThat(record.state()).isEqualTo(RecordState.IN_DOUBT);
        assertThat(record.remainingLease()).isZero();
        assertThat(record.doubt()).isIn(null, IdempotencyStore.LEASE_OVER);
        assertThat(record.settledAt()).isNull();
        assertThat(duplicate(Claims.duplicateOf(claim)).state()).isEqualTo(RecordState.IN_DOUBT);
    }

    @Test
    void endOfTheLeaseDestroysNoEvidence() {
        Claim claim = Claims.lease(Claims.fresh(), SHORT);
        acquire(claim);
        StoredRecord before = find(claim.id());
        passes(SHORT.multipliedBy(4));
        assertThat(find(claim.id()))
                .usingRecursiveComparison()
                .ignoringFields("readAt", "state", "doubt")
                .isEqualTo(before);
    }

    @Test
    void renewedLeaseStandsFromNowOn() {
        Claim claim = Claims.lease(Claims.fresh(), SHORT);
        Ownership ownership = acquire(claim);
        passes(SHORT.dividedBy(2));
        assertApplied(renew(ownership, LONG));
        shortPasses();
        StoredRecord record = find(claim.id());
        assertThat(record.state()).isEqualTo(RecordState.IN_PROGRESS);
        assertThat(Duration.between(record.claimedAt(), record.leaseUntil()))
                .isGreaterThanOrEqualTo(LONG.plus(SHORT.dividedBy(2)));
    }

    @Test
    void leaseThatIsOverCanBeRenewedWhileNobodyTookOver() {
        Claim claim = Claims.lease(Claims.fresh(), SHORT);
        Ownership ownership = acquire(claim);
        shortPasses();
        assertApplied(renew(ownership, LONG));
        assertThat(duplicate(Claims.duplicateOf(claim)).state()).isEqualTo(RecordState.IN_PROGRESS);
    }

    @Test
    void renewedLeaseEndsAsWell() {
        Claim claim = Claims.fresh();
        assertApplied(renew(acquire(claim), SHORT));
        shortPasses();
        assertThat(find(claim.id()).state()).isEqualTo(RecordState.IN_DOUBT);
    }

    @Test
    void renewalChangesLeaseAndRetentionOnly() {
        Claim claim = Claims.fresh();
        Ownership ownership = acquire(claim);
        StoredRecord before = find(claim.id());
        assertApplied(store().renew(List.of(new Renewal(ownership, LONG.multipliedBy(2), RETENTION.multipliedBy(3))))
                .get(0));
        StoredRecord after = find(claim.id());
        assertThat(after)
                .usingRecursiveComparison()
                .ignoringFields("readAt", "leaseUntil", "expiresAt")
                .isEqualTo(before);
        assertSpan(
                after.leaseUntil(), after.expiresAt(), RETENTION.multipliedBy(3).minus(LONG.multipliedBy(2)));
    }

    @Test
    void claimPutInDoubtCannotBeRenewed() {
        Claim claim = Claims.fresh();
        Ownership ownership = acquire(claim);
        doubt(ownership);
        assertStaleAndUnchanged(renew(ownership, LONG), find(claim.id()));
    }

    @Test
    void manyClaimsAreRenewedAtOnceAndAnsweredInTheirOrder() {
        List<Ownership> held =
                Stream.generate(() -> acquire(Claims.fresh())).limit(40).toList();
        Ownership lost = Situation.COMPLETED.arrange(this, Claims.fresh());
        Ownership none = new Ownership(Claims.fresh().id(), "owner", 1);
        List<Ownership> all = new ArrayList<>(held);
        all.add(7, lost);
        all.add(23, none);
        List<Settled> answers = store().renew(all.stream()
                .map(it -> new Renewal(it, LONG.multipliedBy(all.indexOf(it) + 2), RETENTION))
                .toList());
        assertThat(answers).hasSameSizeAs(all);
        for (Ownership ownership : held) {
            int place = all.indexOf(ownership);
            assertApplied(answers.get(place));
            StoredRecord record = find(ownership.id());
            assertThat(Duration.between(record.claimedAt(), record.leaseUntil()))
                    .isBetween(LONG.multipliedBy(place + 2), LONG.multipliedBy(place + 3));
        }
        assertStaleAndUnchanged(answers.get(7), find(lost.id()));
        assertThat(stale(answers.get(23))).isNull();
        assertAbsent(none.id());
    }

    @Test
    void noClaimsAreRenewed() {
        assertThat(store().renew(List.of())).isEmpty();
    }
}
