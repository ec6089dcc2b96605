package io.idempotency.runtime.config;

import io.idempotency.definition.OperationDefinition;
import io.idempotency.runtime.ResultCodec;
import io.idempotency.runtime.engine.Operation;
import io.idempotency.runtime.store.IdempotencyStore;
import jakarta.inject.Singleton;
import org.jspecify.annotations.Nullable;

/** Makes an operation of its definition and the configuration. */
@Singleton
public final class OperationBinder {

    private final Policies policies;
    private final UpkeepThreads upkeep;

    OperationBinder(Policies policies, UpkeepThreads upkeep) {
        this.policies = policies;
        this.upkeep = upkeep;
    }

    /**
     * Binds an operation.
     *
     * @param definition the operation
     * @param codec encodes its result
     * @param bodysDataSource the data source that the body's own {@code @Transactional} names, null for none
     * @return the operation with every policy decided
     * @throws io.micronaut.context.exceptions.ConfigurationException when its policies contradict each other
     */
    public Operation bind(OperationDefinition definition, ResultCodec codec, @Nullable String bodysDataSource) {
        IdempotencyStore store = policies.storeOf(definition, bodysDataSource);
        upkeep.startFor(store);
        return new Operation(
                definition.name(),
                definition.namespace(),
                store,
                codec,
                policies.policyOf(definition));
    }
}
