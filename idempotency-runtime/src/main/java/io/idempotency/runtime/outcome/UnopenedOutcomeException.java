package io.idempotency.runtime.outcome;

import java.io.IOException;

/** A recorded outcome cannot be opened. It may be a result or a failure; which is not known. */
public final class UnopenedOutcomeException extends IOException {

    private static final long serialVersionUID = 1L;

    /**
     * Describes it.
     *
     * @param cause says what to do
     */
    public UnopenedOutcomeException(IOException cause) {
        super(cause.getMessage(), cause);
    }
}
