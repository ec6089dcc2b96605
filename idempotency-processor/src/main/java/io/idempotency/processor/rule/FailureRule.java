package io.idempotency.processor.rule;

import io.idempotency.OnFailure;
import io.idempotency.processor.model.BoundType;
import io.idempotency.processor.model.OperationMethod;
import io.idempotency.processor.model.RuleId;
import io.idempotency.processor.plan.Operation;
import io.micronaut.inject.visitor.VisitorContext;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Requires failure types that are visible and in one list, proofs of no effect, and no retries of kept failures. */
record FailureRule(VisitorContext context) implements OperationRule {

    private static final Set<String> PROVE_NOTHING =
            Set.of("java.lang.Throwable", "java.lang.Exception", "java.lang.RuntimeException", "java.lang.Error");

    @Override
    public void check(Operation operation, Problems problems) {
        OperationMethod method = operation.method();
        List<String> noEffect = method.classNames("noEffectFor");
        boolean remembers = !method.text("onFailure").equals(OnFailure.RELEASE.name()) && noEffect.isEmpty();
        if (remembers && method.method().hasStereotype("io.micronaut.retry.annotation.Retryable")) {
            problems.of(RuleId.RETRIED_FAILURE, operation)
                    .say("@Retryable calls again after a failure, but the operation remembers its first one: the body"
                            + " does not run again, and the caller gets PreviousAttemptFailedException instead of the"
                            + " exception itself. Name the exceptions that are worth it in noEffectFor, write"
                            + " onFailure = RELEASE, or retry inside the body.");
        }
        Map<String, String> listed = new HashMap<>();
        for (String list : OperationMethod.FAILURE_LISTS) {
            for (String type : method.classNames(list)) {
                visible(operation, list, type, problems);
                String other = listed.put(type, list);
                if (other != null && !other.equals(list)) {
                    problems.of(RuleId.FAILURE_TYPES, operation, list)
                            .say(BoundType.lastName(type) + " is in " + other + " and in " + list
                                    + ", and nobody could say which one counts. Keep one.");
                }
            }
        }
        noEffect.stream()
                .filter(PROVE_NOTHING::contains)
                .forEach(type -> problems.of(RuleId.FAILURE_TYPES, operation, "noEffectFor")
                        .say("noEffectFor names " + BoundType.lastName(type)
                                + ", which every kind of failure is, so it proves"
                                + " nothing about the effect. Name the exceptions that do, or choose onFailure ="
                                + " RELEASE to forget failures that are not cut-offs."));
    }

    private void visible(Operation operation, String list, String name, Problems problems) {
        String fromPackage = operation.method().owner().getPackageName();
        context.getClassElement(name)
                .filter(type -> !BoundType.isVisible(type, fromPackage))
                .ifPresent(type -> problems.of(RuleId.FAILURE_TYPES, operation, list)
                        .say(list + " names " + type.getCanonicalName() + ", which code in package " + fromPackage
                                + " cannot see, and that is where its definition is generated. Make it package-private"
                                + " there or public."));
    }
}
