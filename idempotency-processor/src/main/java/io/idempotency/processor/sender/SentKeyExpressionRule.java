package io.idempotency.processor.sender;

import io.idempotency.SendsIdempotencyKey;
import io.idempotency.processor.rule.Problems;
import io.idempotency.processor.rule.RuleId;
import io.micronaut.core.annotation.AnnotationMetadata;
import io.micronaut.core.expressions.EvaluatedExpressionReference;
import io.micronaut.inject.ast.ClassElement;
import java.util.List;

/** A key of the annotation differs from call to call, and a name from method to method. */
final class SentKeyExpressionRule implements SenderRule {

    @Override
    public void check(SenderMethod method, Problems problems) {
        if (method.isMarkedItself() && method.sets("key") && !isExpression(method.method())) {
            method.error(
                    problems,
                    "key = \""
                            + method.method()
                                    .stringValue(SendsIdempotencyKey.class, "key")
                                    .orElse("")
                            + "\" is the same for every call, which would make one intent of all of them. Write an expression"
                            + " over the parameters, for instance key = \"#{ order.id }\".");
        }
    }

    @Override
    public void checkType(ClassElement type, Problems problems) {
        for (String attribute : List.of("value", "key", "service")) {
            boolean needless = "service".equals(attribute) && !type.isInterface();
            if (!needless
                    && type.stringValue(SendsIdempotencyKey.class, attribute).isPresent()) {
                problems.report(
                        RuleId.SENT_KEY,
                        type.getSimpleName() + ": " + ("value".equals(attribute) ? "the name" : attribute)
                                + " in @SendsIdempotencyKey is one method's. Move it to the method.",
                        type);
            }
        }
    }

    private static boolean isExpression(AnnotationMetadata annotations) {
        return annotations
                .getValue(SendsIdempotencyKey.class, "key")
                .filter(value -> value instanceof EvaluatedExpressionReference
                        || value.toString().contains("#{"))
                .isPresent();
    }
}
