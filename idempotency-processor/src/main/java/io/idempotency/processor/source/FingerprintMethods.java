package io.idempotency.processor.source;

import com.palantir.javapoet.ClassName;
import com.palantir.javapoet.CodeBlock;
import com.palantir.javapoet.FieldSpec;
import com.palantir.javapoet.MethodSpec;
import com.palantir.javapoet.NameAllocator;
import com.palantir.javapoet.ParameterizedTypeName;
import com.palantir.javapoet.TypeName;
import com.palantir.javapoet.TypeSpec;
import io.idempotency.definition.EncodedName;
import io.idempotency.definition.ExactClass;
import io.idempotency.definition.FingerprintWriter;
import io.idempotency.definition.JsonForm;
import io.idempotency.processor.plan.Shape;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import javax.lang.model.element.Modifier;

/** Generates the methods that write fingerprints: for each operation's arguments, and for each type, shared. */
final class FingerprintMethods {

    private static final String NAME = "NAME_";
    private static final CodeBlock VALUE = CodeBlock.of("value");

    private final ClassName file;
    private final Map<String, String> methods = new HashMap<>();
    private final NameAllocator taken = new NameAllocator();
    private final Deque<Shape> open = new ArrayDeque<>();
    private final Set<String> properties = new TreeSet<>();
    private final Map<String, CodeBlock> trees = new TreeMap<>();

    FingerprintMethods(ClassName file) {
        this.file = file;
    }

    MethodSpec of(List<Shape.Property> parameters) {
        CodeBlock.Builder code = CodeBlock.builder();
        NameAllocator names = names("arguments");
        parameters.forEach(each -> property(each, "arguments", names, code));
        return MethodSpec.methodBuilder("fingerprint")
                .addAnnotation(Override.class)
                .addModifiers(Modifier.PUBLIC)
                .addParameter(Object[].class, "arguments")
                .addParameter(FingerprintWriter.class, "writer")
                .addCode(code.build())
                .build();
    }

    /** Adds the methods of the types that were used and of the types in them, then their constants. */
    void addTo(TypeSpec.Builder type) {
        while (!open.isEmpty()) {
            Shape shape = open.remove();
            TypeName parameter = shape instanceof Shape.LeftOut
                    ? ClassName.OBJECT
                    : shape.type().typeName();
            type.addMethod(MethodSpec.methodBuilder(method(shape))
                    .addModifiers(Modifier.PRIVATE, Modifier.STATIC)
                    .addParameter(parameter.box(), "value")
                    .addParameter(FingerprintWriter.class, "writer")
                    .addCode(body(shape))
                    .build());
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

    /** Returns names for local variables that differ from a method's two parameters. */
    private static NameAllocator names(String parameter) {
        NameAllocator names = new NameAllocator();
        names.newName(parameter);
        names.newName("writer");
        return names;
    }

    /** Writes a property with its name, unless it is null or has its default value. */
    private void property(Shape.Property property, String owner, NameAllocator names, CodeBlock.Builder code) {
        Shape shape = property.shape();
        // no variable is named like a constant
        String value = names.newName(property.name().startsWith(NAME) ? "_" + property.name() : property.name());
        CodeBlock read = property.code().over(owner);
        code.addStatement("$T $N = $L", shape.type().typeName(), value, read);
        List<CodeBlock> conditions = new ArrayList<>();
        if (!shape.type().isPrimitive()) {
            conditions.add(CodeBlock.of("$N != null", value));
        }
        if (shape instanceof Shape.Maybe maybe) {
            conditions.add(CodeBlock.of("$L.isPresent()", maybe.optional().over(value)));
        }
        property.present().ifPresent(present -> conditions.add(present.over(value)));
        properties.add(property.name());
        CodeBlock write = CodeBlock.builder()
                .addStatement("writer.name($L)", NAME + property.name())
                .addStatement(value(shape, CodeBlock.of("$N", value)))
                .build();
        if (conditions.isEmpty()) {
            code.add(write);
        } else {
            code.beginControlFlow("if ($L)", CodeBlock.join(conditions, " && "))
                    .add(write)
                    .endControlFlow();
        }
    }

    /** Writes a value that is not null. */
    private CodeBlock value(Shape shape, CodeBlock value) {
        if (shape instanceof Shape.Leaf leaf) {
            return leaf.write().over(value);
        }
        if (shape instanceof Shape.LeftOut) {
            return CodeBlock.of("writer.bool(true)");
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

    private CodeBlock elements(Shape.Elements elements, CodeBlock iterable) {
        return CodeBlock.of("writer.$L($L, $L)", elements.method(), iterable, reference(elements.element()));
    }

    private CodeBlock reference(Shape shape) {
        return CodeBlock.of("$T::$L", file, method(shape));
    }

    /** Returns the name of a type's method, which is generated later and accepts null. */
    private String method(Shape shape) {
        // a concrete sealed class has one as a hierarchy and one as an alternative; all that is left out shares one
        boolean isLeftOut = shape instanceof Shape.LeftOut;
        String key = isLeftOut ? "" : shape.getClass() + shape.type().boxedSourceName();
        return methods.computeIfAbsent(key, missing -> {
            open.add(shape);
            return taken.newName("write" + (isLeftOut ? "LeftOut" : shape.type().identifier()));
        });
    }

    /** Returns the body of a type's method, which writes null too. */
    private CodeBlock body(Shape shape) {
        CodeBlock absent = shape instanceof Shape.Maybe maybe
                ? CodeBlock.of(
                        "value == null || !$L.isPresent()", maybe.optional().over(VALUE))
                : CodeBlock.of("value == null");
        CodeBlock.Builder code = CodeBlock.builder()
                .beginControlFlow("if ($L)", absent)
                .addStatement("writer.nil()")
                .addStatement("return")
                .endControlFlow();
        if (shape instanceof Shape.Structure structure) {
            structure(structure, code);
        } else if (shape instanceof Shape.OneOf oneOf) {
            alternatives(oneOf, code);
        } else if (shape instanceof Shape.Json json) {
            String name = json.node().replace('.', '_');
            trees.computeIfAbsent(name, missing -> json.form());
            code.addStatement("$L.write(value, writer)", name);
        } else if (shape instanceof Shape.Elements elements && isPrimitives(elements)) {
            primitives(elements, code);
        } else {
            code.addStatement(value(shape, VALUE));
        }
        return code.build();
    }

    private void structure(Shape.Structure structure, CodeBlock.Builder code) {
        TypeName type = structure.type().typeName();
        if (!structure.type().element().isFinal()) {
            // takes a proxy's target, and refuses a value of a subclass
            code.addStatement("value = ($T) $T.of(value, $T.class)", type, ExactClass.class, type);
        }
        code.addStatement("writer.begin()");
        NameAllocator names = names("value");
        structure.properties().forEach(each -> property(each, "value", names, code));
        code.addStatement("writer.end()");
    }

    private void alternatives(Shape.OneOf oneOf, CodeBlock.Builder code) {
        for (Shape.Alternative alternative : oneOf.alternatives()) {
            TypeName type = alternative.shape().type().typeName();
            code.beginControlFlow("if ((Object) value instanceof $T)", type)
                    .addStatement("writer.subtype($S)", alternative.name())
                    .addStatement(value(alternative.shape(), CodeBlock.of("(($T) (Object) value)", type)))
                    .addStatement("return")
                    .endControlFlow();
        }
        code.addStatement("writer.unknownSubtype(value, $S)", oneOf.type().erasure());
    }

    private void primitives(Shape.Elements elements, CodeBlock.Builder code) {
        TypeName element = elements.element().type().typeName();
        TypeName list = ParameterizedTypeName.get(ClassName.get(List.class), element.box());
        code.addStatement("$T boxed = new $T<>(value.length)", list, ArrayList.class)
                .beginControlFlow("for ($T each : value)", element)
                .addStatement("boxed.add(each)")
                .endControlFlow()
                .addStatement(elements(elements, CodeBlock.of("boxed")));
    }

    private static boolean isPrimitives(Shape.Elements elements) {
        return elements.type().component() != null && elements.element().type().isPrimitive();
    }
}
