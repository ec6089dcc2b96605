package io.idempotency.runtime;

import io.idempotency.runtime.store.RecordId;

/**
 * What is published as application events: listen to the kinds that are records here. They are published on the thread that
 * answers the call, so a listener that takes its time is {@code @Async}; what it throws is logged and changes nothing. Nothing
 * in them is personal but what an operator wrote himself.
 */
public sealed interface IdempotencyEvent {

    /** The operation. */
    String operation();

    /** A body ran in this call. */
    record Executed(String operation, RecordId id, boolean returned, Outcome.Recorded recorded)
            implements IdempotencyEvent {}

    /** A duplicate got the recorded result. */
    record Replayed(String operation, RecordId id) implements IdempotencyEvent {}

    /**
     * A call was refused.
     *
     * @param code why, as {@link io.idempotency.IdempotencyException#code()} says it
     */
    record Refused(String operation, RecordId id, String code) implements IdempotencyEvent {}

    /** A record is in doubt: the outcome of its body is not known. This node says so once, for bodies of other nodes too. */
    record InDoubt(String operation, RecordId id) implements IdempotencyEvent {}

    /** An operator settled a record. */
    record Resolved(
            String operation,
            RecordId id,
            long fence,
            IdempotencyRecords.AuditEntry.Outcome outcome,
            String actor,
            String reason)
            implements IdempotencyEvent {}
}
