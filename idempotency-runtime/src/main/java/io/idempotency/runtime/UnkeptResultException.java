package io.idempotency.runtime;

import java.io.IOException;

/**
 * Thrown by a {@link ResultCodec} for a result that cannot be kept whatever it contains, for instance a stream. It is left out, and
 * that the body ran is recorded.
 */
public final class UnkeptResultException extends IOException {

    private static final long serialVersionUID = 1L;

    /**
     * Says why.
     *
     * @param reason for operators, who read it in the log and in the refusals of duplicates; without the result's content
     */
    public UnkeptResultException(String reason) {
        super(reason);
    }
}
