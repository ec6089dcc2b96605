package io.idempotency.test;

import io.idempotency.runtime.store.Claim;
import io.idempotency.runtime.store.Ownership;

/** Every state a record can be in, and how it got there. */
enum Situation {
    IN_PROGRESS,
    LEASE_OVER,
    DOUBTED,
    COMPLETED,
    FAILED;

    /** Claims the key and brings its record here. */
    Ownership arrange(StoreContract contract, Claim claim) {
        Ownership ownership = contract.acquire(this == LEASE_OVER ? Claims.lease(claim, StoreContract.SHORT) : claim);
        switch (this) {
            case IN_PROGRESS -> {}
            case LEASE_OVER -> contract.shortPasses();
            case DOUBTED -> StoreContract.assertApplied(contract.doubt(ownership));
            case COMPLETED -> StoreContract.assertApplied(contract.complete(ownership));
            case FAILED -> StoreContract.assertApplied(contract.fail(ownership));
        }
        return ownership;
    }
}
