package io.idempotency.runtime;

import io.idempotency.runtime.store.RecordId;

/** What is published as an application event. Nothing in it is personal but what an operator wrote himself. */
public sealed interface IdempotencyEvent {

    /**
     * The operation.
     *
     * @return its name
     */
    String operation();

    /**
     * An operator settled a record.
     *
     * @param operation the operation's name
     * @param id the record
     * @param fence the fence that the operator saw
     * @param outcome what was decided
     * @param actor who decided
     * @param reason why
     */
    record Resolved(
            String operation,
            RecordId id,
            long fence,
            IdempotencyRecords.AuditEntry.Outcome outcome,
            String actor,
            String reason)
            implements IdempotencyEvent {}
}
