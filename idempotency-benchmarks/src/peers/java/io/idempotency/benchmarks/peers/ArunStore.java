package io.idempotency.benchmarks.peers;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/** What a store of arun0009 3.1 keeps. */
interface ArunStore {

    /** Of whom and of what. */
    record Key(String key, String processName) {}

    /** What is known of it. */
    record Value(Status status, Instant expiresAt, @Nullable Object response) {}

    /** How far it is. */
    enum Status {
        IN_PROGRESS,
        COMPLETED
    }

    @Nullable
    Value find(Key key, Class<?> returnType);

    /** False where there is one already. */
    boolean insert(Key key, Value value);

    void update(Key key, Value value);
}
