package io.idempotency.runtime.engine;

import java.io.IOException;

/** A recorded outcome cannot be opened. It may be a result or a failure; which is not known. */
final class UnopenedOutcomeException extends IOException {

    private static final long serialVersionUID = 1L;

    UnopenedOutcomeException(IOException cause) {
        super(cause.getMessage(), cause);
    }
}
