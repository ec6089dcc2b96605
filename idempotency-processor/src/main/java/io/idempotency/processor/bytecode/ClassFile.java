package io.idempotency.processor.bytecode;

import io.idempotency.processor.code.Code;
import io.micronaut.core.annotation.Generated;
import org.objectweb.asm.ClassWriter;
import org.objectweb.asm.Opcodes;
import org.objectweb.asm.Type;
import org.objectweb.asm.commons.GeneratorAdapter;
import org.objectweb.asm.commons.Method;

/** A class that is being generated. */
final class ClassFile {

    private final Type type;
    private final ClassWriter writer = new ClassWriter(ClassWriter.COMPUTE_FRAMES) {
        @Override
        protected String getCommonSuperClass(String one, String other) {
            // no generated code uses a value of which only this is known
            return "java/lang/Object";
        }
    };

    /** A public final class. */
    ClassFile(Type type, Class<?> superclass) {
        this.type = type;
        writer.visit(
                Opcodes.V17,
                Opcodes.ACC_PUBLIC | Opcodes.ACC_FINAL | Opcodes.ACC_SUPER,
                type.getInternalName(),
                null,
                Type.getInternalName(superclass),
                null);
        writer.visitAnnotation(Type.getDescriptor(Generated.class), false).visitEnd();
    }

    Type type() {
        return type;
    }

    /** Adds a constant, which the class's initializer sets. */
    void constant(String name, Class<?> ofType) {
        int access = Opcodes.ACC_STATIC | Opcodes.ACC_FINAL;
        writer.visitField(access, name, Type.getDescriptor(ofType), null, null).visitEnd();
    }

    /**
     * Adds a method.
     *
     * @param access its modifiers
     * @param declaration its return type, name and parameters
     * @param body what it does, which leaves what it returns
     */
    void method(int access, Method declaration, Code body) {
        GeneratorAdapter code = new GeneratorAdapter(access, declaration, null, null, writer);
        code.visitCode();
        body.write(code);
        code.returnValue();
        code.endMethod();
    }

    byte[] bytes() {
        writer.visitEnd();
        return writer.toByteArray();
    }
}
