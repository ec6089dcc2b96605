package io.idempotency.processor.bytecode;

import io.idempotency.processor.code.Code;
import io.idempotency.processor.model.OperationMethod;
import java.util.ArrayList;
import java.util.List;
import org.objectweb.asm.Opcodes;
import org.objectweb.asm.Type;
import org.objectweb.asm.commons.GeneratorAdapter;
import org.objectweb.asm.commons.Method;

/** The policies that the annotation sets; those it leaves out are left to the configuration. */
final class PolicyMethods {

    private static final Method LIST = Method.getMethod("java.util.List of (Object[])");

    private final OperationMethod method;

    PolicyMethods(OperationMethod method) {
        this.method = method;
    }

    /** Leaves an array of names and values in turns. */
    Code attributes() {
        List<String> texts = new ArrayList<>();
        method.attributes().forEach((name, value) -> texts.addAll(List.of(name, value)));
        return to -> array(
                String.class,
                texts.stream().map(each -> (Code) code -> code.push(each)).toList(),
                to);
    }

    void write(ClassFile file) {
        if (!method.text("namespace").isEmpty()) {
            file.method(
                    Opcodes.ACC_PUBLIC,
                    Method.getMethod("String namespace ()"),
                    to -> to.push(method.text("namespace")));
            constant("boolean sharesKeys ()", file);
        }
        if (method.flag("transactional")) {
            constant("boolean transactional ()", file);
        }
        for (String list : OperationMethod.FAILURE_LISTS) {
            List<String> types = method.classNames(list);
            if (!types.isEmpty()) {
                file.method(Opcodes.ACC_PUBLIC, Method.getMethod("java.util.List " + list + " ()"), types(types));
            }
        }
    }

    /** A method that answers true. */
    static void constant(String declaration, ClassFile file) {
        file.method(Opcodes.ACC_PUBLIC, Method.getMethod(declaration), to -> to.push(true));
    }

    private static Code types(List<String> names) {
        List<Code> types = names.stream()
                .map(name -> (Code) to -> to.push(Type.getObjectType(name.replace('.', '/'))))
                .toList();
        return to -> {
            array(Class.class, types, to);
            to.visitMethodInsn(Opcodes.INVOKESTATIC, "java/util/List", LIST.getName(), LIST.getDescriptor(), true);
        };
    }

    private static void array(Class<?> of, List<Code> elements, GeneratorAdapter to) {
        Type type = Type.getType(of);
        to.push(elements.size());
        to.newArray(type);
        for (int i = 0; i < elements.size(); i++) {
            to.dup();
            to.push(i);
            elements.get(i).write(to);
            to.arrayStore(type);
        }
    }
}
