package io.idempotency.processor.rule;

import io.idempotency.IdempotentOperation;
import io.idempotency.definition.KeySource;
import io.idempotency.processor.model.OperationMethod;
import io.idempotency.processor.model.RuleId;
import io.idempotency.processor.plan.KeyPlan;
import io.idempotency.processor.plan.Operation;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;

/** Requires that a key has one source, exists, tells calls apart, and is the same again for the same call. */
final class KeyRule implements OperationRule {

    private static final Set<String> SEPARATE = Set.of("ISOLATE", "FORBID");
    private static final List<String> OF_CALLERS = List.of(
            "java.security.Principal",
            "io.micronaut.http.HttpHeaders",
            "io.micronaut.http.HttpParameters",
            "io.micronaut.http.HttpRequest",
            "io.micronaut.http.cookie.Cookies",
            "io.micronaut.session.Session");
    private static final Set<String> FRACTIONS = Set.of("float", "double", "java.lang.Float", "java.lang.Double");

    @Override
    public void check(Operation operation, Problems problems) {
        OperationMethod method = operation.method();
        List<String> marked = method.markedKeys();
        if (method.sets("key") && !marked.isEmpty()) {
            problems.of(RuleId.TWO_KEYS, operation, "key")
                    .say("the key is given twice, as key = … and by @IdempotencyKey on " + String.join(", ", marked)
                            + ". Remove one of them.");
        }
        operation.key().problems().forEach(problems.of(RuleId.KEY_PATH, operation, "key")::say);
        boolean arguments = operation.key().source() == KeySource.ARGUMENTS;
        if (arguments
                && operation.fingerprint().isEmpty()
                && operation.problems().stream().noneMatch(it -> it.id() == RuleId.UNFINGERPRINTABLE_ARGUMENT)) {
            problems.of(RuleId.CONSTANT_KEY, operation)
                    .say("the arguments are the key, and there are none that count, so every call has the same key:"
                            + " the body runs once, and every other call gets its result until that is forgotten. If"
                            + " that is not meant, add a parameter that tells calls apart and name it with key ="
                            + " \"…\".");
        }
        if (arguments && !SEPARATE.contains(method.text("otherCallers"))) {
            method.parameters().stream()
                    .filter(it -> !it.value().notFingerprinted()
                            && !it.element().hasStereotype("io.micronaut.http.annotation.Body")
                            && it.type().isAssignableToAny(OF_CALLERS))
                    .forEach(it -> problems.of(RuleId.CONSTANT_KEY, operation)
                            .at(it.element())
                            .say("'" + it.name()
                                    + "' is left out of the key, which the arguments are, so another caller"
                                    + " with the same arguments gets this one's result. Set otherCallers = ISOLATE, or"
                                    + " take what counts of it as a parameter and mark it @NotFingerprinted."));
        }
        KeyPlan.doubt(method.method(), IdempotentOperation.class)
                .ifPresent(problems.of(RuleId.CONSTANT_KEY, operation, "key")::say);
        Stream<String> parts = arguments
                ? operation.fingerprint().stream()
                        .map(property -> property.shape().type().name())
                : operation.key().parts().stream().map(KeyPlan.Part::tag);
        if (parts.anyMatch(FRACTIONS::contains)) {
            problems.of(RuleId.FLOATING_KEY, operation, "key")
                    .say("the key is a binary fraction, and a retry that calculates it again may get another one (0.1"
                            + " + 0.2 is not 0.3) and run the body again. Take a BigDecimal, a long or a text.");
        }
    }
}
