package io.idempotency.runtime.outcome;

import java.io.IOException;

/** Thrown for a recorded outcome that cannot be read, or was erased: not even its kind, result or failure, is known. */
public final class UnopenedOutcomeException extends IOException {

    /** Creates the exception; the cause says what to do. */
    public UnopenedOutcomeException(Throwable cause) {
        super(cause.getMessage(), cause);
    }
}
