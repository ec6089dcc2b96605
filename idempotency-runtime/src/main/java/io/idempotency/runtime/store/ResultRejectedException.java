package io.idempotency.runtime.store;

/**
 * Thrown by {@link IdempotencyStore#complete} for a result that the store can never hold, however often it is asked: too
 * large, or invalid to it. Nothing was recorded. The result is then left out, and that the body ran is recorded.
 */
public final class ResultRejectedException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    /** Describes the result. */
    public ResultRejectedException(String problem) {
        super(problem);
    }
}
