package io.idempotency.processor;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.time.Instant;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;

/**
 * A type that a property can have, and its values.
 *
 * @param type as source code declares it
 * @param values its values
 */
record Kind(String type, Arbitrary<?> values) {

    private static final Arbitrary<String> TEXT = Arbitraries.strings().ofMaxLength(4);
    private static final Arbitrary<Integer> INTEGER = Arbitraries.integers();

    /** One of each. */
    static final List<Kind> ALL = List.of(
            new Kind("boolean", Arbitraries.of(true, false)),
            new Kind("int", INTEGER),
            new Kind("long", Arbitraries.longs()),
            new Kind("double", Arbitraries.doubles()),
            new Kind("char", Arbitraries.chars()),
            new Kind("String", TEXT),
            new Kind("Integer", INTEGER),
            new Kind("Float", Arbitraries.floats()),
            new Kind("BigDecimal", Arbitraries.bigDecimals().between(BigDecimal.valueOf(-9), BigDecimal.valueOf(9))),
            new Kind("BigInteger", Arbitraries.longs().map(BigInteger::valueOf)),
            new Kind("Instant", Arbitraries.longs().between(0, 9_999_999_999L).map(Instant::ofEpochSecond)),
            new Kind("LocalDate", Arbitraries.longs().between(-9999, 9999).map(LocalDate::ofEpochDay)),
            new Kind("UUID", Arbitraries.longs().map(low -> new UUID(0, low))),
            new Kind("TimeUnit", Arbitraries.of(TimeUnit.class)),
            new Kind("Optional<String>", TEXT.map(Optional::of)),
            new Kind("byte[]", Arbitraries.bytes().array(byte[].class).ofMaxSize(4)),
            new Kind("int[]", INTEGER.array(int[].class).ofMaxSize(4)),
            new Kind("List<String>", TEXT.injectNull(0.2).list().ofMaxSize(4)),
            new Kind("List<List<Integer>>", INTEGER.list().ofMaxSize(3).list().ofMaxSize(3)),
            new Kind("Set<String>", TEXT.set().ofMaxSize(4)),
            new Kind(
                    "Map<String, Set<Long>>",
                    Arbitraries.maps(TEXT, Arbitraries.longs().set().ofMaxSize(3))
                            .ofMaxSize(3)));

    Arbitrary<Object> nullable() {
        boolean primitive = Character.isLowerCase(type.charAt(0)) && !type.endsWith("[]");
        return (primitive ? values : values.injectNull(0.1)).map(value -> (Object) value);
    }

    /** An equal value of another identity and, where it has one, in another order. */
    static Object copy(Object value) {
        if (value instanceof String text) {
            return new StringBuilder(text).toString();
        }
        if (value instanceof BigDecimal number) {
            return number.setScale(number.scale() + 3);
        }
        if (value instanceof Optional<?> optional) {
            return optional.map(Kind::copy);
        }
        if (value instanceof byte[] bytes) {
            return bytes.clone();
        }
        if (value instanceof Set<?> set) {
            return new LinkedHashSet<>(backwards(set));
        }
        if (value instanceof List<?> list) {
            return list.stream().map(Kind::copy).collect(java.util.stream.Collectors.toCollection(ArrayList::new));
        }
        if (value instanceof Map<?, ?> map) {
            Map<Object, Object> copy = new LinkedHashMap<>();
            backwards(map.keySet()).forEach(key -> copy.put(copy(key), copy(map.get(key))));
            return copy;
        }
        return value;
    }

    private static List<Object> backwards(Collection<?> values) {
        List<Object> backwards = new ArrayList<>(values);
        Collections.reverse(backwards);
        return backwards;
    }
}
