package io.idempotency.processor.plan;

import com.palantir.javapoet.TypeName;
import io.idempotency.processor.model.Accessors.Accessor;
import io.idempotency.processor.model.BoundType;
import io.idempotency.processor.model.Code;
import io.micronaut.inject.ast.EnumElement;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.util.Map;
import java.util.Optional;

/** The value of {@code @FingerprintDefault}, which is left out of fingerprints like null. */
final class AbsentValue {

    private static final Map<String, Integer> BITS = Map.of("byte", 7, "short", 15, "int", 31, "long", 63);

    private AbsentValue() {}

    /** Returns the condition under which a value differs and is written; empty without a valid annotation. */
    static Optional<Code> present(Accessor value) {
        return Optional.ofNullable(value.absent()).flatMap(text -> present(value.type(), text));
    }

    /** Returns what is wrong with the annotation of a property or parameter. */
    static Optional<String> problem(Accessor value) {
        return value.absent() == null || present(value).isPresent()
                ? Optional.empty()
                : Optional.of(
                        "@FingerprintDefault(\"" + value.absent() + "\") of '" + value.name() + "' is no value of "
                                + value.type().sourceName()
                                + " that can be compared. Write a text, true or false, a whole number, a decimal, a"
                                + " character or the name of an enum's constant, as the type is, or \"\" for an empty"
                                + " list, set, map or array; otherwise leave the property null by default.");
    }

    private static Optional<Code> present(BoundType type, String text) {
        if (type.component() != null) {
            return given(text.isEmpty(), "$1L.length != 0");
        }
        if (type.element().isEnum()) {
            boolean isConstant =
                    type.element() instanceof EnumElement all && all.values().contains(text);
            return given(isConstant, "!$1L.name().equals($2S)", text);
        }
        TypeName declared = type.typeName();
        String name = declared.isBoxedPrimitive() ? declared.unbox().toString() : type.name();
        return switch (name) {
            case "byte", "short", "int", "long" ->
                whole(text)
                        .filter(number -> number.bitLength() <= BITS.getOrDefault(name, 0))
                        .map(number -> Code.of("$1L != $2LL", number));
            case "java.lang.String", "java.lang.CharSequence" -> given(true, "!$2S.contentEquals($1L)", text);
            case "boolean" -> given(text.equals("true") || text.equals("false"), text.equals("true") ? "!$1L" : "$1L");
            case "char" -> text.length() == 1 ? given(true, "$1L != $2L", (int) text.charAt(0)) : Optional.empty();
            case "java.math.BigInteger" ->
                whole(text).map(number -> Code.of("!$1L.equals(new $2T($3S))", BigInteger.class, number.toString()));
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

    private static Optional<BigDecimal> decimal(String text) {
        try {
            return Optional.of(new BigDecimal(text));
        } catch (NumberFormatException e) {
            return Optional.empty();
        }
    }

    private static Optional<BigInteger> whole(String text) {
        return decimal(text)
                .filter(number -> number.stripTrailingZeros().scale() <= 0)
                .map(BigDecimal::toBigInteger);
    }
}
