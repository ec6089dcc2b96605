package io.idempotency.processor.rule;

import io.idempotency.IdempotencyKey;
import io.idempotency.NotFingerprinted;
import io.idempotency.WhenInProgress;
import io.idempotency.definition.KeySource;
import io.idempotency.fingerprint.FingerprintDefault;
import io.idempotency.fingerprint.FingerprintName;
import io.idempotency.processor.model.BoundType;
import io.idempotency.processor.model.Durations;
import io.idempotency.processor.model.OperationMethod;
import io.idempotency.processor.model.OperationMethod.OperationParameter;
import io.idempotency.processor.model.RuleId;
import io.idempotency.processor.plan.KeyPlan;
import io.idempotency.processor.plan.Operation;
import io.micronaut.inject.ast.MethodElement;
import io.micronaut.inject.ast.ParameterElement;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/** Warns of annotations and attributes that have no effect. */
final class UnreadRule implements OperationRule {

    @Override
    public void check(Operation operation, Problems problems) {
        OperationMethod method = operation.method();
        boolean rejects = method.text("whenInProgress").equals(WhenInProgress.REJECT.name());
        if (method.sets(Durations.WAIT_TIMEOUT) && rejects) {
            problems.of(RuleId.NOTHING_READS, operation, Durations.WAIT_TIMEOUT)
                    .say("waitTimeout says how long a duplicate waits, and whenInProgress = REJECT that none does."
                            + " Write WAIT, or remove waitTimeout.");
        }
        if (!method.flag("keyRequired", true) && isAlwaysThere(operation.key())) {
            problems.of(RuleId.NOTHING_READS, operation, "keyRequired")
                    .say("keyRequired = false is for calls without a key, and this one's is never absent. Remove it.");
        }
        // an annotated method does not inherit its parameters' annotations
        for (MethodElement overridden : method.method().getOverriddenMethods()) {
            for (OperationParameter parameter : method.parameters()) {
                ParameterElement other = overridden.getParameters()[parameter.index()];
                unread(other, parameter)
                        .forEach(mark -> problems.of(RuleId.NOTHING_READS, operation)
                                .at(parameter.element())
                                .say(mark + " on '" + other.getName() + "' of "
                                        + BoundType.simpleName(overridden.getDeclaringType()) + "."
                                        + overridden.getName()
                                        + " is read by nothing, since the annotated method is this one. Write it on '"
                                        + parameter.name() + "' here, or annotate that method instead."));
            }
        }
    }

    private static Stream<String> unread(ParameterElement other, OperationParameter own) {
        return Map.of(
                        IdempotencyKey.class,
                        own.key(),
                        NotFingerprinted.class,
                        own.value().notFingerprinted(),
                        FingerprintDefault.class,
                        own.value().absent() != null,
                        FingerprintName.class,
                        !own.value().written().equals(own.name()))
                .entrySet()
                .stream()
                .filter(mark -> other.hasDeclaredAnnotation(mark.getKey()) && !mark.getValue())
                .map(mark -> "@" + mark.getKey().getSimpleName())
                .sorted();
    }

    private static boolean isAlwaysThere(KeyPlan key) {
        List<KeyPlan.Part> parts = key.parts();
        return key.source() == KeySource.ARGUMENTS
                || (!parts.isEmpty()
                        && parts.stream()
                                .allMatch(it -> it.steps().isEmpty()
                                        && it.parameter().type().isPrimitive()));
    }
}
