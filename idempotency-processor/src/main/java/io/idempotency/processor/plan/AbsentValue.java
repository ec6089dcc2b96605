package io.idempotency.processor.plan;

import io.idempotency.processor.model.BoundType;
import io.micronaut.inject.ast.ClassElement;
import io.micronaut.inject.ast.EnumElement;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * A value that is written as if there were none.
 *
 * @param condition asks in source code whether another one, {@code %s}, is there, which is not null; null where the text is
 *     no value of the type
 * @param problem what is wrong with the text then
 */
record AbsentValue(@Nullable String condition, @Nullable String problem) {

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

    /** What the annotation of a property or parameter says; empty without one. */
    static Optional<AbsentValue> of(String name, BoundType type, @Nullable String text) {
        if (text == null) {
            return Optional.empty();
        }
        return Optional.of(condition(type, text)
                .map(condition -> new AbsentValue(condition, null))
                .orElseGet(() -> new AbsentValue(
                        null,
                        "@FingerprintDefault(\"" + text + "\") of '" + name + "' is no value of " + type.sourceName()
                                + " that can be compared. Write a text, true or false, a whole number, a decimal, a"
                                + " character or the name of an enum's constant, as the type is, or \"\" for an empty"
                                + " list, set, map or array; otherwise leave the property null by default.")));
    }

    private static Optional<String> condition(BoundType type, String text) {
        if (type.component() != null) {
            return empty(text, "%s.length != 0");
        }
        String name = PRIMITIVES.getOrDefault(type.name(), type.name());
        if (type.element().isEnum()) {
            return isConstant(type.element(), text)
                    ? Optional.of("!%s.name().equals(" + literal(text) + ")")
                    : Optional.empty();
        }
        if (LARGEST.containsKey(name)) {
            return decimal(text)
                    .flatMap(AbsentValue::whole)
                    .filter(number -> number.compareTo(LARGEST.get(name)) <= 0
                            && number.not().compareTo(LARGEST.get(name)) <= 0)
                    .map(number -> "%s != " + number + "L");
        }
        return switch (name) {
            case "java.lang.String", "java.lang.CharSequence" ->
                Optional.of("!" + literal(text) + ".contentEquals(%s)");
            case "boolean" ->
                text.equals("true") || text.equals("false")
                        ? Optional.of(text.equals("true") ? "!%s" : "%s")
                        : Optional.empty();
            case "char" -> text.length() == 1 ? Optional.of("%s != " + (int) text.charAt(0)) : Optional.empty();
            case "java.math.BigInteger" ->
                decimal(text)
                        .flatMap(AbsentValue::whole)
                        .map(number -> "!%s.equals(new java.math.BigInteger(" + literal(number.toString()) + "))");
            case "java.math.BigDecimal" ->
                decimal(text)
                        .map(number ->
                                "%s.compareTo(new java.math.BigDecimal(" + literal(number.toString()) + ")) != 0");
            default ->
                type.as("java.util.Map").isPresent() || type.isAssignable("java.util.Collection")
                        ? empty(text, "!%s.isEmpty()")
                        : Optional.empty();
        };
    }

    private static Optional<String> empty(String text, String condition) {
        return text.isEmpty() ? Optional.of(condition) : Optional.empty();
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

    private static String literal(String text) {
        return Literals.text(text).replace("%", "%%");
    }
}
