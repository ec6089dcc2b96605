package io.idempotency.processor.sender;

import io.idempotency.processor.rule.Problems;
import io.micronaut.inject.ast.ClassElement;
import io.micronaut.inject.ast.ParameterElement;
import java.util.List;

/** A key is written as text, and the same key the same each time. */
final class SentKeyTypeRule implements SenderRule {

    private static final List<String> TEXTS = List.of(
            "java.lang.CharSequence",
            "java.util.UUID",
            "java.lang.Enum",
            "java.lang.Byte",
            "java.lang.Short",
            "java.lang.Integer",
            "java.lang.Long",
            "java.math.BigInteger");

    private static final List<String> PRIMITIVES = List.of("byte", "short", "int", "long");

    @Override
    public void check(SenderMethod method, Problems problems) {
        for (ParameterElement key : method.keys()) {
            ClassElement type = key.getGenericType();
            boolean text = !type.isArray()
                    && (type.isPrimitive()
                            ? PRIMITIVES.contains(type.getName())
                            : TEXTS.stream().anyMatch(type::isAssignable));
            if (!text) {
                method.error(
                        problems,
                        "the @IdempotencyKey '" + key.getName() + "' is a " + type.getSimpleName()
                                + (type.isArray() ? "[]" : "")
                                + ", which does not say how it is written into the header. Take a String, a UUID, an enum or a"
                                + " whole number, or write key = \"#{…}\".",
                        key);
            }
        }
    }
}
