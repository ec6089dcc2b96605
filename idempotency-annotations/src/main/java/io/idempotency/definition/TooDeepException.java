package io.idempotency.definition;

import org.jspecify.annotations.Nullable;

/** Arguments nest too deep to be fingerprinted, as JSON that a client sent may. The body did not run. */
public final class TooDeepException extends IllegalArgumentException {

    private static final long serialVersionUID = 1L;

    /** Describes the arguments. */
    public TooDeepException(String message, @Nullable Throwable cause) {
        super(message, cause);
    }
}
