package io.idempotency.runtime.engine;

import io.idempotency.runtime.store.RecordId;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import org.jspecify.annotations.Nullable;

/**
 * The claims that this JVM holds, from the grant until their outcome is told. While the lease of one certainly stands, the store
 * would tell a duplicate nothing else, so it need not be asked. A transactional claim is not among them: it may be rolled back.
 * Thread-safe.
 */
final class RunningHere {

    /** Two stores may have a record of the same id: then only the later claim is known here, and the other store is asked. */
    private final ConcurrentMap<RecordId, ActiveClaim> claims = new ConcurrentHashMap<>();

    /** A former claim of the key is over, or its lease is. */
    void begins(ActiveClaim claim) {
        claims.put(claim.call().id(), claim);
    }

    /** From now on the store may know more. Again is no harm. */
    void ends(ActiveClaim claim) {
        claims.remove(claim.call().id(), claim);
    }

    /** The claim that keeps a call from its key; null when only the store can tell. */
    @Nullable
    ActiveClaim keeping(Invocation call) {
        ActiveClaim claim = claims.get(call.id());
        return claim != null && sameStore(claim, call) && stands(claim) ? claim : null;
    }

    private static boolean sameStore(ActiveClaim claim, Invocation call) {
        return claim.call().operation().store().equals(call.operation().store());
    }

    /** Counted from before the claim was sent, so it is over here before it is over for the store. */
    private static boolean stands(ActiveClaim claim) {
        return !claim.remainingLease().isZero();
    }
}
