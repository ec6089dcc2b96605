package io.idempotency.processor.source;

import com.palantir.javapoet.CodeBlock;
import com.palantir.javapoet.MethodSpec;
import com.palantir.javapoet.NameAllocator;
import com.palantir.javapoet.TypeName;
import com.palantir.javapoet.TypeSpec;
import io.idempotency.definition.CanonicalKey;
import io.idempotency.processor.model.BoundType;
import io.idempotency.processor.plan.KeyPart;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import javax.lang.model.element.Modifier;

/** The methods that read a key from the arguments; null anywhere on the way is a null key. */
final class KeyMethod {

    private KeyMethod() {}

    static void addTo(TypeSpec.Builder type, List<KeyPart> parts) {
        MethodSpec.Builder key = method("key").addAnnotation(Override.class).addModifiers(Modifier.PUBLIC);
        if (parts.size() == 1) {
            type.addMethod(key.addCode(read(parts.get(0))).build());
            return;
        }
        String calls = IntStream.rangeClosed(1, parts.size())
                .mapToObj(i -> "keyPart" + i + "(arguments)")
                .collect(Collectors.joining(", "));
        type.addMethod(key.addStatement("return $T.join($L)", CanonicalKey.class, calls)
                .build());
        for (int i = 0; i < parts.size(); i++) {
            type.addMethod(method("keyPart" + (i + 1))
                    .addModifiers(Modifier.PRIVATE, Modifier.STATIC)
                    .addCode(read(parts.get(i)))
                    .build());
        }
    }

    private static MethodSpec.Builder method(String name) {
        return MethodSpec.methodBuilder(name).returns(String.class).addParameter(Object[].class, "arguments");
    }

    private static CodeBlock read(KeyPart part) {
        NameAllocator names = new NameAllocator();
        names.newName("arguments");
        String value = names.newName(part.parameter().name());
        TypeName parameter = boxed(part.parameter().type().typeName());
        CodeBlock.Builder code = CodeBlock.builder()
                .addStatement(
                        "$T $N = ($T) arguments[$L]",
                        parameter,
                        value,
                        parameter,
                        part.parameter().index());
        boolean isPrimitive = false;
        for (KeyPart.Step step : part.steps()) {
            unlessNull(value, code);
            String next = names.newName(step.name());
            code.addStatement(
                    "$T $N = $L", local(step.type()), next, step.code().over(value));
            value = next;
            isPrimitive = step.type().isPrimitive();
        }
        if (part.tag().isEmpty()) {
            return code.addStatement("return $T.text($N)", CanonicalKey.class, value)
                    .build();
        }
        if (!isPrimitive) {
            unlessNull(value, code);
        }
        return code.addStatement(
                        "return $T.typed($S, $L)",
                        CanonicalKey.class,
                        part.tag(),
                        part.text().over(value))
                .build();
    }

    private static void unlessNull(String value, CodeBlock.Builder code) {
        code.beginControlFlow("if ($N == null)", value)
                .addStatement("return null")
                .endControlFlow();
    }

    /** A constant is read by its name alone, so that its type need not be visible here. */
    private static TypeName local(BoundType type) {
        return type.component() == null && type.element().isEnum() ? TypeName.get(Enum.class) : type.typeName();
    }

    private static TypeName boxed(TypeName type) {
        return type.isPrimitive() ? type.box() : type;
    }
}
