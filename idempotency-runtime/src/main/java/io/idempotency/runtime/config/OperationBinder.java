package io.idempotency.runtime.config;

import io.idempotency.OtherCallers;
import io.idempotency.definition.OperationDefinition;
import io.idempotency.runtime.ResultCodec;
import io.idempotency.runtime.call.Operation;
import io.idempotency.runtime.secrets.OutcomeSeal;
import io.idempotency.runtime.store.IdempotencyStore;
import io.micronaut.context.env.Environment;
import io.micronaut.context.exceptions.ConfigurationException;
import jakarta.inject.Singleton;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/** Makes operations from their definitions and the configuration. */
@Singleton
public final class OperationBinder {

    private final Stores stores;
    private final PolicyMerger policies;
    private final KeyPolicy.Merger keys;
    private final MaintenanceThreads maintenance;
    private final OutcomeSeal seal;
    private final Environment environment;
    private final Map<String, Bound> bound = new ConcurrentHashMap<>();

    OperationBinder(
            Stores stores,
            PolicyMerger policies,
            KeyPolicy.Merger keys,
            MaintenanceThreads maintenance,
            OutcomeSeal seal,
            Environment environment) {
        this.stores = stores;
        this.policies = policies;
        this.keys = keys;
        this.maintenance = maintenance;
        this.seal = seal;
        this.environment = environment;
    }

    /** The operations of each namespace. */
    private final Map<String, List<Member>> namespaces = new ConcurrentHashMap<>();

    /**
     * An operation with every policy decided.
     *
     * @param retried whether advice around its method calls it again with the same, possibly changed, arguments
     */
    public record Bound(OperationDefinition definition, Operation operation, KeyPolicy keys, boolean retried) {

        private boolean isolates() {
            return keys.otherCallers() == OtherCallers.ISOLATE;
        }
    }

    private record Member(Bound bound, BooleanSupplier isReplaced) {}

    /** Operations that the configuration declares without an annotated method. */
    public interface Configured {

        /** Binds all of them with every policy decided, so that a wrong property fails the start. */
        Collection<Operation> operations();
    }

    /**
     * Returns the operation of a name: an annotated method, a configured route, or an operation called by hand, which
     * exists once it is configured or called. Empty when this application has none.
     */
    public Optional<Bound> named(String name) {
        return Optional.ofNullable(bound.get(name));
    }

    /** Returns all bound operations, in no order. */
    public Collection<Bound> all() {
        return List.copyOf(bound.values());
    }

    /** Binds an operation without an annotated method; see {@link #bind(OperationDefinition, ResultCodec, String, boolean)}. */
    public Bound bind(OperationDefinition definition, ResultCodec codec) {
        Bound binding = bind(definition, codec, null, false);
        requireOneScope(binding, () -> false);
        return binding;
    }

    /**
     * Binds an operation with every policy decided.
     *
     * @param bodysDataSource the data source that the body's own {@code @Transactional} names, null for none
     * @param retried see {@link Bound}
     * @throws ConfigurationException when its policies contradict each other
     */
    public Bound bind(
            OperationDefinition definition, ResultCodec codec, @Nullable String bodysDataSource, boolean retried) {
        String name = definition.name();
        requireBelowPrefix(name);
        IdempotencyStore store = stores.of(definition, bodysDataSource);
        maintenance.startFor(store);
        Operation operation =
                new Operation(name, definition.namespace(), store, codec, seal, policies.policyOf(definition));
        requireSealed(definition, operation);
        Bound binding = new Bound(definition, operation, keys.of(definition), retried);
        // an operation called by hand is bound without a result before its first call
        bound.merge(
                name, binding, (former, next) -> next.definition().resultType().isVoid() ? former : next);
        return binding;
    }

    /**
     * Requires a namespace's operations, among them one that has its name, to have one store, and to isolate callers all or
     * none, or they share no key.
     *
     * @param isReplaced tells whether the binding's bean is replaced by another; asked only where they do not
     * @throws ConfigurationException when they do not, and neither bean is replaced
     */
    public void requireOneScope(Bound binding, BooleanSupplier isReplaced) {
        List<Member> members =
                namespaces.computeIfAbsent(binding.definition().namespace(), first -> new CopyOnWriteArrayList<>());
        Member own = new Member(binding, isReplaced);
        members.add(own); // first, so that of two threads one sees the other's
        members.stream()
                .filter(other -> isApart(other.bound(), binding))
                .filter(other -> !other.isReplaced().getAsBoolean() && !isReplaced.getAsBoolean())
                .findFirst()
                .ifPresent(other -> {
                    members.remove(own);
                    throw unshared(other.bound(), binding);
                });
    }

    private static boolean isApart(Bound one, Bound other) {
        return (one.definition().sharesKeys() || other.definition().sharesKeys())
                && (one.isolates() != other.isolates()
                        || one.operation().store() != other.operation().store());
    }

    private static ConfigurationException unshared(Bound first, Bound binding) {
        if (binding.isolates() != first.isolates()) {
            Bound isolated = binding.isolates() ? binding : first;
            Bound common = binding.isolates() ? first : binding;
            String apart = isolated.definition().origin() + " isolates its callers and "
                    + common.definition().origin() + " does not";
            return unshared(binding, apart, "otherCallers", "other-callers");
        }
        String apart = first.definition().origin() + " has the store '"
                + first.operation().store().name() + "' and "
                + binding.definition().origin() + " the store '"
                + binding.operation().store().name() + "'";
        return unshared(binding, apart, "store", "store");
    }

    private static ConfigurationException unshared(Bound binding, String apart, String attribute, String property) {
        return new ConfigurationException("Operations of the namespace '"
                + binding.definition().namespace() + "' share their keys, but " + apart
                + ", so that one key would run both. No body ran. Write the same " + attribute + " on both (or "
                + OperationAttributes.property(binding.operation().name(), property)
                + "), or give each a namespace of its own.");
    }

    private void requireBelowPrefix(String name) {
        if (environment.getPropertyEntries("operations").contains(name)) {
            throw new ConfigurationException(
                    "operations." + name + ": nothing reads this property. No body ran. Did you mean "
                            + OperationConfiguration.PREFIX + "." + name + "?");
        }
    }

    private static void requireSealed(OperationDefinition definition, Operation operation) {
        if (operation.keepsArguments() && !operation.seal().hides()) {
            throw OperationAttributes.refused(
                    definition,
                    " has storeArguments = true, and nothing encrypts what is stored. No body ran. Set"
                            + " idempotency.encryption.key, or storeArguments = false ("
                            + OperationAttributes.property(definition.name(), "store-arguments") + ").");
        }
    }
}
