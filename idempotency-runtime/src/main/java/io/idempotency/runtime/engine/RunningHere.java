package io.idempotency.runtime.engine;

import io.idempotency.runtime.store.IdempotencyStore;
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

    private final ConcurrentMap<Key, ActiveClaim> claims = new ConcurrentHashMap<>();

    private record Key(IdempotencyStore store, RecordId id) {
        static Key of(Invocation call) {
            return new Key(call.operation().store(), call.id());
        }
    }

    /** A former claim of the key is over, or its lease is. */
    void begins(ActiveClaim claim) {
        claims.put(Key.of(claim.call()), claim);
    }

    /** From now on the store may know more. Again is no harm. */
    void ends(ActiveClaim claim) {
        claims.remove(Key.of(claim.call()), claim);
    }

    /** The claim that keeps a call from its key; null when only the store can tell. */
    @Nullable
    ActiveClaim keeping(Invocation call) {
        ActiveClaim claim = claims.get(Key.of(call));
        return claim != null && stands(claim) ? claim : null;
    }

    /** Counted from before the claim was sent, so it is over here before it is over for the store. */
    private static boolean stands(ActiveClaim claim) {
        return !claim.remainingLease().isZero();
    }
}
