package io.idempotency.processor.rule.argument;

import io.idempotency.IdempotencyKey;
import io.idempotency.NotFingerprinted;
import io.idempotency.WhenInProgress;
import io.idempotency.definition.KeySource;
import io.idempotency.fingerprint.FingerprintDefault;
import io.idempotency.fingerprint.FingerprintName;
import io.idempotency.processor.model.Durations;
import io.idempotency.processor.model.OperationMethod;
import io.idempotency.processor.model.OperationParameter;
import io.idempotency.processor.plan.KeyPart;
import io.idempotency.processor.plan.Operation;
import io.idempotency.processor.rule.OperationRule;
import io.idempotency.processor.rule.Problems;
import io.idempotency.processor.rule.RuleId;
import io.micronaut.inject.ast.MethodElement;
import io.micronaut.inject.ast.ParameterElement;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/** What the annotation says is read by something. */
public final class UnreadRule implements OperationRule {

    @Override
    public void check(Operation operation, Problems problems) {
        OperationMethod method = operation.method();
        boolean rejects = method.text("whenInProgress").equals(WhenInProgress.REJECT.name());
        if (method.sets(Durations.WAIT_TIMEOUT) && rejects) {
            problems.reportValue(
                    RuleId.NOTHING_READS,
                    operation,
                    Durations.WAIT_TIMEOUT,
                    "waitTimeout says how long a duplicate waits, and whenInProgress = REJECT that none does. Write WAIT,"
                            + " or remove waitTimeout.");
        }
        if (method.sets("keyRequired") && !method.flag("keyRequired") && isAlwaysThere(operation)) {
            problems.reportValue(
                    RuleId.NOTHING_READS,
                    operation,
                    "keyRequired",
                    "keyRequired = false is for calls without a key, and this one's is never absent. Remove it.");
        }
        marksOfOthers(operation, problems);
    }

    /** Annotations of parameters are not inherited beside an annotation of one's own. */
    private static void marksOfOthers(Operation operation, Problems problems) {
        OperationMethod method = operation.method();
        for (MethodElement overridden : method.method().getOverriddenMethods()) {
            for (OperationParameter parameter : method.parameters()) {
                ParameterElement other = overridden.getParameters()[parameter.index()];
                unread(other, parameter)
                        .forEach(mark -> problems.report(
                                RuleId.NOTHING_READS,
                                operation,
                                mark + " on '" + other.getName() + "' of "
                                        + overridden
                                                .getDeclaringType()
                                                .getSimpleName()
                                                .replace('$', '.') + "."
                                        + overridden.getName()
                                        + " is read by nothing, since the annotated method is this one."
                                        + " Write it on '" + parameter.name()
                                        + "' here, or annotate that method instead.",
                                parameter.element()));
            }
        }
    }

    private static Stream<String> unread(ParameterElement other, OperationParameter own) {
        return Map.of(
                        IdempotencyKey.class,
                        own.key(),
                        NotFingerprinted.class,
                        own.notFingerprinted(),
                        FingerprintDefault.class,
                        own.absent() != null,
                        FingerprintName.class,
                        !own.written().equals(own.name()))
                .entrySet()
                .stream()
                .filter(mark -> other.hasDeclaredAnnotation(mark.getKey()) && !mark.getValue())
                .map(mark -> "@" + mark.getKey().getSimpleName())
                .sorted();
    }

    private static boolean isAlwaysThere(Operation operation) {
        List<KeyPart> parts = operation.key().parts();
        return operation.key().source() == KeySource.ARGUMENTS
                || (!parts.isEmpty()
                        && parts.stream()
                                .allMatch(part -> part.steps().isEmpty()
                                        && part.parameter().type().isPrimitive()));
    }
}
