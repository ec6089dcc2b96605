package io.idempotency.test;

import static org.assertj.core.api.Assertions.assertThat;

import io.idempotency.runtime.store.Claim;
import io.idempotency.runtime.store.Ownership;
import io.idempotency.runtime.store.RecordState;
import io.idempotency.runtime.store.StoredRecord;
import io.idempotency.runtime.store.StoredResult;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;

/** The body returned. */
abstract class CompletingContract extends StoreContract {

    CompletingContract(IdempotencyStoreTck kit) {
        super(kit);
    }

    @Test
    void duplicatesGetTheResult() {
        Claim claim = Claims.fresh();
        assertApplied(complete(acquire(claim)));
        StoredRecord seen = duplicate(Claims.duplicateOf(claim));
        assertThat(seen.state()).isEqualTo(RecordState.COMPLETED);
        assertThat(seen.result()).isEqualTo(RESULT);
        assertThat(find(claim.id()).result()).isEqualTo(RESULT);
    }

    @Test
    void operationFingerprintAndClaimAreKept() {
        Claim claim = Claims.fresh();
        Ownership ownership = acquire(claim);
        StoredRecord before = find(claim.id());
        complete(ownership);
        assertThat(find(claim.id()))
                .usingRecursiveComparison()
                .ignoringFields("state", "settledAt", "expiresAt", "readAt", "result")
                .isEqualTo(before);
    }

    @Test
    void completedRecordIsKeptFromNowOnForItsOwnRetention() {
        Claim claim = Claims.retention(Claims.fresh(), RETENTION.multipliedBy(30));
        complete(acquire(claim));
        StoredRecord record = find(claim.id());
        assertKeptSinceSettled(record, RETENTION);
    }

    @Test
    void resultCanBeOmitted() {
        StoredResult omitted = new StoredResult.Omitted("larger than 1 MiB", 5_000_000_000L);
        Claim claim = Claims.fresh();
        assertApplied(store().complete(acquire(claim), omitted, RETENTION));
        assertThat(duplicate(Claims.duplicateOf(claim)).result()).isEqualTo(omitted);
    }

    @Test
    void completionAfterDoubtClearsIt() {
        Claim claim = Claims.fresh();
        Ownership ownership = acquire(claim);
        doubt(ownership);
        assertApplied(complete(ownership));
        assertThat(find(claim.id()).state()).isEqualTo(RecordState.COMPLETED);
        assertThat(find(claim.id()).doubt()).isNull();
    }

    @Test
    void secondResultDoesNotReplaceTheFirst() {
        Claim claim = Claims.fresh();
        Ownership ownership = acquire(claim);
        complete(ownership);
        StoredRecord before = find(claim.id());
        StoredResult other = new StoredResult.Present("another".getBytes(StandardCharsets.UTF_8));
        assertStaleAndUnchanged(store().complete(ownership, other, RETENTION.multipliedBy(2)), before);
    }
}
