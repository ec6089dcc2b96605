package io.idempotency.processor.rule.key;

import io.idempotency.definition.KeySource;
import io.idempotency.processor.plan.KeyPart;
import io.idempotency.processor.plan.KeyPlan;
import io.idempotency.processor.plan.Operation;
import io.idempotency.processor.rule.OperationRule;
import io.idempotency.processor.rule.Problems;
import io.idempotency.processor.rule.RuleId;
import java.util.List;
import java.util.Set;

/** A key has to tell calls apart, and be the same again for the same call. */
public final class ArgumentKeyRule implements OperationRule {

    private static final Set<String> TRUTHS = Set.of("boolean", "java.lang.Boolean");
    private static final Set<String> FRACTIONS = Set.of("float", "double", "java.lang.Float", "java.lang.Double");

    @Override
    public void check(Operation operation, Problems problems) {
        if (operation.key().source() == KeySource.ARGUMENTS
                && operation.fingerprint().parameters().isEmpty()
                && operation.fingerprint().problems().isEmpty()) {
            problems.report(
                    RuleId.CONSTANT_KEY,
                    operation,
                    "the arguments are the key, and there are none that count, so every call has the same key: the body"
                            + " runs once, and every other call gets its result until that is forgotten. If that is"
                            + " not meant, add a parameter that tells calls apart and name it with key = \"…\".");
        }
        if (KeyPlan.isConstant(operation.method().method().getAnnotationMetadata())) {
            problems.reportValue(
                    RuleId.CONSTANT_KEY,
                    operation,
                    "key",
                    "the key's expression reads nothing of the call, so every call has the same key: the body runs once,"
                            + " and every other call gets its result. Name a parameter, for instance #{ order.id }.");
        }
        List<String> parts = parts(operation);
        if (!parts.isEmpty() && parts.stream().allMatch(TRUTHS::contains)) {
            problems.reportValue(
                    RuleId.CONSTANT_KEY,
                    operation,
                    "key",
                    parts.size() == 1
                            ? "the key is a truth value, so there are two keys, and the body runs twice at most. Name what"
                                    + " tells calls apart."
                            : "the key is made of truth values only, so there are " + (1 << Math.min(parts.size(), 30))
                                    + " keys, and the body runs for each of them once at most. Name what tells calls apart.");
        }
        if (parts.stream().anyMatch(FRACTIONS::contains)) {
            problems.reportValue(
                    RuleId.FLOATING_KEY,
                    operation,
                    "key",
                    "the key is a binary fraction, and a retry that calculates it again may get another one (0.1 + 0.2"
                            + " is not 0.3) and run the body again. Take a BigDecimal, a long or a text.");
        }
    }

    /** The types, or tags, of what the key is made of. */
    private static List<String> parts(Operation operation) {
        return operation.key().source() == KeySource.ARGUMENTS
                ? operation.fingerprint().parameters().stream()
                        .map(each -> each.parameter().type().name())
                        .toList()
                : operation.key().parts().stream().map(KeyPart::tag).toList();
    }
}
