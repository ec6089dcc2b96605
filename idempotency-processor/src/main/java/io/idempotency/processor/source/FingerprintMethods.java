package io.idempotency.processor.source;

import com.palantir.javapoet.ClassName;
import com.palantir.javapoet.CodeBlock;
import com.palantir.javapoet.FieldSpec;
import com.palantir.javapoet.MethodSpec;
import com.palantir.javapoet.NameAllocator;
import com.palantir.javapoet.TypeSpec;
import io.idempotency.definition.EncodedName;
import io.idempotency.definition.FingerprintWriter;
import io.idempotency.definition.JsonForm;
import io.idempotency.processor.plan.FingerprintPlan;
import io.idempotency.processor.plan.Shape;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import javax.lang.model.element.Modifier;

/** The methods that write fingerprints: one for each operation's arguments, and one for every type that needs its own, shared by all. */
final class FingerprintMethods {

    private static final String NAME = "NAME_";

    private final ClassName file;
    private final Map<String, String> methods = new HashMap<>();
    private final Set<String> taken = new HashSet<>();
    private final Deque<Shape> open = new ArrayDeque<>();
    private final Set<String> properties = new TreeSet<>();
    private final Map<String, CodeBlock> trees = new TreeMap<>();

    FingerprintMethods(ClassName file) {
        this.file = file;
    }

    MethodSpec of(FingerprintPlan plan) {
        CodeBlock.Builder code = CodeBlock.builder();
        NameAllocator names = names("arguments");
        plan.parameters().forEach(each -> property(each.property(), "arguments", names, code));
        return MethodSpec.methodBuilder("fingerprint")
                .addAnnotation(Override.class)
                .addModifiers(Modifier.PUBLIC)
                .addParameter(Object[].class, "arguments")
                .addParameter(FingerprintWriter.class, "writer")
                .addCode(code.build())
                .build();
    }

    /** Adds the methods of the types that were met, and of those that they hold; then what they share. */
    void addTo(TypeSpec.Builder type) {
        while (!open.isEmpty()) {
            Shape shape = open.remove();
            type.addMethod(TypeMethod.of(shape, method(shape), this));
        }
        properties.forEach(name -> type.addField(
                constant(EncodedName.class, NAME + name, CodeBlock.of("$T.of($S)", EncodedName.class, name))));
        trees.forEach((name, form) -> type.addField(constant(JsonForm.class, name, form)));
    }

    private static FieldSpec constant(Class<?> type, String name, CodeBlock value) {
        return FieldSpec.builder(type, name, Modifier.PRIVATE, Modifier.STATIC, Modifier.FINAL)
                .initializer(value)
                .build();
    }

    /** The names of local variables beside a method's two parameters. */
    static NameAllocator names(String parameter) {
        NameAllocator names = new NameAllocator();
        names.newName(parameter);
        names.newName("writer");
        return names;
    }

    /** Writes a property by name unless it is null or has its default value. */
    void property(Shape.Property property, String owner, NameAllocator names, CodeBlock.Builder code) {
        Shape shape = property.shape();
        // a variable never has the name of a constant
        String value = names.newName(property.name().startsWith(NAME) ? "_" + property.name() : property.name());
        code.addStatement(
                "$T $N = $L", shape.type().typeName(), value, property.code().over(owner));
        List<CodeBlock> conditions = new ArrayList<>();
        if (!shape.type().isPrimitive()) {
            conditions.add(CodeBlock.of("$N != null", value));
        }
        if (shape instanceof Shape.Maybe maybe) {
            conditions.add(CodeBlock.of("$L.isPresent()", maybe.optional().over(value)));
        }
        property.present().ifPresent(present -> conditions.add(present.over(value)));
        properties.add(property.name());
        if (!conditions.isEmpty()) {
            code.beginControlFlow("if ($L)", CodeBlock.join(conditions, " && "));
        }
        code.addStatement("writer.name($L)", NAME + property.name());
        code.addStatement(value(shape, CodeBlock.of("$N", value)));
        if (!conditions.isEmpty()) {
            code.endControlFlow();
        }
    }

    /** Writes a value that is not null. */
    CodeBlock value(Shape shape, CodeBlock value) {
        if (shape instanceof Shape.Leaf leaf) {
            return leaf.write().over(value);
        }
        if (shape instanceof Shape.Maybe maybe) {
            CodeBlock held = maybe.get().over(value);
            return maybe.value() instanceof Shape.Maybe inner ? call(inner, held) : value(maybe.value(), held);
        }
        if (shape instanceof Shape.Entries entries) {
            return CodeBlock.of("writer.map($L, $L, $L)", value, reference(entries.key()), reference(entries.value()));
        }
        if (shape instanceof Shape.Elements elements && !isPrimitives(elements)) {
            CodeBlock each =
                    shape.type().component() == null ? value : CodeBlock.of("$T.asList($L)", Arrays.class, value);
            return elements(elements, each);
        }
        return call(shape, value);
    }

    /** Writes a value that may be null or an empty optional. */
    private CodeBlock call(Shape shape, CodeBlock value) {
        return CodeBlock.of("$L($L, writer)", method(shape), value);
    }

    /** Writes the elements of an iterable. */
    CodeBlock elements(Shape.Elements elements, CodeBlock iterable) {
        return CodeBlock.of("writer.$L($L, $L)", elements.order().method(), iterable, reference(elements.element()));
    }

    /** The constant that says how the nodes of a tree are read. */
    String tree(Shape.Json shape) {
        String name = shape.api().node().replace('.', '_');
        trees.computeIfAbsent(name, missing -> shape.api().form());
        return name;
    }

    private CodeBlock reference(Shape shape) {
        return CodeBlock.of("$T::$L", file, method(shape));
    }

    /** The method of a type, which is written in its turn; it takes null, too, since it also writes elements. */
    private String method(Shape shape) {
        // a concrete sealed class has a method as a hierarchy and one as an alternative of it
        String key = shape.type().boxedSourceName() + (shape instanceof Shape.OneOf ? " and below" : "");
        String known = methods.get(key);
        if (known != null) {
            return known;
        }
        String base = "write" + shape.type().identifier();
        String name = base;
        for (int i = 2; !taken.add(name); i++) {
            name = base + i;
        }
        methods.put(key, name);
        open.add(shape);
        return name;
    }

    static boolean isPrimitives(Shape.Elements elements) {
        return elements.type().component() != null && elements.element().type().isPrimitive();
    }
}
