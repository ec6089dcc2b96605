package io.idempotency.runtime.outcome;

import java.io.IOException;

/** Thrown for a recorded outcome that cannot be opened, so that not even its kind, result or failure, is known. */
public final class UnopenedOutcomeException extends IOException {

    /** Creates the exception; the cause says what to do. */
    public UnopenedOutcomeException(IOException cause) {
        super(cause.getMessage(), cause);
    }
}
