package io.idempotency.runtime.store;

/** The state of a record, as the store's clock sees it. A key without a record is absent. */
public enum RecordState {
    /** Claimed, and the lease stands. */
    IN_PROGRESS,
    /** Claimed, and the lease is over or the owner has reported that it does not know the outcome. */
    IN_DOUBT,
    /** The body returned. */
    COMPLETED,
    /** The body threw, and that is final. */
    FAILED
}
