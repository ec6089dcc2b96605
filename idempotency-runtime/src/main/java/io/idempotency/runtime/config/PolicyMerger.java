package io.idempotency.runtime.config;

import static io.idempotency.runtime.config.OperationAttributes.require;

import io.idempotency.OnAbandoned;
import io.idempotency.OnStoreFailure;
import io.idempotency.definition.OperationDefinition;
import io.idempotency.runtime.Effect;
import io.idempotency.runtime.call.Operation;
import io.idempotency.runtime.store.IdempotencyStore;
import io.micronaut.context.BeanContext;
import io.micronaut.context.env.Environment;
import io.micronaut.context.exceptions.ConfigurationException;
import io.micronaut.core.convert.ConversionService;
import io.micronaut.core.reflect.ClassUtils;
import io.micronaut.core.type.Argument;
import jakarta.inject.Singleton;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Merges an operation's own configuration, its annotation and the configuration of all. Refuses policies that
 * contradict each other, or that no store could keep.
 */
@Singleton
record PolicyMerger(
        OperationAttributes attributes,
        IdempotencyConfiguration all,
        ConversionService conversion,
        Environment environment,
        BeanContext context) {

    /** The same as {@link PolicyConfiguration#HUNDRED_YEARS}. */
    private static final Duration LONGEST = Duration.ofDays(36_500);

    private static final Set<Class<?>> PROVE_NOTHING =
            Set.of(Throwable.class, Exception.class, RuntimeException.class, Error.class);

    /** Returns the decided policies of an operation; throws when they contradict each other. */
    Operation.Policy policyOf(OperationDefinition definition) {
        Operation.Policy policy = new Operation.Policy(
                attributes.of(definition, "retention", PolicyConfiguration::getRetention),
                inDoubtRetention(definition),
                attributes.of(definition, "lease", PolicyConfiguration::getLease),
                attributes.of(definition, "when-in-progress", PolicyConfiguration::getWhenInProgress),
                attributes.of(definition, "wait-timeout", PolicyConfiguration::getWaitTimeout),
                attributes.of(definition, "on-failure", PolicyConfiguration::getOnFailure),
                failureTypes(definition),
                attributes.of(definition, "on-store-failure", PolicyConfiguration::getOnStoreFailure),
                attributes.of(definition, "on-abandoned", PolicyConfiguration::getOnAbandoned),
                definition.transactional(),
                attributes.of(definition, "max-result-size", PolicyConfiguration::getMaxResultSize),
                all.getSettleBudget(),
                attributes.of(definition, "store-arguments", PolicyConfiguration::getStoreArguments));
        check(definition, policy);
        return policy;
    }

    private Duration inDoubtRetention(OperationDefinition definition) {
        String text = attributes.of(definition, "in-doubt-retention", PolicyConfiguration::getInDoubtRetention);
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

    private static void check(OperationDefinition definition, Operation.Policy policy) {
        Duration lease = policy.lease();
        Duration open = policy.inDoubtRetention();
        require(
                definition,
                "retention",
                policy.retention().compareTo(lease) >= 0,
                policy.retention() + " is shorter than the lease " + lease);
        require(
                definition,
                "in-doubt-retention",
                open.compareTo(lease) >= 0,
                open + " is shorter than the lease " + lease);
        require(
                definition,
                "in-doubt-retention",
                open.equals(IdempotencyStore.FOREVER) || open.compareTo(LONGEST) <= 0,
                open + " is longer than 100 years; write forever");
        if (policy.transactional()) {
            checkTransactional(definition, policy);
        }
    }

    private static void checkTransactional(OperationDefinition definition, Operation.Policy policy) {
        require(
                definition,
                "on-abandoned",
                policy.onAbandoned() != OnAbandoned.RECONCILE,
                "it is RECONCILE and the operation is transactional: a crash rolls its body back, and a transaction asks"
                        + " no reconciler");
        require(
                definition,
                "on-store-failure",
                policy.onStoreFailure() != OnStoreFailure.PROCEED,
                "it is PROCEED and the operation is transactional: when the record's database is away, so is the body's");
    }

    /**
     * Merges the effects declared for exception types, the later overriding the earlier: configuration of all,
     * annotation, configuration of the one operation. Resolves class names now, never during a call.
     */
    private Map<Class<? extends Throwable>, Effect> failureTypes(OperationDefinition definition) {
        Map<Class<? extends Throwable>, Effect> types = new HashMap<>(configured(IdempotencyConfiguration.PREFIX));
        definition.noEffectFor().forEach(type -> types.put(type, Effect.NONE));
        definition.finalFor().forEach(type -> types.put(type, Effect.FINAL));
        definition.unknownFor().forEach(type -> types.put(type, Effect.UNKNOWN));
        types.putAll(configured(OperationConfiguration.PREFIX + "." + definition.name()));
        return types;
    }

    private Map<Class<? extends Throwable>, Effect> configured(String prefix) {
        Map<Class<? extends Throwable>, Effect> types = new HashMap<>();
        add(types, prefix + ".no-effect-for", Effect.NONE);
        add(types, prefix + ".final-for", Effect.FINAL);
        add(types, prefix + ".unknown-for", Effect.UNKNOWN);
        return types;
    }

    private void add(Map<Class<? extends Throwable>, Effect> types, String property, Effect effect) {
        for (String name :
                environment.getProperty(property, Argument.listOf(String.class)).orElse(List.of())) {
            Class<? extends Throwable> type = exception(property, name.trim());
            if (effect == Effect.NONE && PROVE_NOTHING.contains(type)) {
                throw new ConfigurationException(property + ": every kind of failure is a " + name
                        + ", so it proves nothing about the effect. Name the exceptions that do, or choose"
                        + " idempotency.on-failure: RELEASE to forget failures that are not cut-offs.");
            }
            Effect other = types.put(type, effect);
            if (other != null && other != effect) {
                throw new ConfigurationException(property + ": " + name + " is in another of the lists no-effect-for,"
                        + " final-for and unknown-for beside it, and nothing says which one counts. Keep one.");
            }
        }
    }

    private Class<? extends Throwable> exception(String property, String name) {
        Class<?> type = ClassUtils.forName(name, context.getClassLoader())
                .orElseThrow(() -> new ConfigurationException(property + ": there is no class '" + name
                        + "'. Write the full name of an exception, a nested one as Outer$Inner."));
        if (!Throwable.class.isAssignableFrom(type)) {
            throw new ConfigurationException(
                    property + ": '" + name + "' is not an exception, so no body can throw it.");
        }
        return type.asSubclass(Throwable.class);
    }
}
