package io.idempotency.processor.plan;

import io.idempotency.processor.model.BoundType;
import io.idempotency.processor.model.Code;
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
 * @param present whether a value, which is not null, is another one than this; null where the text is no value of the
 *     type
 * @param problem what is wrong with the text then
 */
record AbsentValue(@Nullable Code present, @Nullable String problem) {

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
        return Optional.of(present(type, text)
                .map(present -> new AbsentValue(present, null))
                .orElseGet(() -> new AbsentValue(
                        null,
                        "@FingerprintDefault(\"" + text + "\") of '" + name + "' is no value of " + type.sourceName()
                                + " that can be compared. Write a text, true or false, a whole number, a decimal, a"
                                + " character or the name of an enum's constant, as the type is, or \"\" for an empty"
                                + " list, set, map or array; otherwise leave the property null by default.")));
    }

    private static Optional<Code> present(BoundType type, String text) {
        if (type.component() != null) {
            return given(text.isEmpty(), "$1L.length != 0");
        }
        String name = PRIMITIVES.getOrDefault(type.name(), type.name());
        if (type.element().isEnum()) {
            return given(isConstant(type.element(), text), "!$1L.name().equals($2S)", text);
        }
        if (LARGEST.containsKey(name)) {
            return decimal(text)
                    .flatMap(AbsentValue::whole)
                    .filter(number -> number.compareTo(LARGEST.get(name)) <= 0
                            && number.not().compareTo(LARGEST.get(name)) <= 0)
                    .map(number -> Code.of("$1L != $2LL", number));
        }
        return switch (name) {
            case "java.lang.String", "java.lang.CharSequence" -> given(true, "!$2S.contentEquals($1L)", text);
            case "boolean" -> given(text.equals("true") || text.equals("false"), text.equals("true") ? "!$1L" : "$1L");
            case "char" -> text.length() == 1 ? given(true, "$1L != $2L", (int) text.charAt(0)) : Optional.empty();
            case "java.math.BigInteger" ->
                decimal(text)
                        .flatMap(AbsentValue::whole)
                        .map(number -> Code.of("!$1L.equals(new $2T($3S))", BigInteger.class, number.toString()));
            case "java.math.BigDecimal" ->
                decimal(text)
                        .map(number ->
                                Code.of("$1L.compareTo(new $2T($3S)) != 0", BigDecimal.class, number.toString()));
            default ->
                given(
                        text.isEmpty()
                                && (type.as("java.util.Map").isPresent() || type.isAssignable("java.util.Collection")),
                        "!$1L.isEmpty()");
        };
    }

    private static Optional<Code> given(boolean isValue, String condition, Object... arguments) {
        return isValue ? Optional.of(Code.of(condition, arguments)) : Optional.empty();
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
