package io.idempotency.processor.bytecode;

import io.idempotency.processor.code.Code;
import io.idempotency.processor.model.BoundType;
import io.idempotency.processor.plan.ResultPlan;
import io.micronaut.core.type.Argument;
import java.util.Map;
import org.objectweb.asm.Type;
import org.objectweb.asm.commons.GeneratorAdapter;
import org.objectweb.asm.commons.Method;

/** A result type as a Micronaut {@code Argument} with all its type arguments. */
final class ResultArgument {

    private static final Type ARGUMENT = Type.getType(Argument.class);
    private static final Type ARGUMENTS = Type.getType(Argument[].class);
    private static final Type CLASS = Type.getType(Class.class);

    private ResultArgument() {}

    /** Leaves it; called where the methods of a definition can be. */
    static Code of(ResultPlan result, Type definition) {
        BoundType type = result.type();
        return to -> {
            if (type == null) {
                to.getStatic(ARGUMENT, "VOID", ARGUMENT);
            } else {
                write(type, "", definition, to);
            }
        };
    }

    private static void write(BoundType type, String variable, Type definition, GeneratorAdapter to) {
        to.push(type.erasedType());
        if (!variable.isEmpty()) {
            to.push(variable);
        }
        to.push(type.arguments().size());
        to.newArray(ARGUMENT);
        int index = 0;
        for (Map.Entry<String, BoundType> argument : type.arguments().entrySet()) {
            to.dup();
            to.push(index++);
            write(argument.getValue(), argument.getKey(), definition, to);
            to.arrayStore(ARGUMENT);
        }
        Type[] parameters = variable.isEmpty()
                ? new Type[] {CLASS, ARGUMENTS}
                : new Type[] {CLASS, Type.getType(String.class), ARGUMENTS};
        to.invokeStatic(definition, new Method("type", ARGUMENT, parameters));
    }
}
