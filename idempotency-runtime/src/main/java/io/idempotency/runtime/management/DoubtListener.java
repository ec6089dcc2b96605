package io.idempotency.runtime.management;

import io.idempotency.runtime.OutcomeListener;

/** Is told of each record in doubt that this node has not reported before. Thread-safe. */
@FunctionalInterface
interface DoubtListener {

    /** A record is in doubt. */
    void onDoubt(OutcomeListener.Call call);
}
