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
import java.util.Random;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * A type that a property can have, and its values.
 *
 * @param type as source code declares it
 * @param values makes one of its values
 */
record Kind(String type, Function<Random, Object> values) {

    /** Values at the edges, which chance alone hardly ever finds. */
    private static final List<Integer> INTEGERS = List.of(0, 1, -1, Integer.MIN_VALUE, Integer.MAX_VALUE);

    private static final List<Long> LONGS = List.of(0L, 1L, -1L, Long.MIN_VALUE, Long.MAX_VALUE);

    private static final List<Double> DOUBLES =
            List.of(0.0, -0.0, 1.0, Double.NaN, Double.MIN_VALUE, Double.MAX_VALUE, Double.POSITIVE_INFINITY);

    /** One of each. */
    static final List<Kind> ALL = List.of(
            new Kind("boolean", Random::nextBoolean),
            new Kind("int", Kind::integer),
            new Kind("long", Kind::longer),
            new Kind("double", random -> mostly(random, DOUBLES, random::nextGaussian)),
            new Kind("char", random -> (char) random.nextInt(Character.MAX_VALUE + 1)),
            new Kind("String", Kind::text),
            new Kind("Integer", Kind::integer),
            new Kind("Float", random -> Float.intBitsToFloat(random.nextInt())),
            new Kind(
                    "BigDecimal",
                    random -> BigDecimal.valueOf(random.nextInt(1801) - 900, random.nextInt(3))
                            .stripTrailingZeros()),
            new Kind("BigInteger", random -> BigInteger.valueOf(longer(random))),
            new Kind("Instant", random -> Instant.ofEpochSecond(random.nextInt(Integer.MAX_VALUE))),
            new Kind("LocalDate", random -> LocalDate.ofEpochDay(random.nextInt(20_000) - 9_999)),
            new Kind("UUID", random -> new UUID(0, longer(random))),
            new Kind("TimeUnit", random -> one(random, List.of(TimeUnit.values()))),
            new Kind("Optional<String>", random -> Optional.of(text(random))),
            new Kind("byte[]", Kind::bytes),
            new Kind(
                    "int[]",
                    random -> IntStream.generate(() -> integer(random))
                            .limit(random.nextInt(5))
                            .toArray()),
            new Kind("List<String>", random -> list(random, 4, () -> random.nextInt(5) == 0 ? null : text(random))),
            new Kind("List<List<Integer>>", random -> list(random, 3, () -> list(random, 3, () -> integer(random)))),
            new Kind("Set<String>", random -> new LinkedHashSet<>(list(random, 4, () -> text(random)))),
            new Kind("Map<String, Set<Long>>", Kind::map));

    /** A value, or now and then null where there can be one. */
    Object any(Random random) {
        boolean primitive = Character.isLowerCase(type.charAt(0)) && !type.endsWith("[]");
        return !primitive && random.nextInt(10) == 0 ? null : values.apply(random);
    }

    private static <T> T mostly(Random random, List<T> edges, Supplier<T> others) {
        return random.nextInt(3) == 0 ? one(random, edges) : others.get();
    }

    private static <T> T one(Random random, List<T> values) {
        return values.get(random.nextInt(values.size()));
    }

    private static Integer integer(Random random) {
        return mostly(random, INTEGERS, random::nextInt);
    }

    private static Long longer(Random random) {
        return mostly(random, LONGS, random::nextLong);
    }

    /** Letters that look like the encoding's own, and any others; no lone surrogates. */
    private static String text(Random random) {
        return Stream.generate(() -> random.nextBoolean() ? random.nextInt(128) : random.nextInt(0xD800))
                .limit(random.nextInt(5))
                .map(Character::toString)
                .collect(Collectors.joining());
    }

    private static byte[] bytes(Random random) {
        byte[] bytes = new byte[random.nextInt(5)];
        random.nextBytes(bytes);
        return bytes;
    }

    private static <T> List<T> list(Random random, int atMost, Supplier<T> element) {
        return Stream.generate(element)
                .limit(random.nextInt(atMost + 1))
                .collect(Collectors.toCollection(ArrayList::new));
    }

    private static Map<String, Set<Long>> map(Random random) {
        Map<String, Set<Long>> map = new LinkedHashMap<>();
        list(random, 3, () -> text(random))
                .forEach(key -> map.put(key, new LinkedHashSet<>(list(random, 3, () -> longer(random)))));
        return map;
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
            return list.stream().map(Kind::copy).collect(Collectors.toCollection(ArrayList::new));
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
