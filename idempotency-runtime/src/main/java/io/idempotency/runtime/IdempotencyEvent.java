package io.idempotency.runtime;

import io.idempotency.runtime.store.RecordId;

/**
 * An application event. Listen to the records below. Events are published on the thread that answers the call, so a
 * slow listener should be {@code @Async}; an exception of a listener is logged and changes nothing. Events contain no
 * personal data except what an operator wrote.
 */
public sealed interface IdempotencyEvent {

    /** Returns the operation's name. */
    String operation();

    /** Returns the id of the record. */
    RecordId id();

    /** A body ran in this call. */
    record Executed(String operation, RecordId id, boolean returned, Outcome.Recorded recorded)
            implements IdempotencyEvent {}

    /** A duplicate got the recorded result. */
    record Replayed(String operation, RecordId id) implements IdempotencyEvent {}

    /** A call was refused; the reason is {@link io.idempotency.IdempotencyException#code()}. */
    record Refused(String operation, RecordId id, String code) implements IdempotencyEvent {}

    /** A record is in doubt: its outcome is not known. Each node reports it once, also for bodies of other nodes. */
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
