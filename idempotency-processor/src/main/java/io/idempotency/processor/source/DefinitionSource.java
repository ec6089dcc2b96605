package io.idempotency.processor.source;

import io.idempotency.definition.KeySource;
import io.idempotency.processor.model.OperationMethod;
import io.idempotency.processor.plan.Literals;
import io.idempotency.processor.plan.Operation;

/** The source of one generated {@code OperationDefinition}. */
public final class DefinitionSource {

    private static final String[] IMPORTS = {
        "import io.idempotency.definition.CanonicalKey;",
        "import io.idempotency.definition.EncodedName;",
        "import io.idempotency.definition.FingerprintWriter;",
        "import io.idempotency.definition.KeySource;",
        "import io.idempotency.definition.OperationDefinition;",
        "import io.micronaut.core.annotation.Generated;",
        "import io.micronaut.core.type.Argument;",
        "import java.util.List;",
        "import java.util.Map;",
    };

    private final Operation operation;
    private final String simpleName;

    private DefinitionSource(Operation operation) {
        this.operation = operation;
        this.simpleName = DefinitionName.of(operation.method());
    }

    /** Prepares the source of an operation without problems. */
    public static DefinitionSource of(Operation operation) {
        return new DefinitionSource(operation);
    }

    /** The package of the generated class: the owner's, so that it sees what the owner sees. */
    public String packageName() {
        return operation.method().owner().getPackageName();
    }

    /** The simple name of the generated class: the same in every compilation, another one for every method. */
    public String simpleName() {
        return simpleName;
    }

    /** The binary name of the generated class. */
    public String className() {
        return packageName() + "." + simpleName;
    }

    /** The source text. */
    public String text() {
        OperationMethod method = operation.method();
        PolicySource policies = new PolicySource(method);
        JavaText text = new JavaText();
        text.lines("package " + packageName() + ";", "");
        text.lines(IMPORTS).lines("", "// Generated from " + method.origin());
        text.lines(
                "@Generated",
                "@SuppressWarnings({\"cast\", \"deprecation\", \"rawtypes\", \"removal\", \"unchecked\"})");
        text.open("public final class " + simpleName + " implements OperationDefinition")
                .lines("");
        JavaText fingerprint = text.part();
        FingerprintMethods methods = new FingerprintMethods(simpleName);
        methods.write(operation.fingerprint(), fingerprint);
        methods.constants(text);
        policies.constants(text);
        text.lines("private static final Argument<?> RESULT_TYPE = " + ArgumentSource.of(operation.result()) + ";", "");
        text.lines("/** Called by the executable method of the bean. */")
                .open("public " + simpleName + "()")
                .close();
        identity(text, method);
        if (operation.key().source() == KeySource.PARAMETERS) {
            text.returning(
                    "String keyDescription()", Literals.text(operation.key().description()));
            new KeyMethod(operation.key()).write(text);
            if (method.isRoute() && operation.key().fromHeader()) {
                text.returning("boolean clientsKey()", "true");
            }
        }
        policies.methods(text);
        text.returning("Argument<?> resultType()", "RESULT_TYPE");
        return text.add(fingerprint).close().toString();
    }

    private void identity(JavaText text, OperationMethod method) {
        text.returning("String name()", Literals.text(method.name()));
        text.returning("String origin()", Literals.text(method.origin()));
        text.returning("String method()", Literals.text(method.signature()));
        text.returning("String declaration()", Literals.text(method.declared()));
        text.returning(
                "KeySource keySource()", "KeySource." + operation.key().source().name());
    }
}
