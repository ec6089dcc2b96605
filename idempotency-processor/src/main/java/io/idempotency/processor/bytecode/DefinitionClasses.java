package io.idempotency.processor.source;

import io.idempotency.definition.KeySource;
import io.idempotency.processor.model.OperationMethod;
import io.idempotency.processor.plan.Literals;
import io.idempotency.processor.plan.Operation;
import io.micronaut.inject.ast.ClassElement;
import java.util.List;

/**
 * The source of the generated {@code OperationDefinition}s of one bean's class: a file for all, since most of what the
 * compiler needs for a file does not depend on what is in it.
 */
public final class DefinitionSource {

    private static final String[] IMPORTS = {
        "import io.idempotency.definition.CanonicalKey;",
        "import io.idempotency.definition.EncodedName;",
        "import io.idempotency.definition.FingerprintWriter;",
        "import io.idempotency.definition.GeneratedOperation;",
        "import io.idempotency.definition.KeySource;",
        "import io.micronaut.core.annotation.Generated;",
        "import io.micronaut.core.type.Argument;",
        "import java.util.List;",
    };

    private final ClassElement owner;
    private final String simpleName;
    private final FingerprintMethods fingerprints;

    private DefinitionSource(ClassElement owner) {
        this.owner = owner;
        this.simpleName = DefinitionName.of(owner);
        this.fingerprints = new FingerprintMethods(simpleName);
    }

    /** Prepares the source for a bean's class. */
    public static DefinitionSource of(ClassElement owner) {
        return new DefinitionSource(owner);
    }

    /** The package of the generated class: the owner's, so that it sees what the owner sees. */
    public String packageName() {
        return owner.getPackageName();
    }

    /** The simple name of the generated class: the same in every compilation, another one for every bean's class. */
    public String simpleName() {
        return simpleName;
    }

    /** The binary name of the generated class. */
    public String className() {
        return packageName() + "." + simpleName;
    }

    /** The binary name of one operation's definition. */
    public String definition(Operation operation) {
        return className() + "$" + DefinitionName.of(operation.method());
    }

    /** The source text for the bean's operations, which have no problems. */
    public String text(List<Operation> operations) {
        JavaText text = new JavaText();
        text.lines("package " + packageName() + ";", "");
        text.lines(IMPORTS).lines("", "// Generated from " + owner.getCanonicalName());
        text.lines(
                "@Generated",
                "@SuppressWarnings({\"cast\", \"deprecation\", \"rawtypes\", \"removal\", \"unchecked\"})");
        text.open("public final class " + simpleName).lines("");
        JavaText body = text.part();
        body.open("private " + simpleName + "()").close();
        operations.forEach(operation -> definition(operation, body));
        fingerprints.types(body);
        fingerprints.constants(text);
        return text.add(body).close().toString();
    }

    private void definition(Operation operation, JavaText text) {
        OperationMethod method = operation.method();
        PolicySource policies = new PolicySource(method);
        String name = DefinitionName.of(method);
        text.lines("", "@Generated").open("public static final class " + name + " extends GeneratedOperation");
        text.lines("", "/** Called by the executable method of the bean. */").open("public " + name + "()");
        text.lines(
                "super(",
                argument(method.name()),
                argument(method.origin()),
                argument(method.signature()),
                argument(method.declared()),
                "        KeySource." + operation.key().source().name() + ",",
                argument(
                        operation.key().source() == KeySource.PARAMETERS
                                ? operation.key().description()
                                : ""),
                "        " + ArgumentSource.of(operation.result()) + policies.arguments() + ");");
        text.close();
        if (operation.key().source() == KeySource.PARAMETERS) {
            new KeyMethod(operation.key()).write(text);
            if (method.isRoute() && operation.key().fromHeader()) {
                text.returning("boolean clientsKey()", "true");
            }
        }
        policies.methods(text);
        fingerprints.write(operation.fingerprint(), text);
        text.close();
    }

    private static String argument(String value) {
        return "        " + Literals.text(value) + ",";
    }
}
