package io.idempotency.processor.code;

import java.lang.invoke.CallSite;
import java.lang.invoke.LambdaMetafactory;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import org.objectweb.asm.Handle;
import org.objectweb.asm.Opcodes;
import org.objectweb.asm.Type;
import org.objectweb.asm.commons.GeneratorAdapter;

/** References to methods, as the compiler makes them of {@code Type::method}. */
public final class References {

    private static final Handle FACTORY = new Handle(
            Opcodes.H_INVOKESTATIC,
            Type.getInternalName(LambdaMetafactory.class),
            "metafactory",
            MethodType.methodType(
                            CallSite.class,
                            MethodHandles.Lookup.class,
                            String.class,
                            MethodType.class,
                            MethodType.class,
                            MethodHandle.class,
                            MethodType.class)
                    .toMethodDescriptorString(),
            false);

    private References() {}

    /**
     * Leaves an instance of a functional interface on the stack.
     *
     * @param functional the interface
     * @param method its method
     * @param erased the descriptor of that method
     * @param actual the descriptor with the types that it is called with
     * @param target what it calls
     */
    public static void write(
            Class<?> functional, String method, String erased, String actual, Handle target, GeneratorAdapter to) {
        to.invokeDynamic(
                method,
                Type.getMethodDescriptor(Type.getType(functional)),
                FACTORY,
                Type.getMethodType(erased),
                target,
                Type.getMethodType(actual));
    }
}
