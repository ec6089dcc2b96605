package io.idempotency.runtime.near;

import io.idempotency.runtime.store.StoredFailure;
import io.idempotency.runtime.store.StoredRecord;
import io.idempotency.runtime.store.StoredResult;
import org.jspecify.annotations.Nullable;

/** About how much of the heap a remembered record takes. */
final class Weight {

    /** The objects themselves: entry, record, id, instants and the headers of texts. */
    private static final int OBJECTS = 700;

    private Weight() {}

    static int of(StoredRecord record) {
        long weight = OBJECTS + length(record.operation()) + length(record.fingerprint()) + length(record.owner());
        if (record.result() instanceof StoredResult.Present present) {
            weight += present.bytes().length;
        }
        StoredFailure failure = record.failure();
        if (failure != null) {
            weight += length(failure.type()) + length(failure.message()) + length(failure.code());
        }
        return (int) Math.min(weight, Integer.MAX_VALUE);
    }

    private static long length(@Nullable String text) {
        return text == null ? 0 : text.length() * (long) Character.BYTES;
    }
}
