package io.idempotency.processor.bytecode;

import io.idempotency.definition.EncodedName;
import io.idempotency.definition.FingerprintWriter;
import io.idempotency.definition.FingerprintWriter.ElementWriter;
import io.idempotency.definition.JsonForm;
import io.idempotency.processor.code.Calls;
import io.idempotency.processor.code.Casts;
import io.idempotency.processor.code.Code;
import io.idempotency.processor.code.References;
import io.idempotency.processor.plan.Shape;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.objectweb.asm.Handle;
import org.objectweb.asm.Label;
import org.objectweb.asm.Opcodes;
import org.objectweb.asm.Type;
import org.objectweb.asm.commons.GeneratorAdapter;
import org.objectweb.asm.commons.Method;

/** The methods that write the values of types to fingerprints: one for every type that needs its own, shared by a bean's operations. */
final class TypeMethods {

    private static final Type WRITER = Type.getType(FingerprintWriter.class);
    private static final Type NAME = Type.getType(EncodedName.class);
    private static final Type JSON = Type.getType(JsonForm.class);

    private static final Code ENCODED = Calls.of(EncodedName.class, "of", String.class);
    private static final Code NAMED = Calls.of(FingerprintWriter.class, "name", EncodedName.class);
    private static final Code AS_LIST = Calls.of(Arrays.class, "asList", Object[].class);
    private static final Code MAP =
            Calls.of(FingerprintWriter.class, "map", Map.class, ElementWriter.class, ElementWriter.class);

    private final ClassFile file;
    private final Map<String, String> names = new HashMap<>();
    private final Set<String> taken = new HashSet<>();
    private final Deque<Shape> open = new ArrayDeque<>();
    private final Set<String> properties = new TreeSet<>();
    private final Map<String, Shape.Json> trees = new TreeMap<>();

    TypeMethods(ClassFile file) {
        this.file = file;
    }

    /** The methods of the types that were met, and of those that they hold; then what they share. */
    void write() {
        while (!open.isEmpty()) {
            Shape shape = open.remove();
            file.method(Opcodes.ACC_STATIC, method(shape), new TypeMethod(this, shape));
        }
        properties.forEach(name -> file.constant(constant(name), EncodedName.class));
        trees.keySet().forEach(name -> file.constant(name, JsonForm.class));
        if (!properties.isEmpty() || !trees.isEmpty()) {
            file.method(Opcodes.ACC_STATIC, Method.getMethod("void <clinit> ()"), this::constants);
        }
    }

    private void constants(GeneratorAdapter to) {
        for (String name : properties) {
            to.push(name);
            ENCODED.write(to);
            to.putStatic(file.type(), constant(name), NAME);
        }
        trees.forEach((name, shape) -> {
            JsonTree.write(shape.api(), to);
            to.putStatic(file.type(), name, JSON);
        });
    }

    private static String constant(String property) {
        return "NAME_" + property;
    }

    /** Loads how the nodes of a tree are read. */
    void json(Shape.Json shape, GeneratorAdapter to) {
        String name = shape.api().node().replace('.', '_');
        trees.put(name, shape);
        to.getStatic(file.type(), name, JSON);
    }

    /**
     * Writes a property by name unless it is null or has its default value.
     *
     * @param owner leaves what the property is read of
     * @param writer leaves the writer
     */
    void property(Shape.Property property, Code owner, Code writer, GeneratorAdapter to) {
        Type type = property.shape().type().erasedType();
        Label absent = to.newLabel();
        owner.write(to);
        property.code().write(to);
        int value = to.newLocal(type);
        to.storeLocal(value);
        if (!Casts.isPrimitive(type)) {
            to.loadLocal(value);
            to.ifNull(absent);
        }
        if (property.shape() instanceof Shape.Maybe maybe) {
            to.loadLocal(value);
            isPresent(maybe, to);
            to.ifZCmp(GeneratorAdapter.EQ, absent);
        }
        property.absent().ifPresent(branch -> {
            to.loadLocal(value);
            branch.write(to, absent);
        });
        properties.add(property.name());
        writer.write(to);
        to.getStatic(file.type(), constant(property.name()), NAME);
        NAMED.write(to);
        writer.write(to);
        to.loadLocal(value);
        value(property.shape(), to);
        to.mark(absent);
    }

    /** Takes an optional that is not null, and leaves whether it holds anything. */
    static void isPresent(Shape.Maybe maybe, GeneratorAdapter to) {
        maybe.optional().then(Calls.of(maybe.holder(), "isPresent")).write(to);
    }

    /** Takes the writer and a value that is not null, and writes it. */
    void value(Shape shape, GeneratorAdapter to) {
        if (shape instanceof Shape.Leaf leaf) {
            leaf.write().write(to);
        } else if (shape instanceof Shape.Maybe maybe) {
            maybe.optional().then(Calls.of(maybe.holder(), maybe.getter())).write(to);
            if (!Casts.isPrimitive(Calls.result(maybe.holder(), maybe.getter()))) {
                Casts.cast(Type.getType(Object.class), maybe.value().type().erasedType(), to);
            }
            value(maybe.value(), to);
        } else if (shape instanceof Shape.Entries entries) {
            reference(entries.key(), to);
            reference(entries.value(), to);
            MAP.write(to);
        } else if (shape instanceof Shape.Elements elements && !isPrimitives(elements)) {
            if (shape.type().component() != null) {
                AS_LIST.write(to);
            }
            elements(elements, to);
        } else {
            to.swap();
            to.invokeStatic(file.type(), method(shape));
        }
    }

    /** Takes the writer and an iterable. */
    void elements(Shape.Elements elements, GeneratorAdapter to) {
        reference(elements.element(), to);
        Calls.of(FingerprintWriter.class, elements.order().method(), Iterable.class, ElementWriter.class)
                .write(to);
    }

    /** Leaves the method of a type as an element writer. */
    private void reference(Shape shape, GeneratorAdapter to) {
        Method method = method(shape);
        References.write(
                ElementWriter.class,
                "write",
                Type.getMethodDescriptor(Type.VOID_TYPE, Type.getType(Object.class), WRITER),
                method.getDescriptor(),
                new Handle(
                        Opcodes.H_INVOKESTATIC,
                        file.type().getInternalName(),
                        method.getName(),
                        method.getDescriptor(),
                        false),
                to);
    }

    /** The method of a type, which is written in its turn; it takes null, too, since it also writes elements. */
    private Method method(Shape shape) {
        Type boxed = Casts.boxed(shape.type().erasedType());
        return new Method(name(shape), Type.VOID_TYPE, new Type[] {boxed, WRITER});
    }

    private String name(Shape shape) {
        // a concrete sealed class has a method as a hierarchy and one as an alternative of it
        String key = shape.type().boxedSourceName() + (shape instanceof Shape.OneOf ? " and below" : "");
        String known = names.get(key);
        if (known != null) {
            return known;
        }
        String base = "write" + shape.type().identifier();
        String name = base;
        for (int i = 2; !taken.add(name); i++) {
            name = base + i;
        }
        names.put(key, name);
        open.add(shape);
        return name;
    }

    static boolean isPrimitives(Shape.Elements elements) {
        return elements.type().component() != null && elements.element().type().isPrimitive();
    }
}
