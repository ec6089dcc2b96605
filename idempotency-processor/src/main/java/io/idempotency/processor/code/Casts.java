package io.idempotency.processor.code;

import java.util.Map;
import org.objectweb.asm.Type;
import org.objectweb.asm.commons.GeneratorAdapter;

/** From the type that lies on the stack to the one that is needed. */
public final class Casts {

    private static final Type OBJECT = Type.getType(Object.class);

    private static final Map<Type, Type> BOXES = Map.of(
            Type.BOOLEAN_TYPE, Type.getType(Boolean.class),
            Type.BYTE_TYPE, Type.getType(Byte.class),
            Type.SHORT_TYPE, Type.getType(Short.class),
            Type.INT_TYPE, Type.getType(Integer.class),
            Type.LONG_TYPE, Type.getType(Long.class),
            Type.CHAR_TYPE, Type.getType(Character.class),
            Type.FLOAT_TYPE, Type.getType(Float.class),
            Type.DOUBLE_TYPE, Type.getType(Double.class));

    private Casts() {}

    /** Unboxes, widens, or takes an object for what it is. */
    public static void cast(Type from, Type to, GeneratorAdapter code) {
        boolean isPrimitive = isPrimitive(to);
        if (isPrimitive(from) && isPrimitive) {
            code.cast(from, to);
        } else if (isPrimitive) {
            code.unbox(to);
        } else if (!from.equals(to) && !to.equals(OBJECT)) {
            code.checkCast(to);
        }
    }

    /** The class of boxed values; any other type is its own. */
    public static Type boxed(Type type) {
        return BOXES.getOrDefault(type, type);
    }

    /** The primitive type of boxed values. */
    public static Type unboxed(Type box) {
        return BOXES.entrySet().stream()
                .filter(each -> each.getValue().equals(box))
                .findFirst()
                .orElseThrow()
                .getKey();
    }

    /** Whether it is no class, interface or array. */
    public static boolean isPrimitive(Type type) {
        return type.getSort() != Type.OBJECT && type.getSort() != Type.ARRAY;
    }
}
