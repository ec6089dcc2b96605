package io.idempotency.test;

import static org.assertj.core.api.Assertions.assertThat;

import io.idempotency.runtime.store.Claim;
import io.idempotency.runtime.store.Ownership;
import io.idempotency.runtime.store.RecordState;
import io.idempotency.runtime.store.StoredFailure;
import io.idempotency.runtime.store.StoredRecord;
import org.junit.jupiter.api.Test;

/** The body threw, and that is final. */
abstract class FailingContract extends StoreContract {

    FailingContract(IdempotencyStoreTck kit) {
        super(kit);
    }

    @Test
    void duplicatesGetTheFailure() {
        Claim claim = Claims.fresh();
        assertApplied(fail(acquire(claim)));
        StoredRecord seen = duplicate(Claims.duplicateOf(claim));
        assertThat(seen.state()).isEqualTo(RecordState.FAILED);
        assertThat(seen.failure()).isEqualTo(FAILURE);
    }

    @Test
    void failedRecordIsKeptFromNowOnForItsOwnRetention() {
        Claim claim = Claims.retention(Claims.fresh(), RETENTION.multipliedBy(30));
        fail(acquire(claim));
        StoredRecord record = find(claim.id());
        assertKeptSinceSettled(record, RETENTION);
    }

    @Test
    void failureAfterDoubtIsRecorded() {
        Claim claim = Claims.fresh();
        Ownership ownership = acquire(claim);
        doubt(ownership);
        assertApplied(fail(ownership));
        assertThat(find(claim.id()).failure()).isEqualTo(FAILURE);
        assertThat(find(claim.id()).doubt()).isNull();
    }

    @Test
    void secondFailureDoesNotReplaceTheFirst() {
        Claim claim = Claims.fresh();
        Ownership ownership = acquire(claim);
        fail(ownership);
        StoredRecord before = find(claim.id());
        StoredFailure other = new StoredFailure("com.acme.Other", null, null);
        assertStaleAndUnchanged(store().fail(ownership, other, RETENTION.multipliedBy(2)), before);
    }
}
