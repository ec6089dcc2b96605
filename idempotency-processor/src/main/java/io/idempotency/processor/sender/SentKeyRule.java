package io.idempotency.processor.sender;

import io.idempotency.SendsIdempotencyKey;
import io.idempotency.processor.plan.KeyPlan;
import io.idempotency.processor.rule.Problems;
import io.idempotency.processor.rule.RuleId;
import io.micronaut.inject.ast.ClassElement;
import io.micronaut.inject.ast.ParameterElement;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/** The key that is sent: it comes from one place, is a text, goes to one place, and differs from call to call. */
final class SentKeyRule implements SenderRule {

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

    private static final String BINDABLE = "io.micronaut.core.bind.annotation.Bindable";
    private static final String BODY = "io.micronaut.http.annotation.Body";

    @Override
    public void check(SenderMethod method, Problems problems) {
        once(method, problems);
        asText(method, problems);
        besideTheBody(method, problems);
        differing(method, problems);
    }

    /** From one place. */
    private static void once(SenderMethod method, Problems problems) {
        List<ParameterElement> keys = method.keys();
        String names = keys.stream().map(ParameterElement::getName).collect(Collectors.joining(", "));
        if (keys.size() > 1) {
            method.error(
                    problems,
                    "one request carries one key, and " + names
                            + " are each marked with @IdempotencyKey. Mark one, or put"
                            + " them together in key = \"#{…}\".");
        } else if (!keys.isEmpty() && method.sets("key")) {
            method.error(
                    problems,
                    "the key is given twice, as key = … and by @IdempotencyKey on " + names + ". Remove one of them.");
        }
    }

    /** Written as text, and the same key the same each time. */
    private static void asText(SenderMethod method, Problems problems) {
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

    /**
     * Where a client's method has no {@code @Body}, Micronaut makes the body of the parameters that go nowhere else.
     * Whether the key is to be among them must be said.
     */
    private static void besideTheBody(SenderMethod method, Problems problems) {
        boolean hasBody = method.parameters().stream().anyMatch(parameter -> parameter.hasStereotype(BODY));
        if (!method.isDeclarative() || method.isSafe() || method.httpMethod().isEmpty() || hasBody) {
            return;
        }
        for (ParameterElement key : method.keys()) {
            if (!key.hasStereotype(BINDABLE) && !isInPath(key.getName(), method.path())) {
                method.error(
                        problems,
                        "no parameter is the @Body, so the key '" + key.getName() + "' would be a property of it too."
                                + " Write @Header(\"Idempotency-Key\") instead of @IdempotencyKey to send it as the header"
                                + " alone, or @SendsIdempotencyKey(key = \"#{ " + key.getName()
                                + " }\") to send it as both.",
                        key);
            }
        }
    }

    private static boolean isInPath(String name, String path) {
        return Pattern.compile("\\{[^}]*\\b" + Pattern.quote(name) + "\\b[^}]*}")
                .matcher(path)
                .find();
    }

    /** Another one for each call. */
    private static void differing(SenderMethod method, Problems problems) {
        if (method.isMarkedItself()
                && method.sets("key")
                && !KeyPlan.isExpression(method.method(), SendsIdempotencyKey.class)) {
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
}
