package io.idempotency;

/** What a duplicate does while the first call of its key is running. */
public enum WhenInProgress {
    /** Refused at once with {@link OperationInProgressException}, which says when to try again. */
    REJECT,
    /** Waits up to {@link IdempotentOperation#waitTimeout()} for the recorded outcome, then as {@link #REJECT}. */
    WAIT
}
