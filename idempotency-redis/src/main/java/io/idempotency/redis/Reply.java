package io.idempotency.redis;

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
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** The answer of a script, with the server's clock in microseconds; the detail depends on the verdict. */
record Reply(RecordId id, Verdict verdict, long serverMicros, byte[] detail) {

    enum Verdict {
        /** The script did what was asked, or found no record. A first claim's fence is the server's clock. */
        DONE,
        /** A record was found; it is the detail. */
        FOUND,
        /** The key was claimed, but not for the first time, or by this owner already; the detail is the record. */
        CLAIMED,
        /** The record is not the caller's any more; it is the detail, empty when absent. */
        STALE,
        /** The claim was read after its caller had stopped waiting for it, and was not made. */
        LATE,
        /** Nothing was claimed: the durability of the server's process, whose run id is the detail, is unknown. */
        UNPROVEN,
        /** The record cannot be read; the detail says why. */
        UNREADABLE
    }

    static Reply of(RecordId id, List<?> all) {
        Verdict verdict = switch (all.size()) {
            case 1 -> Verdict.DONE;
            case 2 -> Verdict.FOUND;
            default ->
                Verdict.valueOf(new String((byte[]) all.get(1), StandardCharsets.UTF_8).toUpperCase(Locale.ROOT));
        };
        byte[] detail = verdict == Verdict.DONE ? new byte[0] : (byte[]) all.get(all.size() - 1);
        Reply reply = new Reply(id, verdict, (Long) all.get(0), detail);
        if (verdict == Verdict.UNREADABLE) {
            throw new UnreadableRecordException(id, reply.text());
        }
        return reply;
    }

    /** Tells whether replicas must have the record before the caller is answered: a change, or an outcome in doubt. */
    boolean needsReplicas() {
        StoredRecord found = verdict == Verdict.FOUND ? record() : null;
        return verdict == Verdict.DONE
                || verdict == Verdict.CLAIMED
                || found != null && found.state() == RecordState.IN_DOUBT;
    }

    @Nullable
    StoredRecord record() {
        return detail.length == 0 ? null : PackedRecord.read(id, detail, Math.floorDiv(serverMicros, 1000L));
    }

    ClaimResult answer(Claim claim) {
        return verdict == Verdict.DONE
                ? new ClaimResult.Acquired(serverMicros, 1)
                : ClaimResult.of(claim, Objects.requireNonNull(record()));
    }

    String text() {
        return new String(detail, StandardCharsets.UTF_8);
    }

    Settled settled() {
        return verdict == Verdict.DONE ? new Settled.Applied() : new Settled.Stale(record());
    }
}
