package io.idempotency.test.contract;

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
abstract class LeasesContract extends ContractPart {

    @Test
    void endOfTheLeaseDestroysNoEvidence() {
        Claim claim = withLease(fresh(), SHORT);
        acquire(claim);
        StoredRecord before = find(claim.id());
        passes(SHORT.multipliedBy(4));
        StoredRecord record = find(claim.id());
        assertSame(record, before, "state", "doubt");
        assertThat(record.state()).isEqualTo(RecordState.IN_DOUBT);
        assertThat(record.remainingLease()).isZero();
        assertThat(record.doubt()).isIn(null, IdempotencyStore.LEASE_OVER);
        assertThat(duplicate(duplicateOf(claim)).state()).isEqualTo(RecordState.IN_DOUBT);
    }

    @Test
    void renewedLeaseStandsFromNowOn() {
        Claim claim = withLease(fresh(), SHORT);
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
    void leaseThatIsOverCanBeRenewedWhileTheKeyIsNotTakenOverAndEndsAgain() {
        Claim claim = fresh();
        Ownership ownership = arrange(Situation.LEASE_OVER, claim);
        assertApplied(renew(ownership, LONG));
        assertThat(duplicate(duplicateOf(claim)).state()).isEqualTo(RecordState.IN_PROGRESS);
        assertApplied(renew(ownership, SHORT));
        shortPasses();
        assertThat(find(claim.id()).state()).isEqualTo(RecordState.IN_DOUBT);
    }

    @Test
    void renewalChangesLeaseAndRetentionOnly() {
        Ownership ownership = acquire(fresh());
        StoredRecord before = find(ownership.id());
        Duration lease = LONG.multipliedBy(2);
        Duration retention = RETENTION.multipliedBy(3);
        assertApplied(renew(ownership, lease, retention));
        StoredRecord after = find(ownership.id());
        assertSame(after, before, "leaseUntil", "expiresAt");
        assertSpan(after.leaseUntil(), after.expiresAt(), retention.minus(lease));
    }

    @Test
    void claimPutInDoubtCannotBeRenewed() {
        Ownership ownership = arrange(Situation.DOUBTED, fresh());
        assertStaleAndUnchanged(renew(ownership, LONG), find(ownership.id()));
    }

    @Test
    void manyClaimsAreRenewedAtOnceAndAnsweredInTheirOrder() {
        List<Ownership> held = Stream.generate(() -> acquire(fresh())).limit(40).toList();
        Ownership lost = arrange(Situation.COMPLETED, fresh());
        Ownership none = new Ownership(fresh().id(), "owner", 1);
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
        assertThat(store().renew(List.of())).isEmpty();
    }
}
