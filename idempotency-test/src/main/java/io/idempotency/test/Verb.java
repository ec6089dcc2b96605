package io.idempotency.test;

import io.idempotency.runtime.store.Ownership;
import io.idempotency.runtime.store.Settled;

/** What an owner can do to its claim. */
enum Verb {
    COMPLETE,
    FAIL,
    RELEASE,
    DOUBT,
    RENEW;

    Settled apply(StoreContract contract, Ownership ownership) {
        return switch (this) {
            case COMPLETE -> contract.complete(ownership);
            case FAIL -> contract.fail(ownership);
            case RELEASE -> contract.release(ownership);
            case DOUBT -> contract.doubt(ownership);
            case RENEW -> contract.renew(ownership, StoreContract.LONG);
        };
    }
}
