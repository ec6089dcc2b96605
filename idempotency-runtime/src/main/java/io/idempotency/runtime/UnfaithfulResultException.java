package io.idempotency.runtime;

import java.io.IOException;
import org.jspecify.annotations.Nullable;

/**
 * Thrown by a {@link ResultCodec} for a result that it can encode, but that would be decoded as a different one. The
 * result is not stored; only the fact that the body ran is recorded.
 */
public final class UnfaithfulResultException extends IOException {

    private final boolean first;

    /**
     * Creates the exception.
     *
     * @param difference what a duplicate would get instead, for people; without the result's content
     * @param first see {@link #first()}
     * @param cause why the result cannot be decoded; null when it can
     */
    public UnfaithfulResultException(String difference, boolean first, @Nullable Throwable cause) {
        super(difference, cause);
        this.first = first;
    }

    /** Tells whether this is the first such result of its class: true once for each class of an operation. */
    public boolean first() {
        return first;
    }
}
