package io.idempotency.runtime.outcome;

import java.io.IOException;

/** A recorded outcome cannot be opened; whether it is a result or a failure is not known. */
public final class UnopenedOutcomeException extends IOException {

    private static final long serialVersionUID = 1L;

    /**
     * Creates the exception.
     *
     * @param cause says what to do
     */
    public UnopenedOutcomeException(IOException cause) {
        super(cause.getMessage(), cause);
    }
}
