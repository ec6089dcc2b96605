package io.idempotency.runtime.config;

import io.idempotency.definition.OperationDefinition;
import io.idempotency.runtime.call.Operation;
import io.idempotency.runtime.store.IdempotencyStore;
import io.idempotency.runtime.store.TransactionalStore;
import io.micronaut.context.exceptions.ConfigurationException;
import io.micronaut.core.annotation.Nullable;
import io.micronaut.core.convert.ConversionService;
import jakarta.inject.Singleton;
import java.time.Duration;
import java.util.Optional;

/** Merges configuration of one operation, its annotation, configuration of all, and checks what comes out. */
@Singleton
public final class PolicyMerger {

    private final OperationAttributes attributes;
    private final IdempotencyConfiguration all;
    private final ConversionService conversion;
    private final Stores stores;
    private final FailureTypes failureTypes;

    PolicyMerger(
            OperationAttributes attributes,
            IdempotencyConfiguration all,
            ConversionService conversion,
            Stores stores,
            FailureTypes failureTypes) {
        this.attributes = attributes;
        this.all = all;
        this.conversion = conversion;
        this.stores = stores;
        this.failureTypes = failureTypes;
    }

    /**
     * The store that remembers an operation.
     *
     * @param bodysDataSource the data source that the method's own {@code @Transactional} names, null for none
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
                                + " (store = \"jdbc\", or " + OperationAttributes.property(definition.name(), "store")
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
        Optional<String> overridden = attributes.own(definition, "store");
        if (overridden.isPresent()) {
            return stores.named(overridden.get(), OperationAttributes.property(definition.name(), "store"));
        }
        return attributes
                .<String>declared(definition, "store")
                .map(declared -> stores.named(declared, "@IdempotentOperation(store) of " + definition.origin()))
                .orElseGet(stores::standard);
    }

    /**
     * The decided policies of an operation.
     *
     * @throws ConfigurationException when they contradict each other
     */
    public Operation.Policy policyOf(OperationDefinition definition) {
        Operation.Policy policy = new Operation.Policy(
                attributes.of(definition, "retention", PolicyConfiguration::getRetention),
                inDoubtRetention(
                        definition,
                        attributes.of(definition, "in-doubt-retention", PolicyConfiguration::getInDoubtRetention)),
                attributes.of(definition, "lease", PolicyConfiguration::getLease),
                attributes.of(definition, "when-in-progress", PolicyConfiguration::getWhenInProgress),
                attributes.of(definition, "wait-timeout", PolicyConfiguration::getWaitTimeout),
                attributes.of(definition, "on-failure", PolicyConfiguration::getOnFailure),
                failureTypes.of(definition),
                attributes.of(definition, "on-store-failure", PolicyConfiguration::getOnStoreFailure),
                attributes.of(definition, "on-abandoned", PolicyConfiguration::getOnAbandoned),
                definition.transactional(),
                attributes.of(definition, "max-result-size", PolicyConfiguration::getMaxResultSize),
                all.getSettleBudget(),
                attributes.of(definition, "store-arguments", PolicyConfiguration::getStoreArguments));
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
                        + OperationAttributes.property(definition.name(), "in-doubt-retention") + "): '" + text
                        + "' is neither a duration like 30d nor forever"));
    }
}
