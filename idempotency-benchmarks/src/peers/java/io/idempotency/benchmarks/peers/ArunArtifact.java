package io.idempotency.benchmarks.peers;

import io.github.arun0009.idempotent.core.aspect.IdempotentAspect;
import io.github.arun0009.idempotent.core.persistence.IdempotentStore;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * The aspect of {@code idempotent-core} 1.0.2, the only one of its artifacts that the registry has here, over the store of 3.1, which
 * sends fewer commands than that of 1.0.2 did. It shows whether the aspect that is written anew is as fast as a real one.
 */
final class ArunArtifact implements IdempotentStore {

    private final ArunStore store;

    private ArunArtifact(ArunStore store) {
        this.store = store;
    }

    static IdempotentAspect aspect(ArunStore store) {
        return new IdempotentAspect(new ArunArtifact(store));
    }

    @Override
    public @Nullable Value getValue(IdempotentKey key, Class<?> returnType) {
        ArunStore.Value found = store.find(key(key), returnType);
        return found == null
                ? null
                : new Value(
                        found.status() == ArunStore.Status.COMPLETED
                                ? Status.COMPLETED.name()
                                : Status.INPROGRESS.name(),
                        found.expiresAt().toEpochMilli(),
                        found.response());
    }

    @Override
    public void store(IdempotentKey key, Value value) {
        if (!store.insert(key(key), value(value, ArunStore.Status.IN_PROGRESS))) {
            throw new IllegalStateException("Another caller was faster, and nothing waits here: " + key);
        }
    }

    @Override
    public void update(IdempotentKey key, Value value) {
        store.update(key(key), value(value, ArunStore.Status.COMPLETED));
    }

    @Override
    public void remove(IdempotentKey key) {
        throw new UnsupportedOperationException("No body fails here");
    }

    private static ArunStore.Key key(IdempotentKey key) {
        return new ArunStore.Key(key.key(), key.processName());
    }

    private static ArunStore.Value value(Value value, ArunStore.Status status) {
        return new ArunStore.Value(
                status, Instant.ofEpochMilli(value.expirationTimeInMilliSeconds()), value.response());
    }
}
