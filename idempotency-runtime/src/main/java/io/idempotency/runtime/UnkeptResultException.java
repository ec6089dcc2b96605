package io.idempotency.runtime;

import java.io.IOException;

/**
 * Thrown by a {@link ResultCodec} for a result that can never be stored, whatever it contains, for instance a stream.
 * Only the fact that the body ran is recorded.
 */
public final class UnkeptResultException extends IOException {

    /** Says why, for operators, who read it in the log and in refusals; without the result's content. */
    public UnkeptResultException(String reason) {
        super(reason);
    }
}
