package io.idempotency.test;

import static org.assertj.core.api.Assertions.assertThat;

import io.idempotency.runtime.store.Claim;
import io.idempotency.runtime.store.ClaimResult;
import io.idempotency.runtime.store.Ownership;
import org.junit.jupiter.api.Test;

/** The body had no effect: the key is as if it was never used. */
abstract class ReleasingContract extends StoreContract {

    ReleasingContract(IdempotencyStoreTck kit) {
        super(kit);
    }

    @Test
    void releasedKeyIsAbsent() {
        Claim claim = Claims.fresh();
        assertApplied(release(acquire(claim)));
        assertAbsent(claim.id());
    }

    @Test
    void releasedKeyIsClaimedAsTheFirstAttemptWithAHigherFence() {
        Claim claim = Claims.fresh();
        Ownership ownership = acquire(claim);
        release(ownership);
        ClaimResult.Acquired next = acquired(Claims.duplicateOf(claim));
        assertThat(next.attempt()).isEqualTo(1);
        assertThat(next.fence()).isGreaterThan(ownership.fence());
    }

    @Test
    void releasedKeyMayServeOtherArgumentsAndAnotherOperation() {
        Claim claim = Claims.fresh();
        release(acquire(claim));
        Claim other = Claims.operation(Claims.fingerprint(Claims.duplicateOf(claim), "v1:6b86b273"), "refund-payment");
        acquire(other);
        assertThat(find(claim.id()).operation()).isEqualTo("refund-payment");
        assertThat(find(claim.id()).fingerprint()).isEqualTo("v1:6b86b273");
    }

    @Test
    void lateReleaseDoesNotHitTheNextClaim() {
        Claim claim = Claims.fresh();
        Ownership former = acquire(claim);
        release(former);
        Claim next = Claims.duplicateOf(claim);
        acquire(next);
        assertStaleAndUnchanged(release(former), find(next.id()));
    }
}
