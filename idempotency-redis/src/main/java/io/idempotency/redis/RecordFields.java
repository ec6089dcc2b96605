package io.idempotency.redis;

import io.idempotency.runtime.store.RecordId;
import io.idempotency.runtime.store.RecordState;
import io.idempotency.runtime.store.StoredFailure;
import io.idempotency.runtime.store.StoredRecord;
import io.idempotency.runtime.store.StoredResult;
import io.idempotency.runtime.store.UnreadableRecordException;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The fields of a record's hash, as the scripts wrote them; an outcome's fields are named here only. */
final class RecordFields {

    private static final String RESULT = "result";
    private static final String OMITTED = "omitted";
    private static final String OMITTED_SIZE = "omitted_size";
    private static final String FAILURE_TYPE = "failure_type";
    private static final String FAILURE_MESSAGE = "failure_message";
    private static final String FAILURE_CODE = "failure_code";

    private final RecordId id;
    private final Map<String, byte[]> values;

    private RecordFields(RecordId id, Map<String, byte[]> values) {
        this.id = id;
        this.values = values;
    }

    static RecordFields of(RecordId id, List<?> flat) {
        Map<String, byte[]> values = new HashMap<>(flat.size());
        for (int i = 0; i + 1 < flat.size(); i += 2) {
            values.put(new String((byte[]) flat.get(i), StandardCharsets.UTF_8), (byte[]) flat.get(i + 1));
        }
        return new RecordFields(id, values);
    }

    /** A result as field, value, ... for the end of a script's arguments. */
    static List<byte[]> outcome(StoredResult result) {
        if (result instanceof StoredResult.Present present) {
            return List.of(bytes(RESULT), present.bytes());
        }
        StoredResult.Omitted omitted = (StoredResult.Omitted) result;
        return List.of(
                bytes(OMITTED), bytes(omitted.reason()),
                bytes(OMITTED_SIZE), bytes(Long.toString(omitted.size())));
    }

    /** A failure as field, value, ... for the end of a script's arguments. */
    static List<byte[]> outcome(StoredFailure failure) {
        List<byte[]> fields = new ArrayList<>(6);
        fields.add(bytes(FAILURE_TYPE));
        fields.add(bytes(failure.type()));
        if (failure.message() != null) {
            fields.add(bytes(FAILURE_MESSAGE));
            fields.add(bytes(failure.message()));
        }
        if (failure.code() != null) {
            fields.add(bytes(FAILURE_CODE));
            fields.add(bytes(failure.code()));
        }
        return fields;
    }

    static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    StoredRecord toRecord(long nowMillis) {
        try {
            return read(nowMillis);
        } catch (IllegalArgumentException e) {
            throw new UnreadableRecordException(id, e.toString());
        }
    }

    private StoredRecord read(long nowMillis) {
        Instant leaseUntil = instant("lease_until_ms");
        RecordState state = RecordState.valueOf(text("state"));
        if (state == RecordState.IN_PROGRESS && leaseUntil.toEpochMilli() <= nowMillis) {
            state = RecordState.IN_DOUBT;
        }
        return new StoredRecord(
                id,
                text("operation"),
                text("fingerprint"),
                state,
                text("owner"),
                Long.parseLong(text("fence")),
                Integer.parseInt(text("attempt")),
                instant("claimed_ms"),
                leaseUntil,
                values.containsKey("settled_ms") ? instant("settled_ms") : null,
                values.containsKey("expires_ms") ? instant("expires_ms") : null,
                Instant.ofEpochMilli(nowMillis),
                state == RecordState.COMPLETED ? result() : null,
                state == RecordState.FAILED ? failure() : null,
                optionalText("doubt"));
    }

    private @Nullable StoredResult result() {
        byte[] present = values.get(RESULT);
        if (present != null) {
            return new StoredResult.Present(present);
        }
        String omitted = optionalText(OMITTED);
        return omitted == null ? null : new StoredResult.Omitted(omitted, Long.parseLong(text(OMITTED_SIZE)));
    }

    private @Nullable StoredFailure failure() {
        String type = optionalText(FAILURE_TYPE);
        return type == null ? null : new StoredFailure(type, optionalText(FAILURE_MESSAGE), optionalText(FAILURE_CODE));
    }

    private Instant instant(String field) {
        return Instant.ofEpochMilli(Long.parseLong(text(field)));
    }

    private String text(String field) {
        String value = optionalText(field);
        if (value == null) {
            throw new UnreadableRecordException(id, "the field " + field + " is missing");
        }
        return value;
    }

    private @Nullable String optionalText(String field) {
        byte[] value = values.get(field);
        return value == null ? null : new String(value, StandardCharsets.UTF_8);
    }
}
