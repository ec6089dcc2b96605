package io.idempotency.processor.bytecode;

import io.idempotency.definition.CanonicalKey;
import io.idempotency.processor.code.Calls;
import io.idempotency.processor.code.Casts;
import io.idempotency.processor.code.Code;
import io.idempotency.processor.model.BoundType;
import io.idempotency.processor.plan.KeyPart;
import java.util.List;
import org.objectweb.asm.Label;
import org.objectweb.asm.Opcodes;
import org.objectweb.asm.Type;
import org.objectweb.asm.commons.GeneratorAdapter;
import org.objectweb.asm.commons.Method;

/** The methods that read a key from the arguments; null anywhere on the way is a null key. */
final class KeyMethod {

    private static final Type OBJECT = Type.getType(Object.class);
    private static final Code TEXT = Calls.of(CanonicalKey.class, "text", CharSequence.class);
    private static final Code TYPED = Calls.of(CanonicalKey.class, "typed", String.class, String.class);
    private static final Code JOIN = Calls.of(CanonicalKey.class, "join", String[].class);

    private final List<KeyPart> parts;

    KeyMethod(List<KeyPart> parts) {
        this.parts = parts;
    }

    void write(ClassFile file) {
        if (parts.size() == 1) {
            file.method(Opcodes.ACC_PUBLIC, method("key"), part(parts.get(0)));
            return;
        }
        for (int i = 0; i < parts.size(); i++) {
            int access = Opcodes.ACC_PRIVATE | Opcodes.ACC_STATIC;
            file.method(access, method("keyPart" + (i + 1)), part(parts.get(i)));
        }
        file.method(Opcodes.ACC_PUBLIC, method("key"), to -> {
            to.push(parts.size());
            to.newArray(Type.getType(String.class));
            for (int i = 0; i < parts.size(); i++) {
                to.dup();
                to.push(i);
                to.loadArg(0);
                to.invokeStatic(file.type(), method("keyPart" + (i + 1)));
                to.arrayStore(Type.getType(String.class));
            }
            JOIN.write(to);
        });
    }

    private static Method method(String name) {
        return Method.getMethod("String " + name + " (Object[])");
    }

    private static Code part(KeyPart part) {
        BoundType parameter = part.parameter().type();
        Code argument = to -> {
            to.loadArg(0);
            to.push(part.parameter().index());
            to.arrayLoad(OBJECT);
            Casts.cast(OBJECT, Casts.boxed(parameter.erasedType()), to);
        };
        return part.steps().isEmpty() && part.tag().isEmpty()
                ? argument.then(TEXT)
                : argument.then(to -> follow(part, to));
    }

    private static void follow(KeyPart part, GeneratorAdapter to) {
        Label none = to.newLabel();
        Label end = to.newLabel();
        BoundType type = part.parameter().type();
        boolean isBoxed = type.isPrimitive();
        for (KeyPart.Step step : part.steps()) {
            unlessNull(none, to);
            step.code().write(to);
            type = step.type();
        }
        if (part.tag().isEmpty()) {
            TEXT.write(to);
        } else {
            if (isBoxed || !type.isPrimitive()) {
                unlessNull(none, to);
            }
            if (isBoxed) {
                to.unbox(type.erasedType());
            }
            part.text().write(to);
            to.push(part.tag());
            to.swap();
            TYPED.write(to);
        }
        to.goTo(end);
        to.mark(none);
        to.pop();
        to.visitInsn(Opcodes.ACONST_NULL);
        to.mark(end);
    }

    private static void unlessNull(Label none, GeneratorAdapter to) {
        to.dup();
        to.ifNull(none);
    }
}
