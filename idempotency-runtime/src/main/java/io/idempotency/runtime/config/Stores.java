package io.idempotency.runtime.config;

import io.idempotency.definition.OperationDefinition;
import io.idempotency.runtime.secrets.IdentityDigests;
import io.idempotency.runtime.store.IdempotencyStore;
import io.idempotency.runtime.store.StoreDecorator;
import io.idempotency.runtime.store.TransactionalStore;
import io.micronaut.context.BeanContext;
import io.micronaut.context.exceptions.ConfigurationException;
import io.micronaut.core.annotation.Nullable;
import io.micronaut.inject.qualifiers.Qualifiers;
import jakarta.inject.Named;
import jakarta.inject.Singleton;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Finds stores by name. A store is created, and contacts its server, only when something uses it. */
@Singleton
public final class Stores {

    /** The store that needs no server and protects one JVM. */
    static final String MEMORY = "memory";

    private static final Logger LOG = LoggerFactory.getLogger(Stores.class);
    private static final String PROPERTY = IdempotencyConfiguration.PREFIX + ".store";

    private final BeanContext context;
    private final @Nullable String configured;
    private final List<StoreDecorator> decorators;
    private final IdentityDigests identity;
    private final OperationAttributes attributes;
    private final Map<IdempotencyStore, IdempotencyStore> decorated = new IdentityHashMap<>();

    Stores(
            BeanContext context,
            IdempotencyConfiguration configuration,
            List<StoreDecorator> decorators,
            IdentityDigests identity,
            OperationAttributes attributes) {
        this.context = context;
        this.identity = identity;
        this.attributes = attributes;
        this.decorators = decorators;
        this.configured = configuration.getStore();
    }

    /**
     * Returns the store of an operation's records.
     *
     * @param bodysDataSource the data source that the method's own {@code @Transactional} names, null for none
     * @throws ConfigurationException when there is no such store, or it cannot share the body's transaction
     */
    IdempotencyStore of(OperationDefinition definition, @Nullable String bodysDataSource) {
        IdempotencyStore store = chosenStore(definition);
        if (definition.transactional()) {
            requireShared(definition, store, bodysDataSource);
        }
        return store;
    }

    private static void requireShared(
            OperationDefinition definition, IdempotencyStore store, @Nullable String bodysDataSource) {
        TransactionalStore transactional = store.transactional()
                .orElseThrow(() -> OperationAttributes.refused(
                        definition,
                        " is transactional and its store '" + store.name()
                                + "' has no transactions to share, as the jdbc store has those of Micronaut Data (and not of a data"
                                + " source for each tenant, nor of a schema for each unless idempotency.jdbc.table names its own). Choose the jdbc store of the data source that the body writes to"
                                + " (store = \"jdbc\", or " + OperationAttributes.property(definition.name(), "store")
                                + "), or remove transactional = true."));
        if (bodysDataSource != null && !bodysDataSource.equals(transactional.dataSource())) {
            throw OperationAttributes.refused(
                    definition,
                    " is transactional and its body's @Transactional names the data source '" + bodysDataSource
                            + "', but store '" + store.name() + "' keeps its records in '" + transactional.dataSource()
                            + "': they would not be one transaction. Set idempotency.jdbc.datasource: "
                            + bodysDataSource
                            + ", or remove transactional = true.");
        }
    }

    private IdempotencyStore chosenStore(OperationDefinition definition) {
        Optional<String> overridden = attributes.own(definition.name(), "store");
        if (overridden.isPresent()) {
            return named(overridden.get(), OperationAttributes.property(definition.name(), "store"));
        }
        return attributes
                .<String>declared(definition, "store")
                .map(declared -> named(declared, "@IdempotentOperation(store) of " + definition.origin()))
                .orElseGet(this::standard);
    }

    /** Returns the store of operations that name none; throws when none or several could be meant. */
    public IdempotencyStore standard() {
        return named(configured != null ? configured : onlyCandidate(), PROPERTY);
    }

    /** Returns a store by name; the message of a missing one begins with the property where the name was written. */
    public IdempotencyStore named(String name, String property) {
        IdempotencyStore store = context.findBean(IdempotencyStore.class, Qualifiers.byName(name))
                .orElseThrow(() -> new ConfigurationException(property + ": there is no idempotency store named '"
                        + name + "'. On the class path: " + names()
                        + ". Correct the name, or add the module idempotency-" + name + " and what it needs."));
        return decorated(store, name);
    }

    /** Returns the stores that something uses, behind their decorators. */
    public List<IdempotencyStore> inUse() {
        synchronized (decorated) {
            return List.copyOf(decorated.values());
        }
    }

    /** Returns {@link #standard()}; empty where it has to be chosen first. */
    public Optional<IdempotencyStore> standardIfChosen() {
        return configured == null && candidates().size() > 1 ? Optional.empty() : Optional.of(standard());
    }

    private IdempotencyStore decorated(IdempotencyStore store, String name) {
        synchronized (decorated) {
            return decorated.computeIfAbsent(store, bean -> {
                if (MEMORY.equals(name)) {
                    LOG.warn(
                            "Idempotency store 'memory' protects this JVM only: another node, and this one after a restart, runs"
                                    + " every operation again. Choose a shared store with {}.",
                            PROPERTY);
                } else {
                    identity.requireSame(bean);
                }
                IdempotencyStore front = bean;
                for (StoreDecorator decorator : decorators) {
                    front = decorator.decorate(front);
                }
                return front;
            });
        }
    }

    private String onlyCandidate() {
        List<String> shared = candidates();
        if (shared.size() > 1) {
            throw new ConfigurationException(
                    "Several idempotency stores are on the class path (" + String.join(", ", shared)
                            + ") and none is chosen. Write one of these lines into application.yml: " + PROPERTY + ": "
                            + String.join("   or   " + PROPERTY + ": ", shared));
        }
        return shared.isEmpty() ? MEMORY : shared.get(0);
    }

    private List<String> candidates() {
        return names().stream().filter(name -> !MEMORY.equals(name)).toList();
    }

    private TreeSet<String> names() {
        return context.getBeanDefinitions(IdempotencyStore.class).stream()
                .flatMap(definition -> definition.stringValue(Named.class).stream())
                .collect(Collectors.toCollection(TreeSet::new));
    }
}
