package io.idempotency.runtime;

import io.idempotency.runtime.store.RecordId;
import io.idempotency.runtime.store.RecordState;
import io.idempotency.runtime.store.StoredRecord;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The operator's view of records: lists them, finds one, settles one that is in doubt, erases one's data. The
 * management endpoint {@code /idempotency} uses it. Covers the records of all stores that this application's operations
 * use. Methods block until the store answers, and throw the store's exception when it cannot be reached. Thread-safe.
 */
public interface IdempotencyRecords {

    /** The most records of one page. */
    int LONGEST_PAGE = 1000;

    /** One page of a list, the earliest claimed first; {@code next} is the next page's cursor, null on the last. */
    record Page(List<StoredRecord> records, @Nullable String next) {}

    /**
     * A record with its audit trail.
     *
     * @param record the record; null when it is absent
     * @param audit the decisions about it, the oldest first; kept when the record is absent
     */
    record Audited(RecordId id, @Nullable StoredRecord record, List<AuditEntry> audit) {}

    /** One decision about a record, at a time of the store's clock. */
    record AuditEntry(Instant at, String operation, long fence, Outcome outcome, String actor, String reason) {

        /** What an operator can decide. */
        public enum Outcome {
            /** The effect happened: duplicates get the result. */
            COMPLETED,
            /** The body failed for good: duplicates are refused, and it does not run again. */
            FAILED,
            /** The effect is proven not to have happened: the next call runs the body. */
            ABSENT,
            /** The call's data were erased; an earlier decision stays. Cannot settle a record in doubt. */
            ERASED
        }
    }

    /**
     * A decision about a record in doubt.
     *
     * @param resultJson with {@link AuditEntry.Outcome#COMPLETED} the result as JSON; null when it is not known:
     *        duplicates are then refused, because the body ran and its result is not available
     * @param actor who decides, 1 to 100 characters
     * @param reason why, 1 to 500 characters
     */
    record Decision(
            long fence, AuditEntry.Outcome outcome, byte @Nullable [] resultJson, String actor, String reason) {}

    /** Thrown when the record is gone, or its fence or state is not what the operator saw. Nothing was changed. */
    final class RecordChangedException extends RuntimeException {

        /** Creates the exception with its message. */
        public RecordChangedException(String message) {
            super(message);
        }
    }

    /**
     * Lists records.
     *
     * @param operation only those of this operation, null for all
     * @param olderThan only those claimed at least this long ago, from 0 to 36,500 days
     * @param cursor {@link Page#next()} of the page before, null for the first one
     * @param limit the most records to return, from 1 to {@link #LONGEST_PAGE}
     * @throws IllegalArgumentException when the age, the limit or the cursor is invalid
     */
    Page list(RecordState state, @Nullable String operation, Duration olderThan, @Nullable String cursor, int limit);

    /** Finds a record by its id; empty when nothing is known of it. */
    Optional<Audited> find(RecordId id);

    /**
     * Finds a record by its key, which is hashed as a call's key is, with the operation's namespace and the current
     * tenant; empty when nothing is known of it.
     *
     * @param key the key as the client sent it or the bean method got it; of a key of several parts its canonical text
     * @param caller who sent it, as the application's {@code CallerResolver} names the caller; counts only where every
     *        caller has keys of its own
     * @throws IllegalArgumentException when this application has no such operation
     */
    Optional<Audited> find(String operation, String key, @Nullable String caller);

    /**
     * Settles a record in doubt, and adds that to its audit trail in the same step. Returns the record as it is then,
     * or no record when it was settled as absent.
     *
     * @throws RecordChangedException when the record is not in doubt or has another fence
     * @throws IllegalArgumentException when the result has the wrong type, or actor or reason is missing
     */
    Audited settle(RecordId id, Decision decision);

    /**
     * Erases the call's data from a record: outcome and kept arguments. Key, state and the fact that the body ran stay,
     * so that it does not run again: duplicates are refused. Adds that to the audit trail in the same step. Can be
     * repeated. Returns the record as it is then.
     *
     * @param actor who decides, 1 to 100 characters
     * @param reason why, 1 to 500 characters
     * @throws RecordChangedException when the record is absent or its call is still running
     * @throws IllegalArgumentException when actor or reason is missing
     */
    Audited erase(RecordId id, String actor, String reason);
}
