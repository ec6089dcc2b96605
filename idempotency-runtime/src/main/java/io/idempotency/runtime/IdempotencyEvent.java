package io.idempotency.runtime;

import io.idempotency.runtime.store.RecordId;

/**
 * What is published as application events: listen to the kinds that are records here. They are published on the thread that
 * answers the call, so a listener that takes its time is {@code @Async}; what it throws is logged and changes nothing. Nothing
 * in them is personal but what an operator wrote himself.
 */
public sealed interface IdempotencyEvent {

    /**
     * The operation.
     *
     * @return its name
     */
    String operation();

    /**
     * A body ran in this call.
     *
     * @param operation the operation's name
     * @param id the key's record
     * @param returned whether it returned, rather than threw
     * @param recorded what the store knows of it
     */
    record Executed(String operation, RecordId id, boolean returned, Outcome.Recorded recorded)
            implements IdempotencyEvent {}

    /**
     * A duplicate got the recorded result.
     *
     * @param operation the operation's name
     * @param id the key's record
     */
    record Replayed(String operation, RecordId id) implements IdempotencyEvent {}

    /**
     * A call was refused.
     *
     * @param operation the operation's name
     * @param id the key's record
     * @param code why, as {@link io.idempotency.IdempotencyException#code()} says it
     */
    record Refused(String operation, RecordId id, String code) implements IdempotencyEvent {}

    /**
     * A record is in doubt: nobody knows the outcome of its body. This node says so once, whoever's body it was.
     *
     * @param operation the operation's name
     * @param id the record
     */
    record InDoubt(String operation, RecordId id) implements IdempotencyEvent {}

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
