package io.idempotency.processor.rule.policy;

import io.idempotency.processor.model.Accessors;
import io.idempotency.processor.model.OperationMethod;
import io.idempotency.processor.plan.Operation;
import io.idempotency.processor.rule.OperationRule;
import io.idempotency.processor.rule.Problems;
import io.idempotency.processor.rule.RuleId;
import io.micronaut.inject.ast.ClassElement;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;

/** Each exception type says one thing, the generated definition can name it, and a proof of no effect proves it. */
public final class FailureTypesRule implements OperationRule {

    private static final Set<String> PROVE_NOTHING = Set.of(
            Throwable.class.getName(),
            Exception.class.getName(),
            RuntimeException.class.getName(),
            Error.class.getName());

    private final Function<String, Optional<ClassElement>> classes;

    /** Looks classes up in a compilation. */
    public FailureTypesRule(Function<String, Optional<ClassElement>> classes) {
        this.classes = classes;
    }

    @Override
    public void check(Operation operation, Problems problems) {
        Map<String, String> listed = new HashMap<>();
        for (String list : OperationMethod.FAILURE_LISTS) {
            for (String type : operation.method().classNames(list)) {
                visible(operation, list, type, problems);
                String other = listed.put(type, list);
                if (other != null && !other.equals(list)) {
                    problems.reportItem(
                            RuleId.FAILURE_TYPES,
                            operation,
                            list,
                            type,
                            simpleName(type) + " is in " + other + " and in " + list
                                    + ", and nobody could say which one counts. Keep one.");
                }
            }
        }
        List<String> noEffect = operation.method().classNames("noEffectFor");
        noEffect.stream()
                .filter(PROVE_NOTHING::contains)
                .forEach(type -> problems.reportItem(
                        RuleId.FAILURE_TYPES,
                        operation,
                        "noEffectFor",
                        type,
                        "noEffectFor names " + simpleName(type) + ", which every kind of failure is, so it proves"
                                + " nothing about the effect. Name the exceptions that do, or choose onFailure = RELEASE"
                                + " to forget failures that are not cut-offs."));
    }

    private void visible(Operation operation, String list, String name, Problems problems) {
        String fromPackage = operation.method().owner().getPackageName();
        classes.apply(name)
                .filter(type -> !Accessors.isVisible(type, fromPackage))
                .ifPresent(type -> problems.reportItem(
                        RuleId.FAILURE_TYPES,
                        operation,
                        list,
                        name,
                        list + " names " + type.getCanonicalName() + ", which code in package " + fromPackage
                                + " cannot see, and that is where its definition is generated. Make it package-private"
                                + " there or public."));
    }

    private static String simpleName(String binaryName) {
        return binaryName.substring(Math.max(binaryName.lastIndexOf('.'), binaryName.lastIndexOf('$')) + 1);
    }
}
