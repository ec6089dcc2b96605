package io.idempotency.runtime.store;

/**
 * Thrown by {@link IdempotencyStore} for a result or failure that the store can never hold, because it is too large or
 * invalid. Nothing was recorded. The engine then records without it that the body ran.
 */
public final class ResultRejectedException extends RuntimeException {

    /** Describes the result. */
    public ResultRejectedException(String problem) {
        super(problem);
    }
}
