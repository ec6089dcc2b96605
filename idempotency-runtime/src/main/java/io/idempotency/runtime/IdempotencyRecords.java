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
 * What an operator does with records: lists them, looks one up, settles one that is in doubt, erases its data. The management endpoint
 * {@code /idempotency} is made of it. Records of all stores that this application's operations use are seen. Methods block
 * until the store answers; they fail as the store does when it cannot be reached. Thread-safe.
 */
public interface IdempotencyRecords {

    /** How many records a page has at most. */
    int LONGEST_PAGE = 1000;

    /**
     * One page of a list, the longest claimed first.
     *
     * @param next where the next page begins; null when this is the last
     */
    record Page(List<StoredRecord> records, @Nullable String next) {}

    /**
     * A record, null when it is absent, and who settled it.
     *
     * @param audit who settled it before, the oldest first; kept when the record is absent
     */
    record Audited(RecordId id, @Nullable StoredRecord record, List<AuditEntry> audit) {}

    /**
     * One decision about a record.
     *
     * @param at when, by the store's clock
     */
    record AuditEntry(Instant at, String operation, long fence, Outcome outcome, String actor, String reason) {

        /** What can be decided. */
        public enum Outcome {
            /** The effect happened: duplicates get the result. */
            COMPLETED,
            /** It failed for good: duplicates are told so, and the body does not run again. */
            FAILED,
            /** It is proven not to have happened: the next call runs the body. */
            ABSENT,
            /** The data of its call were erased; what had been decided stays. No decision about a record in doubt. */
            ERASED
        }
    }

    /**
     * A decision.
     *
     * @param resultJson with {@link AuditEntry.Outcome#COMPLETED} the result as JSON; null when it is not known: duplicates are
     *     then told that the body ran and that its result is not there
     * @param actor who decides, 1 to 100 characters
     * @param reason why, 1 to 500 characters
     */
    record Decision(
            long fence, AuditEntry.Outcome outcome, byte @Nullable [] resultJson, String actor, String reason) {}

    /** The record is not as the operator saw it: its fence or state has changed, or it is gone. It was left alone. */
    final class RecordChangedException extends RuntimeException {

        private static final long serialVersionUID = 1L;

        /** Describes it. */
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
     * @param limit at most so many, from 1 to {@link #LONGEST_PAGE}
     * @throws IllegalArgumentException when the age, the limit or the cursor is none
     */
    Page list(RecordState state, @Nullable String operation, Duration olderThan, @Nullable String cursor, int limit);

    /** Looks a record up; empty when nothing is known of it. */
    Optional<Audited> find(RecordId id);

    /**
     * Looks a record up by its key, which is hashed as a call's is: with the operation's namespace and the current tenant;
     * empty when nothing is known of it.
     *
     * @param key the key as the client sent it, or as the bean method got it; of a key of several parts its canonical text
     * @param caller who sent it, by the name that the application's {@code CallerResolver} gives; counts only where every caller has keys
     *     of its own
     * @throws IllegalArgumentException when this application has no such operation
     */
    Optional<Audited> find(String operation, String key, @Nullable String caller);

    /**
     * Settles a record that is in doubt, and writes that into its audit trail in the same step. Answers the record as it is
     * then, without a record when it was settled as absent.
     *
     * @throws RecordChangedException when the record is not in doubt, or its fence is another
     * @throws IllegalArgumentException when the result does not fit the operation's type, or actor or reason are missing
     */
    Audited settle(RecordId id, Decision decision);

    /**
     * Erases what a record holds of its call's data: outcome and kept arguments. Key, state and the fact that it ran stay, so that
     * its body does not run again: duplicates are refused. Written into the audit trail in the same step. Repeating it is harmless. Answers
     * the record as it is then.
     *
     * @param actor who decides, 1 to 100 characters
     * @param reason why, 1 to 500 characters
     * @throws RecordChangedException when the record is absent, or its call is still running
     * @throws IllegalArgumentException when actor or reason are missing
     */
    Audited erase(RecordId id, String actor, String reason);
}
