package io.idempotency.jdbc;

import io.idempotency.runtime.store.RecordState;
import io.idempotency.runtime.store.StoredFailure;
import io.idempotency.runtime.store.StoredRecord;
import io.idempotency.runtime.store.StoredResult;
import org.jspecify.annotations.Nullable;

/** Whether a record shows what a call wanted to make of it: then the call was applied before, and its answer was lost. */
final class Outcomes {

    private Outcomes() {}

    static boolean same(StoredResult asked, @Nullable StoredResult stored) {
        if (asked instanceof StoredResult.Omitted omitted && stored instanceof StoredResult.Omitted there) {
            return omitted.size() == there.size() && there.reason().equals(Values.storable(omitted.reason()));
        }
        return asked.equals(stored);
    }

    static boolean same(StoredFailure asked, @Nullable StoredFailure stored) {
        return new StoredFailure(asked.type(), Values.storable(asked.message()), Values.storable(asked.code()))
                .equals(stored);
    }

    /** Put in doubt by its owner, rather than by a lease that ran out. */
    static boolean doubted(StoredRecord record) {
        return record.settledAt() != null && !settled(record);
    }

    /** Whether others may have been told that its outcome is unknown, or know it. */
    static boolean everInDoubt(StoredRecord record) {
        return record.state() != RecordState.IN_PROGRESS || record.doubt() != null;
    }

    static boolean settled(StoredRecord record) {
        return record.result() != null || record.failure() != null;
    }
}
