package io.idempotency.runtime.config;

import io.idempotency.OnAbandoned;
import io.idempotency.OnFailure;
import io.idempotency.WhenInProgress;
import io.idempotency.definition.KeySource;
import io.idempotency.definition.OperationDefinition;
import io.idempotency.runtime.Effect;
import io.idempotency.runtime.call.Operation;
import jakarta.inject.Singleton;
import java.time.Duration;
import java.util.Comparator;
import java.util.function.Predicate;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Warns at the start of an operation's configured properties that nothing reads or that cannot work, as the compiler
 * warns of its annotation's attributes.
 */
@Singleton
public record PolicyWarnings(OperationAttributes attributes, OperationBinder operations) {

    private static final Logger LOG = LoggerFactory.getLogger(PolicyWarnings.class);
    private static final Duration SHORTEST_LEASE = Duration.ofSeconds(1);

    /** Logs the warnings, one line for each property; {@code reconciled} tells which operations a bean reconciles. */
    public void log(Predicate<String> reconciled) {
        operations.all().stream()
                .sorted(Comparator.comparing(bound -> bound.definition().name()))
                .forEach(bound -> log(bound, reconciled));
    }

    private void log(OperationBinder.Bound bound, Predicate<String> reconciled) {
        OperationDefinition definition = bound.definition();
        Operation.Policy policy = bound.operation().policy();
        String name = definition.name();
        warn(
                definition,
                "wait-timeout",
                policy.whenInProgress() == WhenInProgress.REJECT,
                "nothing reads it, since when-in-progress is REJECT and no duplicate waits. Write "
                        + OperationAttributes.property(name, "when-in-progress") + ": WAIT, or remove the line.");
        if (policy.lease().compareTo(SHORTEST_LEASE) < 0 && isConfigured(definition, "lease")) {
            boolean own = attributes.own(definition.name(), "lease").isPresent();
            warn(
                    definition,
                    own ? OperationAttributes.property(name, "lease") : IdempotencyConfiguration.PREFIX + ".lease",
                    policy.lease()
                            + " is shorter than a pause of the JVM or a slow answer of the store, so a running body"
                            + " loses its claim before it can renew it. Write at least 1s.");
        }
        warn(
                definition,
                "key-required",
                definition.keySource() == KeySource.ARGUMENTS,
                "nothing reads it, since the arguments are the key, which is never absent. Remove the line.");
        warn(
                definition,
                "key-format",
                definition.keySource() != KeySource.HEADER && !definition.clientsKey(),
                "nothing reads it, since the key does not come from an Idempotency-Key header. Remove the line.");
        warn(
                definition,
                "on-abandoned",
                reconciled.test(name) && policy.onAbandoned() != OnAbandoned.RECONCILE,
                "it is " + policy.onAbandoned() + ", so the @Reconciles(\"" + name
                        + "\") method is never asked. Write RECONCILE, or remove the line or the method.");
        warn(
                definition,
                "on-failure",
                bound.retried()
                        && policy.onFailure() == OnFailure.REMEMBER
                        && !policy.declaredEffects().containsValue(Effect.NONE),
                "it is REMEMBER and the method is @Retryable: the second attempt never runs the body, and the caller gets"
                        + " PreviousAttemptFailedException. Name the exceptions that are worth it in "
                        + OperationAttributes.property(name, "no-effect-for") + ", or write RELEASE.");
    }

    /** Tells whether a value is configured; the compiler has warned of the annotation's values. */
    private boolean isConfigured(OperationDefinition definition, String property) {
        return attributes.own(definition.name(), property).isPresent()
                || attributes.declared(definition, property).isEmpty();
    }

    private void warn(OperationDefinition definition, String attribute, boolean useless, String why) {
        if (useless && attributes.own(definition.name(), attribute).isPresent()) {
            warn(definition, OperationAttributes.property(definition.name(), attribute), why);
        }
    }

    private static void warn(OperationDefinition definition, String property, String why) {
        LOG.warn("{} of operation '{}' ({}): {}", property, definition.name(), definition.origin(), why);
    }
}
