package io.idempotency.redis.script;

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
 * The answer of a script.
 *
 * @param id the record it was asked about
 * @param verdict what it did
 * @param serverMicros the server's clock
 * @param detail what the verdict says; empty for nothing
 */
public record Reply(RecordId id, Verdict verdict, long serverMicros, byte[] detail) {

    /** What a script did. */
    public enum Verdict {
        /** Done as asked, or nothing is there. A first claim's fence is the server's clock. */
        DONE,
        /** The detail is the record as it is. */
        FOUND,
        /** Claimed, but not as the first, or by this owner already; the detail is the record. */
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
        Verdict verdict = switch (all.size()) {
            case 1 -> Verdict.DONE;
            case 2 -> Verdict.FOUND;
            default -> Verdict.valueOf(text((byte[]) all.get(1)).toUpperCase(Locale.ROOT));
        };
        byte[] detail = verdict == Verdict.DONE ? new byte[0] : (byte[]) all.get(all.size() - 1);
        if (verdict == Verdict.UNREADABLE) {
            throw new UnreadableRecordException(id, text(detail));
        }
        return new Reply(id, verdict, (Long) all.get(0), detail);
    }

    /** Whether replicas have to have received the record before a caller is told: what was written, and what is said for good. */
    boolean needsReplicas() {
        if (verdict != Verdict.FOUND) {
            return verdict == Verdict.DONE || verdict == Verdict.CLAIMED;
        }
        StoredRecord record = record();
        return record != null && record.state() == RecordState.IN_DOUBT;
    }

    /** The record, null when absent. */
    public @Nullable StoredRecord record() {
        return detail.length == 0 ? null : PackedRecord.read(id, detail, Math.floorDiv(serverMicros, 1000L));
    }

    /** The answer to a claim. */
    public ClaimResult answer(Claim claim) {
        if (verdict == Verdict.DONE) {
            return new ClaimResult.Acquired(serverMicros, 1);
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
        return text(detail);
    }

    /** The answer to an owner's verb. */
    public Settled settled() {
        return verdict == Verdict.DONE ? new Settled.Applied() : new Settled.Stale(record());
    }

    private static String text(byte[] bytes) {
        return new String(bytes, StandardCharsets.UTF_8);
    }
}
