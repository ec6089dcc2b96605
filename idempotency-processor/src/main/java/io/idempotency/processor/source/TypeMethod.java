package io.idempotency.processor.source;

import com.palantir.javapoet.ClassName;
import com.palantir.javapoet.CodeBlock;
import com.palantir.javapoet.MethodSpec;
import com.palantir.javapoet.NameAllocator;
import com.palantir.javapoet.ParameterizedTypeName;
import com.palantir.javapoet.TypeName;
import io.idempotency.definition.ExactClass;
import io.idempotency.definition.FingerprintWriter;
import io.idempotency.processor.model.BoundType;
import io.idempotency.processor.plan.Shape;
import java.util.ArrayList;
import java.util.List;
import javax.lang.model.element.Modifier;

/** The method that writes the values of one type, null included. */
final class TypeMethod {

    private static final CodeBlock VALUE = CodeBlock.of("value");

    private final FingerprintMethods methods;
    private final CodeBlock.Builder code = CodeBlock.builder();

    private TypeMethod(FingerprintMethods methods) {
        this.methods = methods;
    }

    static MethodSpec of(Shape shape, String name, FingerprintMethods methods) {
        TypeMethod body = new TypeMethod(methods);
        body.write(shape);
        TypeName type = shape.type().typeName();
        return MethodSpec.methodBuilder(name)
                .addModifiers(Modifier.PRIVATE, Modifier.STATIC)
                .addParameter(type.isPrimitive() ? type.box() : type, "value")
                .addParameter(FingerprintWriter.class, "writer")
                .addCode(body.code.build())
                .build();
    }

    private void write(Shape shape) {
        CodeBlock absent = shape instanceof Shape.Maybe maybe
                ? CodeBlock.of(
                        "value == null || !$L.isPresent()", maybe.optional().over(VALUE))
                : CodeBlock.of("value == null");
        code.beginControlFlow("if ($L)", absent)
                .addStatement("writer.nil()")
                .addStatement("return")
                .endControlFlow();
        if (shape instanceof Shape.Structure structure) {
            structure(structure);
        } else if (shape instanceof Shape.OneOf oneOf) {
            alternatives(oneOf);
        } else if (shape instanceof Shape.Json json) {
            code.addStatement("$L.write(value, writer)", methods.tree(json));
        } else if (shape instanceof Shape.Elements elements && FingerprintMethods.isPrimitives(elements)) {
            primitives(elements);
        } else {
            code.addStatement(methods.value(shape, VALUE));
        }
    }

    private void structure(Shape.Structure structure) {
        BoundType type = structure.type();
        if (!type.element().isFinal()) {
            // goes on with what a proxy stands for, and with no value of a subclass
            code.addStatement(
                    "value = ($T) $T.of(value, $T.class)", type.typeName(), ExactClass.class, type.typeName());
        }
        code.addStatement("writer.begin()");
        NameAllocator names = FingerprintMethods.names("value");
        structure.properties().forEach(each -> methods.property(each, "value", names, code));
        code.addStatement("writer.end()");
    }

    private void alternatives(Shape.OneOf oneOf) {
        for (Shape.Alternative alternative : oneOf.alternatives()) {
            TypeName type = alternative.shape().type().typeName();
            code.beginControlFlow("if ((Object) value instanceof $T)", type)
                    .addStatement("writer.subtype($S)", alternative.name())
                    .addStatement(methods.value(alternative.shape(), CodeBlock.of("(($T) (Object) value)", type)))
                    .addStatement("return")
                    .endControlFlow();
        }
        code.addStatement("writer.unknownSubtype(value, $S)", oneOf.type().erasure());
    }

    private void primitives(Shape.Elements elements) {
        TypeName element = elements.element().type().typeName();
        TypeName list = ParameterizedTypeName.get(ClassName.get(List.class), element.box());
        code.addStatement("$T boxed = new $T<>(value.length)", list, ArrayList.class)
                .beginControlFlow("for ($T each : value)", element)
                .addStatement("boxed.add(each)")
                .endControlFlow()
                .addStatement(methods.elements(elements, CodeBlock.of("boxed")));
    }
}
