package io.idempotency.processor.source;

import io.idempotency.processor.model.BoundType;
import io.idempotency.processor.plan.FingerprintPlan;
import io.idempotency.processor.plan.FingerprintPlan.PlannedParameter;
import io.idempotency.processor.plan.Literals;
import io.idempotency.processor.plan.Shape;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;

/** The methods that write a fingerprint: one for the arguments, one for every type that needs its own. */
final class FingerprintMethods {

    private final String className;
    private final Map<String, String> names = new HashMap<>();
    private final Set<String> taken = new HashSet<>();
    private final Deque<Shape> open = new ArrayDeque<>();

    FingerprintMethods(String className) {
        this.className = className;
    }

    void write(FingerprintPlan plan, JavaText text) {
        text.lines("", "@Override").open("public void fingerprint(Object[] arguments, FingerprintWriter writer)");
        for (PlannedParameter planned : plan.parameters()) {
            BoundType type = planned.parameter().type();
            String argument = "arguments[" + planned.parameter().index() + "]";
            property(planned.parameter().name(), "(" + type.sourceName() + ") " + argument, planned.shape(), text);
        }
        text.close();
        while (!open.isEmpty()) {
            method(open.remove(), text);
        }
    }

    private void property(String name, String read, Shape shape, JavaText text) {
        if (shape.type().isPrimitive()) {
            text.lines("writer.name(" + Literals.text(name) + ");", statement(shape, read));
            return;
        }
        String value = name + "Value";
        String present = shape instanceof Shape.Maybe ? " && " + value + ".isPresent()" : "";
        text.lines("var " + value + " = " + read + ";").open("if (" + value + " != null" + present + ")");
        text.lines("writer.name(" + Literals.text(name) + ");", statement(shape, value))
                .close();
    }

    /** Writes a value that is not null. */
    private String statement(Shape shape, String value) {
        if (shape instanceof Shape.Leaf leaf) {
            return String.format(leaf.statement(), value) + ";";
        }
        if (shape instanceof Shape.Maybe maybe) {
            return statement(maybe.value(), value + "." + maybe.getter());
        }
        if (shape instanceof Shape.Entries entries) {
            return "writer.map(" + value + ", " + reference(entries.key()) + ", " + reference(entries.value()) + ");";
        }
        if (shape instanceof Shape.Elements elements && !isPrimitives(elements)) {
            String method = elements.ordered() ? "list" : "set";
            String each = shape.type().component() == null ? value : "java.util.Arrays.asList(" + value + ")";
            return "writer." + method + "(" + each + ", " + reference(elements.element()) + ");";
        }
        return name(shape) + "(" + value + ", writer);";
    }

    private String reference(Shape shape) {
        return className + "::" + name(shape);
    }

    private String name(Shape shape) {
        return names.computeIfAbsent(shape.type().boxedSourceName(), type -> {
            open.add(shape);
            String name = "write" + shape.type().identifier();
            for (int i = 2; !taken.add(name); i++) {
                name = "write" + shape.type().identifier() + i;
            }
            return name;
        });
    }

    private void method(Shape shape, JavaText text) {
        String type = shape.type().boxedSourceName();
        text.lines("").open("private static void " + name(shape) + "(" + type + " value, FingerprintWriter writer)");
        String absent = shape instanceof Shape.Maybe ? " || value.isEmpty()" : "";
        text.open("if (value == null" + absent + ")")
                .lines("writer.nil();", "return;")
                .close();
        if (shape instanceof Shape.Structure structure) {
            text.lines("writer.begin();");
            structure.properties().forEach(each -> property(each.name(), "value." + each.code(), each.shape(), text));
            text.lines("writer.end();");
        } else if (shape instanceof Shape.Elements elements && isPrimitives(elements)) {
            boxed(elements, text);
        } else {
            text.lines(statement(shape, "value"));
        }
        text.close();
    }

    private void boxed(Shape.Elements elements, JavaText text) {
        BoundType element = elements.element().type();
        String list =
                "java.util.List<" + element.boxedSourceName() + "> boxed = new java.util.ArrayList<>(value.length);";
        text.lines(list)
                .open("for (" + element.sourceName() + " each : value)")
                .lines("boxed.add(each);")
                .close();
        text.lines("writer.list(boxed, " + reference(elements.element()) + ");");
    }

    private static boolean isPrimitives(Shape.Elements elements) {
        return elements.type().component() != null && elements.element().type().isPrimitive();
    }
}
