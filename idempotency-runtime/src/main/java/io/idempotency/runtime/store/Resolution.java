package io.idempotency.runtime.store;

import java.time.Duration;

/** How an operator settles a record in doubt. */
public sealed interface Resolution {

    /** The effect happened. */
    record Complete(StoredResult result, Duration retention) implements Resolution {}

    /** The effect happened in part or failed for good. */
    record Fail(StoredFailure failure, Duration retention) implements Resolution {}

    /** The effect is proven not to have happened: the record is removed and the next call runs the body. */
    record Forget() implements Resolution {}
}
