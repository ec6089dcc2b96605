package io.idempotency.processor.bytecode;

import io.idempotency.definition.GeneratedOperation;
import io.idempotency.definition.KeySource;
import io.idempotency.processor.code.Code;
import io.idempotency.processor.model.OperationMethod;
import io.idempotency.processor.plan.FingerprintPlan.PlannedParameter;
import io.idempotency.processor.plan.Operation;
import io.micronaut.core.type.Argument;
import io.micronaut.inject.ast.ClassElement;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.objectweb.asm.Opcodes;
import org.objectweb.asm.Type;
import org.objectweb.asm.commons.Method;

/**
 * The generated {@code OperationDefinition}s of one bean's class, as class files: javac would take much longer for sources.
 * There is a class for each operation, and one with the methods for the types of their arguments.
 */
public final class DefinitionClasses {

    private static final Type SUPERCLASS = Type.getType(GeneratedOperation.class);
    private static final Type KEY_SOURCE = Type.getType(KeySource.class);
    private static final Method CONSTRUCTOR = new Method("<init>", Type.VOID_TYPE, new Type[] {
        Type.getType(String.class),
        Type.getType(String.class),
        Type.getType(String.class),
        Type.getType(String.class),
        KEY_SOURCE,
        Type.getType(String.class),
        Type.getType(Argument.class),
        Type.getType(String[].class)
    });

    private final ClassElement owner;
    private final String simpleName;
    private final ClassFile shared;
    private final TypeMethods types;

    private DefinitionClasses(ClassElement owner) {
        this.owner = owner;
        this.simpleName = DefinitionName.of(owner);
        this.shared = new ClassFile(type(className()), Object.class);
        this.types = new TypeMethods(shared);
    }

    /** Prepares the classes for a bean's class. */
    public static DefinitionClasses of(ClassElement owner) {
        return new DefinitionClasses(owner);
    }

    /**
     * The binary name of the class that is always there: in the owner's package, so that it sees what the owner sees; the
     * same in every compilation, another one for every bean's class.
     */
    public String className() {
        return owner.getPackageName() + "." + simpleName;
    }

    /** The binary name of one operation's definition. */
    public String definition(Operation operation) {
        return className() + "$" + DefinitionName.of(operation.method());
    }

    /** The class files, by binary name, for the bean's operations, which have no problems. */
    public Map<String, byte[]> of(List<Operation> operations) {
        Map<String, byte[]> files = new TreeMap<>();
        operations.forEach(operation -> files.put(definition(operation), file(operation)));
        types.write();
        files.put(className(), shared.bytes());
        return files;
    }

    private byte[] file(Operation operation) {
        ClassFile file = new ClassFile(type(definition(operation)), GeneratedOperation.class);
        OperationMethod method = operation.method();
        PolicyMethods policies = new PolicyMethods(method);
        file.method(Opcodes.ACC_PUBLIC, Method.getMethod("void <init> ()"), constructor(operation, policies));
        if (operation.key().source() == KeySource.PARAMETERS) {
            new KeyMethod(operation.key().parts()).write(file);
            if (method.isRoute() && operation.key().fromHeader()) {
                PolicyMethods.constant("boolean clientsKey ()", file);
            }
        }
        policies.write(file);
        file.method(
                Opcodes.ACC_PUBLIC,
                Method.getMethod("void fingerprint (Object[], io.idempotency.definition.FingerprintWriter)"),
                to -> operation.fingerprint().parameters().stream()
                        .map(PlannedParameter::property)
                        .forEach(each -> types.property(each, code -> code.loadArg(0), code -> code.loadArg(1), to)));
        return file.bytes();
    }

    private static Code constructor(Operation operation, PolicyMethods policies) {
        OperationMethod method = operation.method();
        boolean fromParameters = operation.key().source() == KeySource.PARAMETERS;
        return to -> {
            to.loadThis();
            to.push(method.name());
            to.push(method.origin());
            to.push(method.signature());
            to.push(method.declared());
            to.getStatic(KEY_SOURCE, operation.key().source().name(), KEY_SOURCE);
            to.push(fromParameters ? operation.key().description() : "");
            ResultArgument.of(operation.result(), SUPERCLASS).write(to);
            policies.attributes().write(to);
            to.invokeConstructor(SUPERCLASS, CONSTRUCTOR);
        };
    }

    private static Type type(String className) {
        return Type.getObjectType(className.replace('.', '/'));
    }
}
