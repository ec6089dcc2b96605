package io.idempotency.test;

import static org.assertj.core.api.Assertions.assertThat;

import io.idempotency.runtime.store.Claim;
import io.idempotency.runtime.store.Ownership;
import io.idempotency.runtime.store.RecordState;
import io.idempotency.runtime.store.StoredRecord;
import org.junit.jupiter.api.Test;

/** The owner says that it does not know the outcome. */
abstract class DoubtContract extends StoreContract {

    DoubtContract(IdempotencyStoreTck kit) {
        super(kit);
    }

    @Test
    void claimIsInDoubtAtOnceAndSaysWhy() {
        Claim claim = Claims.fresh();
        assertApplied(doubt(acquire(claim)));
        StoredRecord seen = duplicate(Claims.duplicateOf(claim));
        assertThat(seen.state()).isEqualTo(RecordState.IN_DOUBT);
        assertThat(seen.doubt()).isEqualTo("the connection broke");
        assertThat(seen.settledAt()).isNotNull();
    }

    @Test
    void doubtKeepsTheClaim() {
        Claim claim = Claims.fresh();
        Ownership ownership = acquire(claim);
        StoredRecord before = find(claim.id());
        doubt(ownership);
        assertThat(find(claim.id()))
                .usingRecursiveComparison()
                .ignoringFields("state", "settledAt", "expiresAt", "leaseUntil", "readAt", "doubt")
                .isEqualTo(before);
    }

    @Test
    void recordInDoubtIsKeptFromNowOnForItsOwnRetention() {
        Claim claim = Claims.fresh();
        Ownership ownership = acquire(claim);
        assertApplied(store().doubt(ownership, "timed out", RETENTION.multipliedBy(30)));
        StoredRecord record = find(claim.id());
        assertKeptSinceSettled(record, RETENTION.multipliedBy(30));
    }

    @Test
    void doubtDoesNotPassWithTime() {
        Claim claim = Claims.fresh();
        doubt(acquire(claim));
        shortPasses();
        assertThat(find(claim.id()).state()).isEqualTo(RecordState.IN_DOUBT);
    }

    @Test
    void reasonCanBeAddedAfterTheLease() {
        Claim claim = Claims.lease(Claims.fresh(), SHORT);
        Ownership ownership = acquire(claim);
        shortPasses();
        assertApplied(doubt(ownership));
        assertThat(find(claim.id()).doubt()).isEqualTo("the connection broke");
    }

    @Test
    void secondDoubtChangesNothing() {
        Claim claim = Claims.fresh();
        Ownership ownership = acquire(claim);
        assertApplied(store().doubt(ownership, "timed out", RETENTION));
        StoredRecord before = find(claim.id());
        passes(SHORT);
        assertApplied(store().doubt(ownership, "the connection broke", RETENTION.multipliedBy(2)));
        assertUnchanged(before);
    }
}
