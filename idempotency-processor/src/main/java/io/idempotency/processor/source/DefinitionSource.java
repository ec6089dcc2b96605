package io.idempotency.processor.source;

import com.palantir.javapoet.AnnotationSpec;
import com.palantir.javapoet.ClassName;
import com.palantir.javapoet.CodeBlock;
import com.palantir.javapoet.JavaFile;
import com.palantir.javapoet.MethodSpec;
import com.palantir.javapoet.TypeSpec;
import io.idempotency.definition.GeneratedOperation;
import io.idempotency.definition.KeySource;
import io.idempotency.processor.model.BoundType;
import io.idempotency.processor.model.OperationMethod;
import io.idempotency.processor.plan.Operation;
import io.idempotency.processor.plan.ResultPlan;
import io.micronaut.core.annotation.Generated;
import io.micronaut.core.type.Argument;
import io.micronaut.inject.ast.ClassElement;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import javax.lang.model.element.Modifier;

/**
 * The source file with the {@code OperationDefinition}s of one bean's class: a nested class for each operation, and the
 * methods for the types of their arguments, which the operations share.
 */
public final class DefinitionSource {

    /** What generated code may do under any settings of a compiler that takes warnings for errors. */
    private static final AnnotationSpec SUPPRESSED = Stream.of(
                    "all", "auxiliaryclass", "cast", "deprecation", "exports", "rawtypes", "removal", "unchecked")
            .reduce(
                    AnnotationSpec.builder(SuppressWarnings.class),
                    (all, each) -> all.addMember("value", "$S", each),
                    (one, other) -> one)
            .build();

    private final ClassElement owner;
    private final ClassName name;
    private final FingerprintMethods fingerprints;

    private DefinitionSource(ClassElement owner) {
        this.owner = owner;
        this.name = ClassName.get(owner.getPackageName(), DefinitionName.of(owner));
        this.fingerprints = new FingerprintMethods(name);
    }

    /** Prepares the source for a bean's class. */
    public static DefinitionSource of(ClassElement owner) {
        return new DefinitionSource(owner);
    }

    /** The package of the generated class: the owner's, so that it sees what the owner sees. */
    public String packageName() {
        return name.packageName();
    }

    /** The simple name of the generated class: the same in every compilation, another one for every bean's class. */
    public String simpleName() {
        return name.simpleName();
    }

    /** The binary name of the generated class. */
    public String className() {
        return packageName() + "." + simpleName();
    }

    /** The binary name of one operation's definition. */
    public String definition(Operation operation) {
        return className() + "$" + DefinitionName.of(operation.method());
    }

    /** The source text for the bean's operations, which have no problems. */
    public String text(List<Operation> operations) {
        TypeSpec.Builder type = TypeSpec.classBuilder(name)
                .addModifiers(Modifier.PUBLIC, Modifier.FINAL)
                .addAnnotation(Generated.class)
                .addAnnotation(SUPPRESSED)
                .addJavadoc("How the keys and arguments of {@link $T}'s operations are read.\n", ownerName())
                .addMethod(MethodSpec.constructorBuilder()
                        .addModifiers(Modifier.PRIVATE)
                        .build());
        operations.forEach(operation -> type.addType(definitionOf(operation)));
        fingerprints.addTo(type);
        return JavaFile.builder(packageName(), type.build())
                .indent("    ")
                .build()
                .toString();
    }

    private ClassName ownerName() {
        return BoundType.className(owner);
    }

    private TypeSpec definitionOf(Operation operation) {
        OperationMethod method = operation.method();
        TypeSpec.Builder type = TypeSpec.classBuilder(DefinitionName.of(method))
                .addModifiers(Modifier.PUBLIC, Modifier.STATIC, Modifier.FINAL)
                .addAnnotation(Generated.class)
                .superclass(GeneratedOperation.class)
                .addJavadoc("{@link $T#$L}.\n", ownerName(), method.method().getName())
                .addMethod(constructor(operation));
        if (operation.key().source() == KeySource.PARAMETERS) {
            KeyMethod.addTo(type, operation.key().parts());
            if (method.isRoute() && operation.key().fromHeader()) {
                PolicyMethods.answerTrue(type, "clientsKey");
            }
        }
        type.addMethod(fingerprints.of(operation.fingerprint()));
        PolicyMethods.addTo(type, method);
        return type.build();
    }

    private static MethodSpec constructor(Operation operation) {
        OperationMethod method = operation.method();
        boolean fromParameters = operation.key().source() == KeySource.PARAMETERS;
        CodeBlock.Builder call = CodeBlock.builder()
                .add(
                        "super($>\n$S,\n$S,\n$S,\n$S,\n",
                        method.name(),
                        method.origin(),
                        method.signature(),
                        method.declared())
                .add("$T.$L,\n", KeySource.class, operation.key().source())
                .add("$S,\n", fromParameters ? operation.key().description() : "")
                .add(resultType(operation.result()));
        method.attributes().forEach((attribute, value) -> call.add(",\n$S, $S", attribute, value));
        return MethodSpec.constructorBuilder()
                .addModifiers(Modifier.PUBLIC)
                .addCode(call.add(");$<\n").build())
                .build();
    }

    private static CodeBlock resultType(ResultPlan result) {
        BoundType type = result.type();
        return type == null ? CodeBlock.of("$T.VOID", Argument.class) : argument(type, CodeBlock.of(""));
    }

    private static CodeBlock argument(BoundType type, CodeBlock variable) {
        CodeBlock.Builder argument = CodeBlock.builder().add("type($T.class$L", type.typeName(), variable);
        for (Map.Entry<String, BoundType> each : type.arguments().entrySet()) {
            argument.add(", $L", argument(each.getValue(), CodeBlock.of(", $S", each.getKey())));
        }
        return argument.add(")").build();
    }
}
