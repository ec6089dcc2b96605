package io.idempotency.runtime.config;

import static io.idempotency.runtime.config.OperationAttributes.require;

import io.idempotency.OnAbandoned;
import io.idempotency.OnStoreFailure;
import io.idempotency.definition.OperationDefinition;
import io.idempotency.runtime.call.Operation;
import io.idempotency.runtime.store.IdempotencyStore;
import io.micronaut.context.exceptions.ConfigurationException;
import io.micronaut.core.convert.ConversionService;
import jakarta.inject.Singleton;
import java.time.Duration;

/**
 * Merges an operation's own configuration, its annotation and the configuration of all. Refuses policies that
 * contradict each other, or that no store could keep.
 */
@Singleton
final class PolicyMerger {

    /** The same as {@link PolicyConfiguration#HUNDRED_YEARS}. */
    private static final Duration LONGEST = Duration.ofDays(36_500);

    private final OperationAttributes attributes;
    private final IdempotencyConfiguration all;
    private final ConversionService conversion;
    private final FailureTypes failureTypes;

    PolicyMerger(
            OperationAttributes attributes,
            IdempotencyConfiguration all,
            ConversionService conversion,
            FailureTypes failureTypes) {
        this.attributes = attributes;
        this.all = all;
        this.conversion = conversion;
        this.failureTypes = failureTypes;
    }

    /**
     * Returns the decided policies of an operation.
     *
     * @throws ConfigurationException when they contradict each other
     */
    Operation.Policy policyOf(OperationDefinition definition) {
        Operation.Policy policy = new Operation.Policy(
                attributes.of(definition, "retention", PolicyConfiguration::getRetention),
                inDoubtRetention(definition),
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
}
