package io.idempotency.runtime.engine;

import io.idempotency.runtime.call.CallFingerprint;
import io.idempotency.runtime.store.Claim;
import io.idempotency.runtime.store.ClaimResult;
import io.idempotency.runtime.store.IdempotencyStore;
import io.idempotency.runtime.store.StoredRecord;

/**
 * Claims a key whose record may have its fingerprint in another form than this node writes. A store takes such a record for
 * one of other arguments and leaves it alone; where the call's fingerprint in that form is the same, the claim is made again
 * with it. Each claim is decided by the store alone, and nothing runs on what was read in between.
 */
final class MultiFormClaim {

    /** Every claim after the second means that the record was replaced by one of another form meanwhile. */
    private static final int MOST = 4;

    private MultiFormClaim() {}

    /**
     * The last claim that was made, and its result.
     *
     * @param claim the last one that was made
     * @param result its answer
     */
    record Answered(Claim claim, ClaimResult result) {}

    static Answered ask(IdempotencyStore store, Claim claim, CallFingerprint fingerprint) {
        Claim asked = claim;
        ClaimResult result = store.claim(asked);
        for (int made = 1; made < MOST && result instanceof ClaimResult.OtherArguments other; made++) {
            if (!same(fingerprint, other.record())) {
                break;
            }
            asked = claim.with(other.record().fingerprint());
            result = store.claim(asked);
        }
        return new Answered(asked, result);
    }

    /** Returns the result that a claim would have against a record that was read. Writes nothing. */
    static ClaimResult answer(Claim claim, CallFingerprint fingerprint, StoredRecord record) {
        return ClaimResult.of(same(fingerprint, record) ? claim.with(record.fingerprint()) : claim, record);
    }

    private static boolean same(CallFingerprint fingerprint, StoredRecord record) {
        return record.fingerprint().equals(fingerprint.in(record.fingerprint()));
    }
}
