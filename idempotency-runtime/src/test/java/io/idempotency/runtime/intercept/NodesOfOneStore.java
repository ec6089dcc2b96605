package io.idempotency.runtime.intercept;

import io.idempotency.definition.FingerprintWriter;
import io.idempotency.runtime.memory.MemoryIdempotencyStore;
import io.idempotency.runtime.secrets.FingerprintForms.FingerprintVersion;
import io.idempotency.runtime.store.IdempotencyStore;
import io.idempotency.runtime.store.RecordState;
import io.idempotency.runtime.store.StoredRecord;
import io.micronaut.context.ApplicationContext;
import io.micronaut.context.annotation.Factory;
import io.micronaut.context.annotation.Requires;
import io.micronaut.inject.qualifiers.Qualifiers;
import jakarta.inject.Singleton;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Applications with settings of their own that share their records, as during a deployment. */
final class NodesOfOneStore implements AutoCloseable {

    final IdempotencyStore store = new MemoryIdempotencyStore();

    private final List<ApplicationContext> nodes = new ArrayList<>();

    /** A form that is to come: it says everything differently. */
    @Factory
    @Requires(property = "test.second-version")
    static final class Versions {
        @Singleton
        FingerprintVersion second() {
            return new FingerprintVersion(2, openValues -> {
                FingerprintWriter writer = new FingerprintWriter(openValues);
                writer.subtype("of the second version");
                return writer;
            });
        }
    }

    ApplicationContext start(Map<String, Object> settings) {
        Map<String, Object> all = new HashMap<>(settings);
        all.put("idempotency.store", "shared");
        ApplicationContext node = ApplicationContext.builder().properties(all).build();
        node.registerSingleton(IdempotencyStore.class, store, Qualifiers.byName("shared"));
        nodes.add(node);
        return node.start();
    }

    List<StoredRecord> records(RecordState state) {
        return store.list(state, Duration.ZERO, 100);
    }

    @Override
    public void close() {
        nodes.forEach(ApplicationContext::close);
    }
}
