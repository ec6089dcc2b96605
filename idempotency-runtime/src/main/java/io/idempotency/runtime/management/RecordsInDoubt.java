package io.idempotency.runtime.management;

import io.idempotency.runtime.store.RecordId;
import jakarta.inject.Singleton;
import java.util.LinkedHashSet;
import java.util.Set;

/** Which records this node has reported as in doubt, so that each is reported once. The oldest are forgotten. */
@Singleton
final class RecordsInDoubt {

    private static final int MOST = 10_000;

    private final Set<RecordId> ids = new LinkedHashSet<>();

    /** False when it is known. */
    synchronized boolean add(RecordId id) {
        boolean added = ids.add(id);
        if (ids.size() > MOST) {
            ids.remove(ids.iterator().next());
        }
        return added;
    }

    synchronized void remove(RecordId id) {
        ids.remove(id);
    }
}
