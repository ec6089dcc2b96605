package io.idempotency;

import org.jspecify.annotations.Nullable;

/** The idempotency key is malformed: a list, too long, not printable, or not of the required format. The body did not run. */
public final class InvalidIdempotencyKeyException extends IdempotencyException {

    private static final long serialVersionUID = 1L;

    private final @Nullable String problem;

    /** Describes a refusal: see {@link IdempotencyException}. */
    public InvalidIdempotencyKeyException(
            String operation, @Nullable String keyHash, String message, @Nullable Throwable cause) {
        super(Refusal.KEY_INVALID, operation, keyHash, message, SOON, cause);
        this.problem = null;
    }

    /**
     * Describes what is wrong with a key, in words that its sender may read.
     *
     * @param operation the operation's name
     * @param problem what is wrong with the key, without the key itself
     * @param next what to send instead
     */
    public InvalidIdempotencyKeyException(String operation, String problem, String next) {
        super(Refusal.KEY_INVALID, operation, null, problem + ". The body did not run. " + next, SOON, null);
        this.problem = problem + ". Nothing was done. " + next;
    }

    @Override
    String told() {
        return problem == null ? super.told() : problem;
    }
}
