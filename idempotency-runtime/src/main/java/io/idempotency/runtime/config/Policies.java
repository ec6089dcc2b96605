package io.idempotency.runtime.config;

import io.idempotency.definition.OperationDefinition;
import io.idempotency.runtime.engine.Operation;
import io.idempotency.runtime.store.IdempotencyStore;
import io.idempotency.runtime.store.TransactionalStore;
import io.micronaut.context.BeanContext;
import io.micronaut.context.exceptions.ConfigurationException;
import io.micronaut.core.annotation.Nullable;
import io.micronaut.core.convert.ConversionService;
import io.micronaut.inject.qualifiers.Qualifiers;
import jakarta.inject.Singleton;
import java.time.Duration;
import java.util.Optional;
import java.util.function.Function;

/** Merges configuration of one operation, its annotation, configuration of all, and checks what comes out. */
@Singleton
public final class Policies {

    private final BeanContext context;
    private final IdempotencyConfiguration all;
    private final ConversionService conversion;
    private final Stores stores;
    private final FailureTypes failureTypes;

    Policies(
            BeanContext context,
            IdempotencyConfiguration all,
            ConversionService conversion,
            Stores stores,
            FailureTypes failureTypes) {
        this.context = context;
        this.all = all;
        this.conversion = conversion;
        this.stores = stores;
        this.failureTypes = failureTypes;
    }

    /**
     * The store that remembers an operation.
     *
     * @param definition the operation
     * @param bodysDataSource the data source that the method's own {@code @Transactional} names, null for none
     * @return the store
     * @throws ConfigurationException when there is no such store, or it cannot share the body's transaction
     */
    public IdempotencyStore storeOf(OperationDefinition definition, @Nullable String bodysDataSource) {
        IdempotencyStore store = chosenStore(definition);
        if (definition.transactional()) {
            requireShared(definition, store, bodysDataSource);
        }
        return store;
    }

    private static void requireShared(
            OperationDefinition definition, IdempotencyStore store, @Nullable String bodysDataSource) {
        TransactionalStore transactional = store.transactional()
                .orElseThrow(
                        () -> new ConfigurationException("Operation '" + definition.name() + "' (" + definition.origin()
                                + ") is transactional and its store '" + store.name()
                                + "' has no transactions to share. Choose the jdbc store of the data source that the body writes to"
                                + " (store = \"jdbc\", or " + PolicyCheck.property(definition, "store")
                                + "), or remove transactional = true."));
        if (bodysDataSource != null && !bodysDataSource.equals(transactional.dataSource())) {
            throw new ConfigurationException("Operation '" + definition.name() + "' (" + definition.origin()
                    + ") is transactional and its body's @Transactional names the data source '" + bodysDataSource
                    + "', but store '" + store.name() + "' keeps its records in '" + transactional.dataSource()
                    + "': they would not be one transaction. Set idempotency.jdbc.datasource: " + bodysDataSource
                    + ", or remove transactional = true.");
        }
    }

    private IdempotencyStore chosenStore(OperationDefinition definition) {
        String overridden = override(definition, OperationConfiguration::getStore);
        if (overridden != null) {
            return stores.named(overridden, PolicyCheck.property(definition, "store"));
        }
        String declared = definition.store();
        return declared != null
                ? stores.named(declared, "@IdempotentOperation(store) of " + definition.origin())
                : stores.standard();
    }

    /**
     * The decided policies of an operation.
     *
     * @param definition the operation
     * @return every policy
     * @throws ConfigurationException when they contradict each other
     */
    public Operation.Policy policyOf(OperationDefinition definition) {
        Optional<OperationConfiguration> own = own(definition);
        String inDoubt = chosen(own.map(OperationConfiguration::getInDoubtRetention), null, all.getInDoubtRetention());
        Integer size = own.map(OperationConfiguration::getMaxResultSize).orElse(null);
        Operation.Policy policy = new Operation.Policy(
                chosen(own.map(OperationConfiguration::getRetention), definition.retention(), all.getRetention()),
                inDoubtRetention(definition, inDoubt),
                chosen(own.map(OperationConfiguration::getLease), definition.lease(), all.getLease()),
                chosen(
                        own.map(OperationConfiguration::getWhenInProgress),
                        definition.whenInProgress(),
                        all.getWhenInProgress()),
                chosen(own.map(OperationConfiguration::getWaitTimeout), definition.waitTimeout(), all.getWaitTimeout()),
                chosen(own.map(OperationConfiguration::getOnFailure), definition.onFailure(), all.getOnFailure()),
                failureTypes.of(definition, own.orElse(null)),
                chosen(
                        own.map(OperationConfiguration::getOnStoreFailure),
                        definition.onStoreFailure(),
                        all.getOnStoreFailure()),
                chosen(own.map(OperationConfiguration::getOnAbandoned), definition.onAbandoned(), all.getOnAbandoned()),
                definition.transactional(),
                size == null ? all.getMaxResultSize() : size,
                all.getSettleBudget());
        PolicyCheck.of(definition, policy);
        return policy;
    }

    private Duration inDoubtRetention(OperationDefinition definition, String text) {
        if ("forever".equals(text)) {
            return IdempotencyStore.FOREVER;
        }
        return conversion
                .convert(text, Duration.class)
                .orElseThrow(() -> new ConfigurationException(IdempotencyConfiguration.PREFIX
                        + ".in-doubt-retention (or "
                        + PolicyCheck.property(definition, "in-doubt-retention") + "): '" + text
                        + "' is neither a duration like 30d nor forever"));
    }

    private <T> @Nullable T override(OperationDefinition definition, Function<OperationConfiguration, T> attribute) {
        return own(definition).map(attribute).orElse(null);
    }

    private Optional<OperationConfiguration> own(OperationDefinition definition) {
        return context.findBean(OperationConfiguration.class, Qualifiers.byName(definition.name()));
    }

    private static <T> T chosen(Optional<T> override, @Nullable T declared, T standard) {
        return override.orElse(declared == null ? standard : declared);
    }
}
