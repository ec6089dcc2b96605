package io.idempotency.runtime;

import java.io.IOException;
import org.jspecify.annotations.Nullable;

/**
 * Thrown by a {@link ResultCodec} for a result that it can write, but that would not come back as it was. Such a result is left
 * out, and that the body ran is recorded.
 */
public final class UnfaithfulResultException extends IOException {

    private static final long serialVersionUID = 1L;

    private final boolean first;

    /**
     * Describes the difference.
     *
     * @param difference what a duplicate would get instead, for people; without the result's content
     * @param cause why it cannot be read; null when it can
     */
    public UnfaithfulResultException(String difference, boolean first, @Nullable Throwable cause) {
        super(difference, cause);
        this.first = first;
    }

    /** Whether this is the first result of its kind: true once for each class of an operation. */
    public boolean first() {
        return first;
    }
}
