package io.idempotency.test;

import io.idempotency.runtime.store.Claim;
import io.idempotency.runtime.store.Ownership;

/** Every state a record can be in, and how it got there. */
enum Situation {
    IN_PROGRESS,
    LEASE_OVER,
    DOUBTED,
    COMPLETED,
    FAILED,
    /** As nearly every record is, most of the time. */
    COMPLETED_LEASE_OVER,
    FAILED_LEASE_OVER;

    /** Claims the key and brings its record here. */
    Ownership arrange(StoreContract contract, Claim claim) {
        Ownership ownership = contract.acquire(leaseIsOver() ? Claims.lease(claim, StoreContract.SHORT) : claim);
        switch (this) {
            case IN_PROGRESS -> {}
            case LEASE_OVER -> contract.shortPasses();
            case DOUBTED -> StoreContract.assertApplied(contract.doubt(ownership));
            case COMPLETED, COMPLETED_LEASE_OVER -> StoreContract.assertApplied(contract.complete(ownership));
            case FAILED, FAILED_LEASE_OVER -> StoreContract.assertApplied(contract.fail(ownership));
        }
        if (settled() && leaseIsOver()) {
            contract.shortPasses();
        }
        return ownership;
    }

    private boolean leaseIsOver() {
        return this == LEASE_OVER || this == COMPLETED_LEASE_OVER || this == FAILED_LEASE_OVER;
    }

    private boolean settled() {
        return this != IN_PROGRESS && this != LEASE_OVER && this != DOUBTED;
    }
}
