package io.idempotency.redis;

import static java.util.Objects.requireNonNull;

import io.idempotency.runtime.store.Claim;
import io.idempotency.runtime.store.RecordId;
import io.idempotency.runtime.store.RecordState;
import io.idempotency.runtime.store.Settled;
import io.idempotency.runtime.store.StoredRecord;
import io.idempotency.runtime.store.UnreadableRecordException;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * What a script answered.
 *
 * @param id the record it was asked about
 * @param verdict what it did
 * @param serverMicros the server's clock
 * @param detail the record's fields, or what the verdict says
 */
record Reply(
        RecordId id,
        Verdict verdict,
        long serverMicros,
        @Nullable Object detail) {

    /** The first word of every answer. */
    enum Verdict {
        /** The detail is the record as it was, empty when absent. */
        RECORD,
        /** Claimed, now or by the same owner before; the detail is the claim's fence and attempt. */
        CLAIMED,
        /** Done as asked. */
        APPLIED,
        /** Not the caller's; the detail is the record. */
        STALE,
        /** The claim came after the time its caller waits for it, and was not made. */
        LATE,
        /** Another process than was asked for its durability; the detail is its run id, and nothing was claimed. */
        UNPROVEN,
        /** The detail says what cannot be understood. */
        UNREADABLE;

        /** Whether the script wrote something that replicas have to receive. */
        boolean written() {
            return this == CLAIMED || this == APPLIED;
        }
    }

    static Reply of(RecordId id, List<?> answer) {
        Object detail = answer.size() > 2 ? answer.get(2) : null;
        Verdict verdict = Verdict.valueOf(text(answer.get(0)).toUpperCase(Locale.ROOT));
        Reply reply = new Reply(id, verdict, Long.parseLong(text(answer.get(1))), detail);
        if (verdict == Verdict.UNREADABLE) {
            throw new UnreadableRecordException(id, detail == null ? "no reason given" : text(detail));
        }
        return reply;
    }

    /** The record, null when absent. */
    @Nullable
    StoredRecord record() {
        if (!(detail instanceof List<?> fields) || fields.isEmpty()) {
            return null;
        }
        return new RecordFields(id, fields).toRecord(nowMillis());
    }

    /** The record that a claim left or found; of one that it made, only what decides about the answer is known. */
    StoredRecord after(Claim claim) {
        StoredRecord record = verdict == Verdict.CLAIMED ? claimed(claim, (List<?>) requireNonNull(detail)) : record();
        if (record == null) {
            throw new IllegalStateException(
                    "Redis answered the claim of " + id + " with " + verdict + " and no record; the body did not run");
        }
        return record;
    }

    private StoredRecord claimed(Claim claim, List<?> made) {
        Instant now = Instant.ofEpochMilli(nowMillis());
        return new StoredRecord(
                id,
                claim.operation(),
                claim.fingerprint(),
                RecordState.IN_PROGRESS,
                claim.owner(),
                Long.parseLong(text(made.get(0))),
                Integer.parseInt(text(made.get(1))),
                now,
                now.plusMillis(RecordFields.millis(claim.lease())),
                null,
                null,
                now,
                null,
                null,
                null);
    }

    String runId() {
        return text();
    }

    /** The detail where it is a text. */
    String text() {
        return detail == null ? "" : text(detail);
    }

    private long nowMillis() {
        return Math.floorDiv(serverMicros, 1000L);
    }

    Settled settled() {
        return verdict == Verdict.APPLIED ? new Settled.Applied() : new Settled.Stale(record());
    }

    private static String text(Object bulk) {
        return new String((byte[]) bulk, StandardCharsets.UTF_8);
    }
}
