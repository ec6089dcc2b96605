package io.idempotency.processor.code;

import org.objectweb.asm.Opcodes;
import org.objectweb.asm.Type;
import org.objectweb.asm.commons.GeneratorAdapter;

/**
 * A getter or a field of a class that is being compiled.
 *
 * @param owner the class that it is read of, which may inherit it
 * @param ofInterface whether that is an interface
 * @param name its name
 * @param type the type that it is declared with, without type arguments
 * @param isField whether it is a field
 */
public record Member(Type owner, boolean ofInterface, String name, Type type, boolean isField) implements Code {

    @Override
    public void write(GeneratorAdapter to) {
        if (isField) {
            to.getField(owner, name, type);
            return;
        }
        to.visitMethodInsn(
                ofInterface ? Opcodes.INVOKEINTERFACE : Opcodes.INVOKEVIRTUAL,
                owner.getInternalName(),
                name,
                Type.getMethodDescriptor(type),
                ofInterface);
    }
}
