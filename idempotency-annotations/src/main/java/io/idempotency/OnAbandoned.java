package io.idempotency;

/** What happens after the owner of a claim vanished: it crashed, or paused for longer than its lease. */
public enum OnAbandoned {
    /**
     * At most once: callers get {@link OutcomeUnknownException} until the late owner records its outcome or an operator
     * settles it.
     */
    REFUSE,
    /** At most once: the operation's {@link Reconciles} method is asked; only a proven absence runs the body again. */
    RECONCILE,
    /** At least once: the next caller runs the body again, under a higher {@link IdempotencyContext#fence()}. */
    TAKE_OVER
}
