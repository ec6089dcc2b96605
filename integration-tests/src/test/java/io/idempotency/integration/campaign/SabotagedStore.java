package io.idempotency.integration.campaign;

import io.idempotency.integration.campaign.Sabotage.Defect;
import io.idempotency.runtime.store.Claim;
import io.idempotency.runtime.store.ClaimResult;
import io.idempotency.runtime.store.ForwardingStore;
import io.idempotency.runtime.store.IdempotencyStore;
import io.idempotency.runtime.store.Ownership;
import io.idempotency.runtime.store.RecordState;
import io.idempotency.runtime.store.Settled;
import io.idempotency.runtime.store.StoredFailure;
import io.idempotency.runtime.store.StoredRecord;
import io.idempotency.runtime.store.StoredResult;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/** A store with one {@link Defect}. */
final class SabotagedStore extends ForwardingStore {

    private static final int TRIES = 100;

    private final Defect defect;

    SabotagedStore(IdempotencyStore store, Defect defect) {
        super(store);
        this.defect = defect;
    }

    @Override
    public ClaimResult claim(Claim claim) {
        ClaimResult result = super.claim(claim);
        if (defect == Defect.NO_FINGERPRINT && result instanceof ClaimResult.OtherArguments other) {
            return new ClaimResult.Duplicate(other.record());
        }
        if (!(result instanceof ClaimResult.Duplicate duplicate)) {
            return result;
        }
        return switch (defect) {
            case CLAIM_WITHOUT_CONDITION ->
                new ClaimResult.Acquired(duplicate.record().fence(), 1);
            case LEASE_AS_TTL ->
                duplicate.record().state() == RecordState.IN_DOUBT ? super.claim(takingOver(claim)) : result;
            default -> result;
        };
    }

    private static Claim takingOver(Claim claim) {
        return new Claim(
                claim.id(),
                claim.operation(),
                claim.fingerprint(),
                claim.owner(),
                claim.lease(),
                claim.retention(),
                true);
    }

    @Override
    public Settled complete(Ownership ownership, StoredResult result, Duration retention) {
        if (defect == Defect.RELEASE_ON_FAILED_COMPLETION) {
            return completeOrRelease(ownership, result, retention);
        }
        Settled settled = super.complete(ownership, result, retention);
        boolean ofAnother = settled instanceof Settled.Stale stale && stale.current() != null;
        if (defect != Defect.COMPLETE_WITHOUT_OWNER || !ofAnother) {
            return settled;
        }
        StoredRecord now = ((Settled.Stale) settled).current();
        return super.complete(new Ownership(ownership.id(), now.owner(), now.fence()), result, retention);
    }

    private Settled completeOrRelease(Ownership ownership, StoredResult result, Duration retention) {
        try {
            return super.complete(ownership, result, retention);
        } catch (RuntimeException failure) {
            for (int i = 0; i < TRIES; i++) {
                try {
                    super.release(ownership);
                    break;
                } catch (RuntimeException stillAway) {
                    LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(50));
                }
            }
            throw failure;
        }
    }

    @Override
    public Settled fail(Ownership ownership, StoredFailure failure, Duration retention) {
        return defect == Defect.DELETE_ON_EXCEPTION
                ? super.release(ownership)
                : super.fail(ownership, failure, retention);
    }

    @Override
    public Settled doubt(Ownership ownership, String reason, Duration retention) {
        return defect == Defect.DELETE_ON_EXCEPTION
                ? super.release(ownership)
                : super.doubt(ownership, reason, retention);
    }
}
