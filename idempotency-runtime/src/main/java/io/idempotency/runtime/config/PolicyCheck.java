package io.idempotency.runtime.config;

import io.idempotency.OnAbandoned;
import io.idempotency.OnStoreFailure;
import io.idempotency.definition.OperationDefinition;
import io.idempotency.runtime.call.Operation;
import io.idempotency.runtime.store.IdempotencyStore;
import io.micronaut.context.exceptions.ConfigurationException;
import java.time.Duration;

/** Refuses policies that contradict each other, or that no store could keep. */
final class PolicyCheck {

    private static final Duration SHORTEST_LEASE = Duration.ofMillis(10);

    /** Longer spans do not fit into nanoseconds; a call would find out after it had claimed or run. */
    private static final Duration LONGEST = Duration.ofDays(100L * 365);

    private PolicyCheck() {}

    static void of(OperationDefinition definition, Operation.Policy policy) {
        Duration lease = policy.lease();
        require(definition, "lease", lease.compareTo(SHORTEST_LEASE) >= 0, lease + " is shorter than 10ms");
        require(definition, "lease", fits(lease), tooLong(lease));
        require(
                definition,
                "retention",
                policy.retention().compareTo(lease) >= 0,
                policy.retention() + " is shorter than the lease " + lease);
        require(
                definition,
                "in-doubt-retention",
                policy.inDoubtRetention().compareTo(lease) >= 0,
                policy.inDoubtRetention() + " is shorter than the lease " + lease);
        require(definition, "retention", fits(policy.retention()), tooLong(policy.retention()));
        boolean kept = policy.inDoubtRetention().equals(IdempotencyStore.FOREVER) || fits(policy.inDoubtRetention());
        require(definition, "in-doubt-retention", kept, tooLong(policy.inDoubtRetention()) + "; write forever");
        require(definition, "wait-timeout", fits(policy.waitTimeout()), tooLong(policy.waitTimeout()));
        require(definition, "wait-timeout", !policy.waitTimeout().isNegative(), "it is negative");
        require(definition, "max-result-size", policy.maxResultSize() >= 0, "it is negative");
        require("settle-budget", policy.settleBudget());
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

    /** Of a span for all operations. */
    static void require(String attribute, Duration span) {
        if (span.isNegative() || !fits(span)) {
            throw new ConfigurationException(IdempotencyConfiguration.PREFIX + "." + attribute + ": " + span
                    + " is negative or longer than 100 years");
        }
    }

    private static boolean fits(Duration span) {
        return span.compareTo(LONGEST) <= 0;
    }

    private static String tooLong(Duration span) {
        return span + " is longer than 100 years";
    }

    static void require(OperationDefinition definition, String attribute, boolean fulfilled, String problem) {
        if (!fulfilled) {
            throw new ConfigurationException("Operation '" + definition.name() + "' (" + definition.origin() + "): "
                    + attribute + ": " + problem + ". Change it on the annotation, as idempotency." + attribute
                    + " or as " + OperationAttributes.property(definition.name(), attribute) + ".");
        }
    }
}
