package io.idempotency.processor.plan;

import io.idempotency.processor.code.Calls;
import io.idempotency.processor.code.Casts;
import io.idempotency.processor.code.Code;
import io.idempotency.processor.code.Code.Branch;
import io.idempotency.processor.model.BoundType;
import io.micronaut.inject.ast.ClassElement;
import io.micronaut.inject.ast.EnumElement;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.util.Collection;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.objectweb.asm.Type;
import org.objectweb.asm.commons.GeneratorAdapter;
import org.objectweb.asm.commons.Method;

/**
 * A value that is written as if there were none.
 *
 * @param equal takes a value, which is not null, and goes elsewhere when it is this one; null where the text is no value
 *     of the type
 * @param problem what is wrong with the text then
 */
record AbsentValue(@Nullable Branch equal, @Nullable String problem) {

    private static final Map<String, BigInteger> LARGEST = Map.of(
            "byte", BigInteger.valueOf(Byte.MAX_VALUE),
            "short", BigInteger.valueOf(Short.MAX_VALUE),
            "int", BigInteger.valueOf(Integer.MAX_VALUE),
            "long", BigInteger.valueOf(Long.MAX_VALUE));

    private static final Map<String, String> PRIMITIVES = Map.of(
            "java.lang.Boolean", "boolean",
            "java.lang.Character", "char",
            "java.lang.Byte", "byte",
            "java.lang.Short", "short",
            "java.lang.Integer", "int",
            "java.lang.Long", "long");

    private static final Code NAME = Calls.of(Enum.class, "name");
    private static final Code EQUALS = Calls.of(Object.class, "equals", Object.class);
    private static final Code SAME_TEXT = Calls.of(String.class, "contentEquals", CharSequence.class);
    private static final Code COMPARED = Calls.of(BigDecimal.class, "compareTo", BigDecimal.class);

    /** What the annotation of a property or parameter says; empty without one. */
    static Optional<AbsentValue> of(String name, BoundType type, @Nullable String text) {
        if (text == null) {
            return Optional.empty();
        }
        return Optional.of(equal(type, text)
                .map(equal -> new AbsentValue(equal, null))
                .orElseGet(() -> new AbsentValue(
                        null,
                        "@FingerprintDefault(\"" + text + "\") of '" + name + "' is no value of " + type.sourceName()
                                + " that can be compared. Write a text, true or false, a whole number, a decimal, a"
                                + " character or the name of an enum's constant, as the type is, or \"\" for an empty"
                                + " list, set, map or array; otherwise leave the property null by default.")));
    }

    private static Optional<Branch> equal(BoundType type, String text) {
        if (type.component() != null) {
            return empty(text, GeneratorAdapter::arrayLength, GeneratorAdapter.EQ);
        }
        String name = PRIMITIVES.getOrDefault(type.name(), type.name());
        if (type.element().isEnum()) {
            return isConstant(type.element(), text)
                    ? Optional.of(when(NAME.then(equalTo(to -> to.push(text))), GeneratorAdapter.NE))
                    : Optional.empty();
        }
        if (LARGEST.containsKey(name)) {
            return decimal(text)
                    .flatMap(AbsentValue::whole)
                    .filter(number -> number.compareTo(LARGEST.get(name)) <= 0
                            && number.not().compareTo(LARGEST.get(name)) <= 0)
                    .map(number -> same(type, Type.LONG_TYPE, to -> to.push(number.longValue())));
        }
        return switch (name) {
            case "java.lang.String", "java.lang.CharSequence" ->
                Optional.of(when(
                        to -> {
                            to.push(text);
                            to.swap();
                            SAME_TEXT.write(to);
                        },
                        GeneratorAdapter.NE));
            case "boolean" ->
                text.equals("true") || text.equals("false")
                        ? Optional.of(same(type, Type.INT_TYPE, to -> to.push(text.equals("true"))))
                        : Optional.empty();
            case "char" ->
                text.length() == 1
                        ? Optional.of(same(type, Type.INT_TYPE, to -> to.push((int) text.charAt(0))))
                        : Optional.empty();
            case "java.math.BigInteger" ->
                decimal(text)
                        .flatMap(AbsentValue::whole)
                        .map(number ->
                                when(equalTo(created(BigInteger.class, number.toString())), GeneratorAdapter.NE));
            case "java.math.BigDecimal" ->
                decimal(text)
                        .map(number -> when(
                                created(BigDecimal.class, number.toString()).then(COMPARED), GeneratorAdapter.EQ));
            default -> isEmpty(type, text);
        };
    }

    private static Optional<Branch> isEmpty(BoundType type, String text) {
        if (type.as("java.util.Map").isPresent()) {
            return empty(text, Calls.of(Map.class, "isEmpty"), GeneratorAdapter.NE);
        }
        return type.isAssignable("java.util.Collection")
                ? empty(text, Calls.of(Collection.class, "isEmpty"), GeneratorAdapter.NE)
                : Optional.empty();
    }

    private static Optional<Branch> empty(String text, Code asked, int comparison) {
        return text.isEmpty() ? Optional.of(when(asked, comparison)) : Optional.empty();
    }

    /** Goes elsewhere when what is left compares so with zero, or with false. */
    private static Branch when(Code asked, int comparison) {
        return (to, elsewhere) -> {
            asked.write(to);
            to.ifZCmp(comparison, elsewhere);
        };
    }

    private static Branch same(BoundType type, Type compared, Code value) {
        Type actual = type.erasedType();
        Type primitive = Casts.isPrimitive(actual) ? actual : Casts.unboxed(actual);
        return (to, elsewhere) -> {
            Casts.cast(actual, primitive, to);
            // truth values and characters are compared as the numbers that they are for the JVM
            if (compared == Type.LONG_TYPE) {
                to.cast(primitive, compared);
            }
            value.write(to);
            to.ifCmp(compared, GeneratorAdapter.EQ, elsewhere);
        };
    }

    private static Code equalTo(Code other) {
        return other.then(EQUALS);
    }

    private static Code created(Class<?> type, String text) {
        return to -> {
            to.newInstance(Type.getType(type));
            to.dup();
            to.push(text);
            to.invokeConstructor(Type.getType(type), Method.getMethod("void <init> (String)"));
        };
    }

    private static boolean isConstant(ClassElement type, String text) {
        return type instanceof EnumElement constants && constants.values().contains(text);
    }

    private static Optional<BigDecimal> decimal(String text) {
        try {
            return Optional.of(new BigDecimal(text));
        } catch (NumberFormatException e) {
            return Optional.empty();
        }
    }

    private static Optional<BigInteger> whole(BigDecimal number) {
        try {
            return Optional.of(number.toBigIntegerExact());
        } catch (ArithmeticException e) {
            return Optional.empty();
        }
    }
}
