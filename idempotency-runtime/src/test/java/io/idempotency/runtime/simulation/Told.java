package io.idempotency.runtime.simulation;

import io.idempotency.IdempotencyException;
import io.idempotency.OperationInProgressException;
import io.idempotency.OutcomeUnknownException;
import io.idempotency.PreviousAttemptFailedException;
import io.idempotency.ResultUnavailableException;
import io.idempotency.runtime.Effect;
import io.idempotency.runtime.Outcome;

/**
 * What a caller has heard.
 *
 * @param kind what it means
 * @param value the result, or what was thrown
 * @param recorded whether the store is said to know it
 * @param here whether the body is said to have run in this call
 */
record Told(Kind kind, String value, boolean recorded, boolean here) {

    enum Kind {
        VALUE,
        FAILED,
        /** It ran and returned, and there is no result to give. */
        UNAVAILABLE,
        UNKNOWN,
        /** It ran here, without an effect. */
        NOTHING,
        BUSY,
        /** Its claim was lost to a call that runs. */
        OVERTAKEN,
        NOT_RUN,
        /** An {@code Error} of the virtual machine. */
        ERROR,
        /** Nothing that a caller should ever be told. */
        DEFECT
    }

    /** Whether others have to be told the same. */
    boolean settled() {
        return kind == Kind.VALUE || kind == Kind.FAILED;
    }

    static Told of(Outcome outcome) {
        if (outcome instanceof Outcome.Executed executed) {
            return new Told(Kind.VALUE, "" + executed.value(), executed.recorded() == Outcome.Recorded.YES, true);
        } else if (outcome instanceof Outcome.Replayed replayed) {
            return new Told(Kind.VALUE, "" + replayed.value(), true, false);
        } else if (outcome instanceof Outcome.Threw threw) {
            return new Told(kind(threw.effect()), "" + threw.failure(), threw.recorded() == Outcome.Recorded.YES, true);
        }
        IdempotencyException reason = ((Outcome.Refused) outcome).reason();
        return new Told(kind(reason), reason.code(), true, false);
    }

    private static Kind kind(Effect effect) {
        return switch (effect) {
            case FINAL -> Kind.FAILED;
            case NONE -> Kind.NOTHING;
            case UNKNOWN -> Kind.UNKNOWN;
        };
    }

    private static Kind kind(IdempotencyException reason) {
        if (reason instanceof OutcomeUnknownException) {
            return Kind.UNKNOWN;
        } else if (reason instanceof PreviousAttemptFailedException) {
            return Kind.FAILED;
        } else if (reason instanceof ResultUnavailableException) {
            return Kind.UNAVAILABLE;
        } else if (reason instanceof OperationInProgressException) {
            return String.valueOf(reason.getMessage()).contains("did not run the body") ? Kind.BUSY : Kind.OVERTAKEN;
        }
        return reason.executed() == IdempotencyException.Executed.NO ? Kind.NOT_RUN : Kind.DEFECT;
    }

    static Told of(Throwable failure) {
        return new Told(Witness.injected(failure) ? Kind.ERROR : Kind.DEFECT, "" + failure, false, false);
    }
}
