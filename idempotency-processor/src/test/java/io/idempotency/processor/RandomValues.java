package io.idempotency.processor;

import java.lang.reflect.Array;
import java.lang.reflect.Constructor;
import java.lang.reflect.GenericArrayType;
import java.lang.reflect.ParameterizedType;
import java.lang.reflect.Type;
import java.lang.reflect.TypeVariable;
import java.lang.reflect.WildcardType;
import java.math.BigDecimal;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.UUID;

/** Values of any types that {@link RandomTypes} writes. */
record RandomValues(Random random) {

    Object of(Type type, Map<String, Type> variables) {
        if (type instanceof WildcardType wildcard) {
            return of(wildcard.getUpperBounds()[0], variables);
        }
        if (type instanceof TypeVariable<?> variable) {
            return of(variables.getOrDefault(variable.getName(), String.class), variables);
        }
        if (type instanceof GenericArrayType array) {
            return of(array.getGenericComponentType(), variables);
        }
        if (type instanceof ParameterizedType parameterized) {
            Class<?> raw = (Class<?>) parameterized.getRawType();
            Type last = parameterized.getActualTypeArguments()[parameterized.getActualTypeArguments().length - 1];
            if (raw.getName().startsWith("java.")) {
                return container(raw, of(last, variables));
            }
            Type bound = last instanceof TypeVariable<?> variable ? variables.get(variable.getName()) : last;
            return instance(raw, Map.of("T", bound));
        }
        return simple((Class<?>) type);
    }

    private static Object container(Class<?> raw, Object value) {
        return raw == List.class
                ? List.of(value)
                : raw == Set.class ? Set.of(value) : raw == Map.class ? Map.of("k", value) : Optional.of(value);
    }

    private Object simple(Class<?> type) {
        if (type.isArray()) {
            return Array.newInstance(type.getComponentType(), random.nextInt(3));
        }
        if (type.isEnum()) {
            return type.getEnumConstants()[random.nextInt(type.getEnumConstants().length)];
        }
        Map<Class<?>, Object> known = new HashMap<>(Map.of(
                String.class, "s" + random.nextInt(9),
                int.class, random.nextInt(),
                Integer.class, random.nextInt(),
                boolean.class, random.nextBoolean(),
                Boolean.class, random.nextBoolean(),
                BigDecimal.class, BigDecimal.valueOf(random.nextInt()),
                UUID.class, new UUID(1, random.nextInt()),
                Instant.class, Instant.ofEpochSecond(random.nextInt(9))));
        Object value = known.get(type);
        return value == null ? instance(type, Map.of()) : value;
    }

    private Object instance(Class<?> type, Map<String, Type> variables) {
        Class<?> concrete = type;
        if (type.isSealed()) {
            concrete = type.getPermittedSubclasses()[1]; // the generic one, of any type argument
        }
        Constructor<?> constructor = concrete.getDeclaredConstructors()[0];
        Type[] parameters = constructor.getGenericParameterTypes();
        Object[] arguments = new Object[parameters.length];
        for (int i = 0; i < arguments.length; i++) {
            arguments[i] = of(parameters[i], variables);
        }
        try {
            return constructor.newInstance(arguments);
        } catch (ReflectiveOperationException e) {
            throw new AssertionError(e);
        }
    }
}
