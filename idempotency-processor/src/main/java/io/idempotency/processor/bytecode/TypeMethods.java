package io.idempotency.processor.source;

import io.idempotency.processor.plan.FingerprintPlan;
import io.idempotency.processor.plan.FingerprintPlan.PlannedParameter;
import io.idempotency.processor.plan.Literals;
import io.idempotency.processor.plan.Shape;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;

/** The methods that write fingerprints: one for each operation's arguments, and one for every type that needs its own, shared by all. */
final class FingerprintMethods {

    private static final String NAME = "NAME_";

    private final String className;
    private final Map<String, String> names = new HashMap<>();
    private final Set<String> taken = new HashSet<>();
    private final Deque<Shape> open = new ArrayDeque<>();
    private final Set<String> properties = new TreeSet<>();

    FingerprintMethods(String className) {
        this.className = className;
    }

    void write(FingerprintPlan plan, JavaText text) {
        text.lines("", "@Override").open("public void fingerprint(Object[] arguments, FingerprintWriter writer)");
        for (PlannedParameter planned : plan.parameters()) {
            property(planned.property(), "", text);
        }
        text.close();
    }

    /** The methods of the types that were met, and of those that they hold. */
    void types(JavaText text) {
        TypeMethod methods = new TypeMethod(this);
        while (!open.isEmpty()) {
            methods.write(open.remove(), text);
        }
    }

    /** The names that the methods use, encoded once; known when all methods are written. */
    void constants(JavaText text) {
        properties.forEach(name -> text.lines(
                "private static final EncodedName " + NAME + name + " = EncodedName.of(" + Literals.text(name) + ");"));
        if (!properties.isEmpty()) {
            text.lines("");
        }
    }

    private String constant(String property) {
        properties.add(property);
        return NAME + property;
    }

    private String named(String property) {
        return "writer.name(" + constant(property) + ");";
    }

    /** Writes a property by name unless it is null or has its default value. */
    void property(Shape.Property property, String of, JavaText text) {
        String name = property.name();
        String read = of + property.code();
        Shape shape = property.shape();
        boolean isPrimitive = shape.type().isPrimitive();
        if (isPrimitive && property.present().isEmpty()) {
            text.lines(named(name), statement(shape, read));
            return;
        }
        if (shape instanceof Shape.Leaf leaf
                && leaf.isSkippedWhenNull()
                && property.present().isEmpty()) {
            text.lines(String.format(leaf.statement().replace("(", "(" + constant(name) + ", "), read) + ";");
            return;
        }
        String value = name + "Value";
        List<String> conditions = new ArrayList<>();
        if (!isPrimitive) {
            conditions.add(value + " != null");
        }
        if (shape instanceof Shape.Maybe maybe) {
            conditions.add(value + maybe.present());
        }
        property.present().ifPresent(present -> conditions.add(String.format(present, value)));
        text.lines("var " + value + " = " + read + ";").open("if (" + String.join(" && ", conditions) + ")");
        text.lines(named(name), statement(shape, value)).close();
    }

    /** Writes a value that is not null. */
    String statement(Shape shape, String value) {
        if (shape instanceof Shape.Leaf leaf) {
            return String.format(leaf.statement(), value) + ";";
        }
        if (shape instanceof Shape.Maybe maybe) {
            return statement(maybe.value(), value + maybe.getter());
        }
        if (shape instanceof Shape.Entries entries) {
            return "writer.map(" + value + ", " + reference(entries.key()) + ", " + reference(entries.value()) + ");";
        }
        if (shape instanceof Shape.Elements elements && !isPrimitives(elements)) {
            String each = shape.type().component() == null ? value : "java.util.Arrays.asList(" + value + ")";
            return "writer." + elements.order().method() + "(" + each + ", " + reference(elements.element()) + ");";
        }
        return name(shape) + "(" + value + ", writer);";
    }

    /** The method of a type as an element writer. */
    String reference(Shape shape) {
        return className + "::" + name(shape);
    }

    /** The method of a type, which is written in its turn. */
    String name(Shape shape) {
        // a concrete sealed class has a method as a hierarchy and one as an alternative of it
        String key = shape.type().boxedSourceName() + (shape instanceof Shape.OneOf ? " and below" : "");
        String known = names.get(key);
        if (known != null) {
            return known;
        }
        String base = "write" + shape.type().identifier();
        String name = base;
        for (int i = 2; !taken.add(name); i++) {
            name = base + i;
        }
        names.put(key, name);
        open.add(shape);
        return name;
    }

    static boolean isPrimitives(Shape.Elements elements) {
        return elements.type().component() != null && elements.element().type().isPrimitive();
    }
}
