package io.idempotency.redis.script;

import static java.util.Objects.requireNonNull;

import io.idempotency.runtime.store.Claim;
import io.idempotency.runtime.store.ClaimResult;
import io.idempotency.runtime.store.RecordId;
import io.idempotency.runtime.store.RecordState;
import io.idempotency.runtime.store.Settled;
import io.idempotency.runtime.store.StoredRecord;
import io.idempotency.runtime.store.UnreadableRecordException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * What a script answered.
 *
 * @param id the record it was asked about
 * @param verdict what it did
 * @param serverMicros the server's clock
 * @param details what the verdict says
 */
public record Reply(RecordId id, Verdict verdict, long serverMicros, List<?> details) {

    /** What a script did. */
    public enum Verdict {
        /** Done as asked, or nothing is there: the server's clock alone. A claim's fence is that clock. */
        DONE,
        /** The detail is the record as it is. */
        RECORD,
        /** Claimed, but not as the first; the details are the claim's fence and attempt. */
        CLAIMED,
        /** Not the caller's; the detail is the record, empty when absent. */
        STALE,
        /** The claim came after the time its caller waits for it, and was not made. */
        LATE,
        /** Another process than was asked for its durability; the detail is its run id, and nothing was claimed. */
        UNPROVEN,
        /** The detail says what cannot be understood. */
        UNREADABLE
    }

    static Reply of(RecordId id, List<?> all) {
        long micros = (Long) requireNonNull(all.get(0));
        if (all.size() == 1) {
            return new Reply(id, Verdict.DONE, micros, List.of());
        }
        if (all.size() == 2) {
            return new Reply(id, Verdict.RECORD, micros, all.subList(1, 2));
        }
        Verdict verdict = Verdict.valueOf(text(requireNonNull(all.get(1))).toUpperCase(Locale.ROOT));
        Reply reply = new Reply(id, verdict, micros, all.subList(2, all.size()));
        if (verdict == Verdict.UNREADABLE) {
            throw new UnreadableRecordException(id, reply.text());
        }
        return reply;
    }

    /** Whether replicas have to have received the record before a caller is told: what was written, and what is said for good. */
    boolean needsReplicas() {
        return verdict == Verdict.DONE || verdict == Verdict.CLAIMED || verdict == Verdict.RECORD && isInDoubt();
    }

    private boolean isInDoubt() {
        StoredRecord record = record();
        return record != null && record.state() == RecordState.IN_DOUBT;
    }

    /** The record, null when absent. */
    @Nullable
    public StoredRecord record() {
        if (verdict != Verdict.RECORD && verdict != Verdict.STALE) {
            return null;
        }
        byte[] packed = (byte[]) requireNonNull(details.get(0));
        return packed.length == 0 ? null : new PackedRecord(id, packed).toRecord(Math.floorDiv(serverMicros, 1000L));
    }

    /** The answer to a claim. */
    public ClaimResult answer(Claim claim) {
        if (verdict == Verdict.DONE) {
            return new ClaimResult.Acquired(serverMicros, 1);
        } else if (verdict == Verdict.CLAIMED) {
            long attempt = (Long) requireNonNull(details.get(1));
            return new ClaimResult.Acquired((Long) requireNonNull(details.get(0)), (int) attempt);
        }
        StoredRecord record = record();
        if (record == null) {
            throw new IllegalStateException(
                    "Redis answered the claim of " + id + " with " + verdict + " and no record; the body did not run");
        }
        return ClaimResult.of(claim, record);
    }

    /** The detail where it is a text. */
    public String text() {
        return text(requireNonNull(details.get(0)));
    }

    /** The answer to an owner's verb. */
    public Settled settled() {
        return verdict == Verdict.DONE ? new Settled.Applied() : new Settled.Stale(record());
    }

    private static String text(Object bulk) {
        return new String((byte[]) bulk, StandardCharsets.UTF_8);
    }
}
