package io.idempotency.runtime.simulation;

import io.idempotency.runtime.store.AuditNote;
import io.idempotency.runtime.store.Claim;
import io.idempotency.runtime.store.ClaimResult;
import io.idempotency.runtime.store.ForwardingStore;
import io.idempotency.runtime.store.IdempotencyStore;
import io.idempotency.runtime.store.Ownership;
import io.idempotency.runtime.store.RecordId;
import io.idempotency.runtime.store.Resolution;
import io.idempotency.runtime.store.Settled;
import io.idempotency.runtime.store.StoredResult;
import java.time.Duration;

/** Stores that break one of their duties. */
final class BrokenStores {

    private BrokenStores() {}

    /** Grants what somebody else's lease still protects. */
    static final class GrantsWhatIsHeld extends ForwardingStore {
        GrantsWhatIsHeld(IdempotencyStore honest) {
            super(honest);
        }

        @Override
        public ClaimResult claim(Claim claim) {
            ClaimResult result = super.claim(claim);
            return result instanceof ClaimResult.Duplicate duplicate
                            && duplicate.record().result() == null
                            && duplicate.record().failure() == null
                    ? new ClaimResult.Acquired(duplicate.record().fence() + 1, 1)
                    : result;
        }
    }

    /** Tells everybody the same fence. */
    static final class OneFence extends ForwardingStore {
        OneFence(IdempotencyStore honest) {
            super(honest);
        }

        @Override
        public ClaimResult claim(Claim claim) {
            ClaimResult result = super.claim(claim);
            return result instanceof ClaimResult.Acquired acquired
                    ? new ClaimResult.Acquired(1, acquired.attempt())
                    : result;
        }
    }

    /** Says that an operator's word is applied, and forgets it. */
    static final class IgnoresOperators extends ForwardingStore {
        IgnoresOperators(IdempotencyStore honest) {
            super(honest);
        }

        @Override
        public Settled resolve(RecordId id, long fence, Resolution resolution, AuditNote note) {
            return new Settled.Applied();
        }
    }

    /** What an engine would do that takes a failing store for an answer. */
    static final class ReleasesOnFailure extends ForwardingStore {
        ReleasesOnFailure(IdempotencyStore honest) {
            super(honest);
        }

        @Override
        public Settled complete(Ownership ownership, StoredResult result, Duration retention) {
            try {
                return super.complete(ownership, result, retention);
            } catch (RuntimeException e) {
                return super.release(ownership);
            }
        }
    }
}
