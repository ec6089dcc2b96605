package io.idempotency.processor.source;

import io.idempotency.processor.model.BoundType;
import io.idempotency.processor.plan.KeyPart;
import io.idempotency.processor.plan.KeyPlan;
import io.idempotency.processor.plan.Literals;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/** The methods that read a key from the arguments; null anywhere on the way is a null key. */
final class KeyMethod {

    private final KeyPlan plan;

    KeyMethod(KeyPlan plan) {
        this.plan = plan;
    }

    void write(JavaText text) {
        List<KeyPart> parts = plan.parts();
        text.lines("", "@Override").open("public String key(Object[] arguments)");
        if (parts.size() == 1) {
            part(parts.get(0), text);
            text.close();
            return;
        }
        String calls = IntStream.rangeClosed(1, parts.size())
                .mapToObj(i -> "keyPart" + i + "(arguments)")
                .collect(Collectors.joining(", "));
        text.lines("return CanonicalKey.join(" + calls + ");").close();
        for (int i = 0; i < parts.size(); i++) {
            text.lines("").open("private static String keyPart" + (i + 1) + "(Object[] arguments)");
            part(parts.get(i), text);
            text.close();
        }
    }

    private static void part(KeyPart part, JavaText text) {
        BoundType type = part.parameter().type();
        String value = local(part.parameter().name(), 0);
        text.lines(type.boxedSourceName() + " " + value + " = (" + type.boxedSourceName() + ") arguments["
                + part.parameter().index() + "];");
        for (int i = 0; i < part.steps().size(); i++) {
            nullCheck(value, type, text);
            KeyPart.Step step = part.steps().get(i);
            String next = local(step.name(), i + 1);
            text.lines("var " + next + " = " + String.format(step.code(), value) + ";");
            value = next;
            type = step.type();
        }
        if (part.tag().isEmpty()) {
            text.lines("return CanonicalKey.text(" + value + ");");
            return;
        }
        nullCheck(value, type, text);
        text.lines("return CanonicalKey.typed(" + Literals.text(part.tag()) + ", " + String.format(part.text(), value)
                + ");");
    }

    private static void nullCheck(String value, BoundType type, JavaText text) {
        if (!type.isPrimitive()) {
            text.open("if (" + value + " == null)").lines("return null;").close();
        }
    }

    /** Numbered, so that no two are alike and none is a keyword. */
    private static String local(String name, int position) {
        return name + position;
    }
}
