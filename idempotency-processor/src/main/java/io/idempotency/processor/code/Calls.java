package io.idempotency.processor.code;

import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import org.objectweb.asm.Opcodes;
import org.objectweb.asm.Type;

/** Calls of methods that this compiler can ask about: of the platform, and of what generated code is written against. */
public final class Calls {

    private Calls() {}

    /**
     * The call of a public method.
     *
     * @param type what it is called on
     * @param name its name
     * @param parameters the types of its parameters
     */
    public static Code of(Class<?> type, String name, Class<?>... parameters) {
        Method called = method(type, name, parameters);
        int opcode = Modifier.isStatic(called.getModifiers())
                ? Opcodes.INVOKESTATIC
                : type.isInterface() ? Opcodes.INVOKEINTERFACE : Opcodes.INVOKEVIRTUAL;
        String owner = Type.getInternalName(type);
        String descriptor = Type.getMethodDescriptor(called);
        return to -> to.visitMethodInsn(opcode, owner, name, descriptor, type.isInterface());
    }

    /**
     * Calls without arguments, one on the result of the other.
     *
     * @param type what the first is called on
     * @param names their names, with dots between
     */
    public static Code chain(Class<?> type, String names) {
        Code chain = Code.NOTHING;
        Class<?> receiver = type;
        for (String name : names.split("[.]")) {
            chain = chain.then(of(receiver, name));
            receiver = method(receiver, name).getReturnType();
        }
        return chain;
    }

    /** What the last of such calls returns. */
    public static Type result(Class<?> type, String names) {
        Class<?> receiver = type;
        for (String name : names.split("[.]")) {
            receiver = method(receiver, name).getReturnType();
        }
        return Type.getType(receiver);
    }

    private static Method method(Class<?> type, String name, Class<?>... parameters) {
        try {
            return type.getMethod(name, parameters);
        } catch (NoSuchMethodException e) {
            throw new IllegalStateException(
                    "Generated code would call " + type.getName() + "." + name
                            + ", which is not there. Compile with the idempotency-annotations of the processor's version.",
                    e);
        }
    }
}
