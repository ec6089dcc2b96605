package io.idempotency.runtime.engine;

import io.idempotency.runtime.call.CallFingerprint;
import io.idempotency.runtime.call.Invocation;
import io.idempotency.runtime.store.Claim;
import io.idempotency.runtime.store.ClaimResult;
import io.idempotency.runtime.store.IdempotencyStore;
import io.idempotency.runtime.store.IdempotencyStore.ClaimsRefusedException;
import io.idempotency.runtime.store.StoredRecord;
import io.idempotency.runtime.store.TransactionalStore.KeyLockedException;
import io.idempotency.runtime.store.UnreadableRecordException;

/**
 * Claims a key whose record may have its fingerprint in another form than this node writes. A store treats such a
 * record as one of other arguments and leaves it alone. If the call's fingerprint in the record's form is equal, the
 * claim is sent again in that form. The store alone decides each claim: nothing runs because of what was read in
 * between.
 */
final class MultiFormClaim {

    private MultiFormClaim() {}

    static ClaimResult ask(IdempotencyStore store, Claim claim, CallFingerprint fingerprint) {
        ClaimResult result = store.claim(claim);
        return result instanceof ClaimResult.OtherArguments other && same(fingerprint, other.record())
                ? again(store, claim.with(other.record().fingerprint()))
                : result;
    }

    /** Claims a key that has a record: from now on no failure says that nothing is known of the key. */
    private static ClaimResult again(IdempotencyStore store, Claim claim) {
        try {
            return store.claim(claim);
        } catch (UnreadableRecordException | ClaimsRefusedException | KeyLockedException e) {
            throw e;
        } catch (RuntimeException e) {
            throw new ClaimsRefusedException(String.valueOf(e.getMessage()), e);
        }
    }

    /** Returns the result that a claim would have against a record that was read. Writes nothing. */
    static ClaimResult answer(Claim claim, CallFingerprint fingerprint, StoredRecord record) {
        return ClaimResult.of(same(fingerprint, record) ? claim.with(record.fingerprint()) : claim, record);
    }

    /** Tells whether a record is of the same operation and arguments as a call. */
    static boolean sameCall(Invocation call, StoredRecord record) {
        return record.operation().equals(call.operation().name()) && same(call.fingerprint(), record);
    }

    private static boolean same(CallFingerprint fingerprint, StoredRecord record) {
        return record.fingerprint().equals(fingerprint.in(record.fingerprint()));
    }
}
