package io.idempotency.processor.source;

import com.palantir.javapoet.AnnotationSpec;
import com.palantir.javapoet.ClassName;
import com.palantir.javapoet.CodeBlock;
import com.palantir.javapoet.JavaFile;
import com.palantir.javapoet.MethodSpec;
import com.palantir.javapoet.NameAllocator;
import com.palantir.javapoet.ParameterizedTypeName;
import com.palantir.javapoet.TypeName;
import com.palantir.javapoet.TypeSpec;
import com.palantir.javapoet.WildcardTypeName;
import io.idempotency.definition.CanonicalKey;
import io.idempotency.definition.GeneratedOperation;
import io.idempotency.definition.KeySource;
import io.idempotency.processor.model.BoundType;
import io.idempotency.processor.model.OperationMethod;
import io.idempotency.processor.plan.KeyPlan;
import io.idempotency.processor.plan.Operation;
import io.micronaut.core.annotation.Generated;
import io.micronaut.core.type.Argument;
import io.micronaut.inject.ast.ClassElement;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import javax.lang.model.element.Modifier;

/** Writes a bean's definitions: a nested class for each operation, and shared methods for argument types. */
public final class DefinitionSource {

    /** Suppresses all warnings in generated code, since a build may take them for errors. */
    private static final AnnotationSpec SUPPRESSED = Stream.of(
                    "all", "auxiliaryclass", "cast", "deprecation", "exports", "rawtypes", "removal", "unchecked")
            .reduce(
                    AnnotationSpec.builder(SuppressWarnings.class),
                    (all, each) -> all.addMember("value", "$S", each),
                    (one, other) -> one)
            .build();

    private static final TypeName THROWABLES = ParameterizedTypeName.get(
            ClassName.get(List.class),
            ParameterizedTypeName.get(ClassName.get(Class.class), WildcardTypeName.subtypeOf(Throwable.class)));

    private final ClassName bean;
    private final ClassName name;
    private final FingerprintMethods fingerprints;

    public DefinitionSource(ClassElement owner) {
        this.bean = BoundType.className(owner);
        this.name = ClassName.get(owner.getPackageName(), DefinitionName.of(owner));
        this.fingerprints = new FingerprintMethods(name);
    }

    /** Returns the generated class's name. It is in the owner's package, so that it sees what the owner sees. */
    public ClassName name() {
        return name;
    }

    /** Returns the binary name of one operation's definition. */
    public String definition(Operation operation) {
        return name.reflectionName() + "$" + DefinitionName.of(operation.method());
    }

    /** Returns the source text for the bean's operations, which have no problems. */
    public String text(List<Operation> operations) {
        TypeSpec.Builder type = TypeSpec.classBuilder(name)
                .addModifiers(Modifier.PUBLIC, Modifier.FINAL)
                .addAnnotation(Generated.class)
                .addAnnotation(SUPPRESSED)
                .addJavadoc("How the keys and arguments of {@link $T}'s operations are read.\n", bean)
                .addMethod(MethodSpec.constructorBuilder()
                        .addModifiers(Modifier.PRIVATE)
                        .build());
        operations.forEach(operation -> type.addType(definitionOf(operation)));
        fingerprints.addTo(type);
        return JavaFile.builder(name.packageName(), type.build())
                .indent("    ")
                .build()
                .toString();
    }

    private TypeSpec definitionOf(Operation operation) {
        OperationMethod method = operation.method();
        TypeSpec.Builder type = TypeSpec.classBuilder(DefinitionName.of(method))
                .addModifiers(Modifier.PUBLIC, Modifier.STATIC, Modifier.FINAL)
                .addAnnotation(Generated.class)
                .superclass(GeneratedOperation.class)
                .addJavadoc("{@link $T#$L}.\n", bean, method.method().getName())
                .addMethod(constructor(operation));
        if (operation.key().source() == KeySource.PARAMETERS) {
            addKey(type, operation.key().parts());
            if (method.isRoute() && operation.key().fromHeader()) {
                answerTrue(type, "clientsKey");
            }
        }
        type.addMethod(fingerprints.of(operation.fingerprint()));
        addPolicies(type, method);
        return type.build();
    }

    /** Adds the method that reads the key from the arguments; null anywhere on the way is a null key. */
    private static void addKey(TypeSpec.Builder type, List<KeyPlan.Part> parts) {
        MethodSpec.Builder key = reader("key").addAnnotation(Override.class).addModifiers(Modifier.PUBLIC);
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
            type.addMethod(reader("keyPart" + (i + 1))
                    .addModifiers(Modifier.PRIVATE, Modifier.STATIC)
                    .addCode(read(parts.get(i)))
                    .build());
        }
    }

    private static MethodSpec.Builder reader(String name) {
        return MethodSpec.methodBuilder(name).returns(String.class).addParameter(Object[].class, "arguments");
    }

    private static CodeBlock read(KeyPlan.Part part) {
        NameAllocator names = new NameAllocator();
        names.newName("arguments");
        String value = names.newName(part.parameter().name());
        TypeName type = part.parameter().type().typeName().box();
        CodeBlock.Builder code = CodeBlock.builder();
        code.addStatement(
                "$1T $2N = ($1T) arguments[$3L]", type, value, part.parameter().index());
        boolean isPrimitive = false;
        for (KeyPlan.Step step : part.steps()) {
            unlessNull(value, code);
            String next = names.newName(step.name());
            code.addStatement(
                    "$T $N = $L", local(step.type()), next, step.code().over(value));
            value = next;
            isPrimitive = step.type().isPrimitive();
        }
        if (part.tag().isEmpty()) {
            code.addStatement("return $T.text($N)", CanonicalKey.class, value);
            return code.build();
        }
        if (!isPrimitive) {
            unlessNull(value, code);
        }
        CodeBlock text = part.text().over(value);
        code.addStatement("return $T.typed($S, $L)", CanonicalKey.class, part.tag(), text);
        return code.build();
    }

    private static void unlessNull(String value, CodeBlock.Builder code) {
        code.beginControlFlow("if ($N == null)", value)
                .addStatement("return null")
                .endControlFlow();
    }

    /** Returns a variable's type; an enum's need not be visible, since only the constant's name is read. */
    private static TypeName local(BoundType type) {
        return type.component() == null && type.element().isEnum() ? TypeName.get(Enum.class) : type.typeName();
    }

    /** Adds the methods for what no configuration may change; other policies are arguments of the constructor. */
    private static void addPolicies(TypeSpec.Builder type, OperationMethod method) {
        String namespace = method.text("namespace");
        if (!namespace.isEmpty()) {
            answer(type, TypeName.get(String.class), "namespace", CodeBlock.of("$S", namespace));
            answerTrue(type, "sharesKeys");
        }
        if (method.flag("transactional", false)) {
            answerTrue(type, "transactional");
        }
        for (String list : OperationMethod.FAILURE_LISTS) {
            List<String> names = method.classNames(list);
            if (!names.isEmpty()) {
                CodeBlock classes = names.stream()
                        .map(each -> CodeBlock.of("$L.class", each.replace('$', '.')))
                        .collect(CodeBlock.joining(", "));
                answer(type, THROWABLES, list, CodeBlock.of("$T.of($L)", List.class, classes));
            }
        }
    }

    private static void answerTrue(TypeSpec.Builder type, String method) {
        answer(type, TypeName.BOOLEAN, method, CodeBlock.of("true"));
    }

    private static void answer(TypeSpec.Builder type, TypeName returned, String method, CodeBlock value) {
        type.addMethod(MethodSpec.methodBuilder(method)
                .addAnnotation(Override.class)
                .addModifiers(Modifier.PUBLIC)
                .returns(returned)
                .addStatement("return $L", value)
                .build());
    }

    private static MethodSpec constructor(Operation operation) {
        OperationMethod method = operation.method();
        BoundType result = operation.result().type();
        CodeBlock.Builder call = CodeBlock.builder()
                .add("super($>\n$S,\n$S,\n", method.name(), method.origin())
                .add("$S,\n$S,\n", method.signature(), method.declared())
                .add("$T.$L,\n", KeySource.class, operation.key().source())
                .add("$S,\n", operation.key().description())
                .add(result == null ? CodeBlock.of("$T.VOID", Argument.class) : argument(result, CodeBlock.of("")));
        method.attributes().forEach((attribute, value) -> call.add(",\n$S, $S", attribute, value));
        return MethodSpec.constructorBuilder()
                .addModifiers(Modifier.PUBLIC)
                .addCode(call.add(");$<\n").build())
                .build();
    }

    private static CodeBlock argument(BoundType type, CodeBlock variable) {
        CodeBlock.Builder argument = CodeBlock.builder().add("type($T.class$L", type.typeName(), variable);
        for (Map.Entry<String, BoundType> each : type.arguments().entrySet()) {
            argument.add(", $L", argument(each.getValue(), CodeBlock.of(", $S", each.getKey())));
        }
        return argument.add(")").build();
    }
}
