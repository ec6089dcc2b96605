package io.idempotency.runtime.engine;

import io.idempotency.IdempotencyException;
import io.idempotency.runtime.Outcome;
import io.idempotency.runtime.call.Invocation;
import io.idempotency.runtime.store.Claim;
import io.idempotency.runtime.store.StoredRecord;
import java.util.function.Function;

/** What one claim came to. */
sealed interface ClaimDecision {

    /** The call owns the key, and is to run. */
    record Granted(ActiveClaim claim) implements ClaimDecision {}

    /** The body is not run by this call; every other duplicate gets the same answer, made for it. */
    record Known(Function<Invocation, Outcome> answer) implements ClaimDecision {}

    /** Another call owns the key, and its lease stands. */
    record Busy(StoredRecord record) implements ClaimDecision {}

    /** The store could not be asked, nothing is known of the key, and the operation runs its body all the same. */
    record Unasked(Claim request, Throwable failure) implements ClaimDecision {}

    /** A refusal of every duplicate, with an exception of its own for each. */
    static ClaimDecision refused(Function<Invocation, IdempotencyException> reason) {
        return new Known(call -> new Outcome.Refused(reason.apply(call)));
    }
}
