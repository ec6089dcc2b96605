package io.idempotency.runtime.config;

import io.idempotency.OnAbandoned;
import io.idempotency.OnFailure;
import io.idempotency.WhenInProgress;
import io.idempotency.definition.KeySource;
import io.idempotency.definition.OperationDefinition;
import io.idempotency.runtime.Effect;
import io.idempotency.runtime.engine.Operation;
import jakarta.inject.Singleton;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.function.Predicate;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Says at the start of what the configuration writes about an operation what the compiler says of an annotation: that nothing reads it, or that it cannot work. */
@Singleton
public final class PolicyWarnings {

    private static final Logger LOG = LoggerFactory.getLogger(PolicyWarnings.class);
    private static final Duration SHORTEST_LEASE = Duration.ofSeconds(1);

    private final OperationAttributes attributes;
    private final OperationBinder operations;

    PolicyWarnings(OperationAttributes attributes, OperationBinder operations) {
        this.attributes = attributes;
        this.operations = operations;
    }

    /**
     * Logs them, one line for each property.
     *
     * @param retried whether an operation's calls are repeated by advice around it
     * @param reconciled whether a bean answers for an operation's abandoned runs
     */
    public void log(Predicate<String> retried, Predicate<String> reconciled) {
        operations.all().stream()
                .sorted(Comparator.comparing(bound -> bound.definition().name()))
                .flatMap(bound -> of(bound, retried, reconciled).stream())
                .forEach(LOG::warn);
    }

    private List<String> of(OperationBinder.Bound bound, Predicate<String> retried, Predicate<String> reconciled) {
        OperationDefinition definition = bound.definition();
        Operation.Policy policy = bound.operation().policy();
        List<String> found = new ArrayList<>();
        if (sets(definition, "wait-timeout") && policy.whenInProgress() == WhenInProgress.REJECT) {
            found.add(line(
                    definition,
                    "wait-timeout",
                    "nothing reads it, since when-in-progress is REJECT and no duplicate" + " waits. Write "
                            + OperationAttributes.property(definition.name(), "when-in-progress")
                            + ": WAIT, or remove the line."));
        }
        if (policy.lease().compareTo(SHORTEST_LEASE) < 0 && isConfigured(definition, "lease")) {
            String property = sets(definition, "lease")
                    ? OperationAttributes.property(definition.name(), "lease")
                    : IdempotencyConfiguration.PREFIX + ".lease";
            found.add(text(
                    definition,
                    property,
                    policy.lease() + " is shorter than a pause of the JVM or a slow answer of the"
                            + " store, so a running body loses its claim before it can renew it. Write at least 1s."));
        }
        if (definition.keySource() == KeySource.ARGUMENTS && sets(definition, "key-required")) {
            found.add(line(
                    definition,
                    "key-required",
                    "nothing reads it, since the arguments are the key, which is never" + " absent. Remove the line."));
        }
        if (definition.keySource() != KeySource.HEADER && sets(definition, "key-format")) {
            found.add(line(
                    definition,
                    "key-format",
                    "nothing reads it, since the key does not come from an Idempotency-Key"
                            + " header. Remove the line."));
        }
        if (sets(definition, "on-abandoned")
                && policy.onAbandoned() != OnAbandoned.RECONCILE
                && reconciled.test(definition.name())) {
            found.add(line(
                    definition,
                    "on-abandoned",
                    "it is " + policy.onAbandoned() + ", so the @Reconciles(\"" + definition.name()
                            + "\") method is never asked. Write RECONCILE, or remove the line or the method."));
        }
        boolean remembers = policy.onFailure() == OnFailure.REMEMBER
                && !policy.declaredEffects().containsValue(Effect.NONE);
        if (sets(definition, "on-failure") && remembers && retried.test(definition.name())) {
            found.add(line(
                    definition,
                    "on-failure",
                    "it is REMEMBER and the method is @Retryable: the second attempt never"
                            + " runs the body, and the caller gets PreviousAttemptFailedException. Name the exceptions that are worth"
                            + " it in " + OperationAttributes.property(definition.name(), "no-effect-for")
                            + ", or write RELEASE."));
        }
        return found;
    }

    private boolean sets(OperationDefinition definition, String property) {
        return attributes.own(definition, property).isPresent();
    }

    /** Of what the annotation says the compiler has warned. */
    private boolean isConfigured(OperationDefinition definition, String property) {
        return sets(definition, property)
                || attributes.declared(definition, property).isEmpty();
    }

    private static String line(OperationDefinition definition, String attribute, String why) {
        return text(definition, OperationAttributes.property(definition.name(), attribute), why);
    }

    private static String text(OperationDefinition definition, String property, String why) {
        return property + " of operation '" + definition.name() + "' (" + definition.origin() + "): " + why;
    }
}
