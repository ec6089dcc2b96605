package io.idempotency.redis;

import io.idempotency.runtime.store.IdempotencyStore;
import io.idempotency.runtime.store.RecordId;
import io.idempotency.runtime.store.RecordState;
import io.idempotency.runtime.store.StoredFailure;
import io.idempotency.runtime.store.StoredRecord;
import io.idempotency.runtime.store.StoredResult;
import io.idempotency.runtime.store.UnreadableRecordException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** What goes into a script and what comes out: arguments, and the fields of a record's hash, which are named here only. */
final class RecordFields {

    /** Added to the clock it still is an exact double in a script, and nobody lives to see the difference. */
    private static final Duration LONGEST = Duration.ofDays(365_000);

    private final RecordId id;
    private final List<?> values;

    /** What the scripts read of a hash, in this order; null stands for what is missing. */
    private enum Field {
        FORMAT,
        STATE,
        OPERATION,
        FINGERPRINT,
        OWNER,
        FENCE,
        ATTEMPT,
        CLAIMED_MS,
        LEASE_UNTIL_MS,
        EXPIRES_MS,
        SETTLED_MS,
        DOUBT,
        RESULT,
        OMITTED,
        OMITTED_SIZE,
        FAILURE_TYPE,
        FAILURE_MESSAGE,
        FAILURE_CODE
    }

    RecordFields(RecordId id, List<?> values) {
        this.id = id;
        this.values = values;
    }

    /** A result as field, value, ... for the end of a script's arguments. */
    static List<byte[]> outcome(StoredResult result) {
        if (result instanceof StoredResult.Present present) {
            return List.of(name(Field.RESULT), present.bytes());
        }
        StoredResult.Omitted omitted = (StoredResult.Omitted) result;
        return List.of(
                name(Field.OMITTED), bytes(omitted.reason()),
                name(Field.OMITTED_SIZE), bytes(Long.toString(omitted.size())));
    }

    /** A failure as field, value, ... for the end of a script's arguments. */
    static List<byte[]> outcome(StoredFailure failure) {
        List<byte[]> fields = new ArrayList<>(6);
        fields.add(name(Field.FAILURE_TYPE));
        fields.add(bytes(failure.type()));
        if (failure.message() != null) {
            fields.add(name(Field.FAILURE_MESSAGE));
            fields.add(bytes(failure.message()));
        }
        if (failure.code() != null) {
            fields.add(name(Field.FAILURE_CODE));
            fields.add(bytes(failure.code()));
        }
        return fields;
    }

    private static byte[] name(Field field) {
        return bytes(field.name().toLowerCase(Locale.ROOT));
    }

    static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    /** Whole milliseconds, at least one. */
    static long millis(Duration duration) {
        return duration.compareTo(LONGEST) > 0 ? LONGEST.toMillis() : Math.max(1, duration.toMillis());
    }

    static byte[] bytes(Duration duration) {
        return bytes(Long.toString(millis(duration)));
    }

    /** Empty for ever. */
    static byte[] retention(Duration retention) {
        return retention.equals(IdempotencyStore.FOREVER) ? new byte[0] : bytes(retention);
    }

    StoredRecord toRecord(long nowMillis) {
        try {
            return read(nowMillis);
        } catch (IllegalArgumentException e) {
            throw new UnreadableRecordException(id, e.toString());
        }
    }

    private StoredRecord read(long nowMillis) {
        Instant leaseUntil = instant(Field.LEASE_UNTIL_MS);
        RecordState state = RecordState.valueOf(text(Field.STATE));
        if (state == RecordState.IN_PROGRESS && leaseUntil.toEpochMilli() <= nowMillis) {
            state = RecordState.IN_DOUBT;
        }
        return new StoredRecord(
                id,
                text(Field.OPERATION),
                text(Field.FINGERPRINT),
                state,
                text(Field.OWNER),
                Long.parseLong(text(Field.FENCE)),
                Integer.parseInt(text(Field.ATTEMPT)),
                instant(Field.CLAIMED_MS),
                leaseUntil,
                optionalInstant(Field.SETTLED_MS),
                optionalInstant(Field.EXPIRES_MS),
                Instant.ofEpochMilli(nowMillis),
                state == RecordState.COMPLETED ? result() : null,
                state == RecordState.FAILED ? failure() : null,
                optionalText(Field.DOUBT));
    }

    private @Nullable StoredResult result() {
        byte[] present = value(Field.RESULT);
        if (present != null) {
            return new StoredResult.Present(present);
        }
        String omitted = optionalText(Field.OMITTED);
        return omitted == null ? null : new StoredResult.Omitted(omitted, Long.parseLong(text(Field.OMITTED_SIZE)));
    }

    private @Nullable StoredFailure failure() {
        String type = optionalText(Field.FAILURE_TYPE);
        return type == null
                ? null
                : new StoredFailure(type, optionalText(Field.FAILURE_MESSAGE), optionalText(Field.FAILURE_CODE));
    }

    private Instant instant(Field field) {
        return Instant.ofEpochMilli(Long.parseLong(text(field)));
    }

    private @Nullable Instant optionalInstant(Field field) {
        return value(field) == null ? null : instant(field);
    }

    private String text(Field field) {
        String text = optionalText(field);
        if (text == null) {
            throw new UnreadableRecordException(id, "its " + field + " is missing");
        }
        return text;
    }

    private @Nullable String optionalText(Field field) {
        byte[] value = value(field);
        return value == null ? null : new String(value, StandardCharsets.UTF_8);
    }

    private byte @Nullable [] value(Field field) {
        return (byte[]) values.get(field.ordinal());
    }
}
