package io.idempotency.processor;

import java.lang.reflect.Array;
import java.lang.reflect.Field;
import java.lang.reflect.Modifier;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** What a value of {@link RandomValues} holds, as a text by reflection: equal values have equal texts, and others have not. */
final class Described {

    private static final String ABSENT = "absent";

    private Described() {}

    static String of(@Nullable Object value) {
        if (value == null) {
            return ABSENT;
        }
        if (value instanceof Optional<?> optional) {
            return optional.map(
                            held -> held instanceof Optional ? List.of(of(held)).toString() : of(held))
                    .orElse(ABSENT);
        }
        if (value instanceof BigDecimal decimal) {
            return decimal.stripTrailingZeros().toString();
        }
        if (value instanceof Enum<?> constant) {
            return constant.name();
        }
        if (value.getClass().isArray()) {
            return IntStream.range(0, Array.getLength(value))
                    .mapToObj(i -> of(Array.get(value, i)))
                    .toList()
                    .toString();
        }
        if (value instanceof Collection<?> collection) {
            Stream<String> texts = collection.stream().map(Described::of);
            return (value instanceof Set ? texts.sorted() : texts).toList().toString();
        }
        if (value instanceof Map<?, ?> map) {
            return map.entrySet().stream()
                    .filter(entry -> !entry.getValue().equals(Optional.empty()))
                    .map(entry -> of(entry.getKey()) + "=" + of(entry.getValue()))
                    .sorted()
                    .toList()
                    .toString();
        }
        return value.getClass().getName().startsWith("java.") ? "'" + value + "'" : state(value);
    }

    private static String state(Object value) {
        List<String> state = new ArrayList<>();
        for (Class<?> type = value.getClass(); type != Object.class; type = type.getSuperclass()) {
            for (Field field : type.getDeclaredFields()) {
                if (!Modifier.isStatic(field.getModifiers()) && !isCache(field)) {
                    state.add(field.getName() + ":" + of(read(field, value)));
                }
            }
        }
        return value.getClass().getSimpleName() + state;
    }

    /** Lombok keeps a hash in {@code $hashCodeCache}, and what a lazy getter made in a reference. */
    private static boolean isCache(Field field) {
        return field.getName().startsWith("$") || field.getType() == AtomicReference.class;
    }

    private static @Nullable Object read(Field field, Object value) {
        try {
            field.setAccessible(true);
            return field.get(value);
        } catch (IllegalAccessException e) {
            throw new AssertionError(e);
        }
    }
}
