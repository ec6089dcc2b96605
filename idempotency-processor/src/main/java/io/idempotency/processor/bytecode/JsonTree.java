package io.idempotency.processor.bytecode;

import io.idempotency.definition.JsonForm;
import io.idempotency.processor.code.Calls;
import io.idempotency.processor.code.Casts;
import io.idempotency.processor.code.References;
import io.idempotency.processor.plan.JsonApi;
import java.util.Arrays;
import java.util.function.Function;
import org.objectweb.asm.Handle;
import org.objectweb.asm.Opcodes;
import org.objectweb.asm.Type;
import org.objectweb.asm.commons.GeneratorAdapter;
import org.objectweb.asm.commons.Method;

/** How the nodes of a JSON tree are read, made of references to their methods. */
final class JsonTree {

    private static final Type BOOLEAN = Type.BOOLEAN_TYPE;
    private static final Type FORM = Type.getType(JsonForm.class);

    private final Type node;
    private final GeneratorAdapter to;

    private JsonTree(JsonApi api, GeneratorAdapter to) {
        this.node = Type.getObjectType(api.node().replace('.', '/'));
        this.to = to;
    }

    /** Leaves it. */
    static void write(JsonApi api, GeneratorAdapter to) {
        to.newInstance(FORM);
        to.dup();
        new JsonTree(api, to).functions(api);
        Type[] functions = new Type[JsonForm.class.getRecordComponents().length];
        Arrays.fill(functions, Type.getType(Function.class));
        to.invokeConstructor(FORM, new Method("<init>", Type.VOID_TYPE, functions));
    }

    private void functions(JsonApi api) {
        function("isNull", BOOLEAN);
        function(api.isText(), BOOLEAN);
        function(api.text(), Type.getType(String.class));
        function("isBoolean", BOOLEAN);
        function(api.bool(), BOOLEAN);
        function("isNumber", BOOLEAN);
        function(api.number(), Type.getType(Number.class));
        function("isArray", BOOLEAN);
        if (api.elements().isEmpty()) {
            Calls.of(Function.class, "identity").write(to);
        } else {
            function(api.elements(), Type.getType(Iterable.class));
        }
        function("isObject", BOOLEAN);
        function(api.entries(), Type.getType(api.entriesType()));
    }

    private void function(String method, Type result) {
        Type object = Type.getType(Object.class);
        References.write(
                Function.class,
                "apply",
                Type.getMethodDescriptor(object, object),
                Type.getMethodDescriptor(Casts.boxed(result), node),
                new Handle(
                        Opcodes.H_INVOKEVIRTUAL,
                        node.getInternalName(),
                        method,
                        Type.getMethodDescriptor(result),
                        false),
                to);
    }
}
