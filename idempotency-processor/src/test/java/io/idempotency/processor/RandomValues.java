package io.idempotency.processor;

import java.lang.reflect.Array;
import java.lang.reflect.Constructor;
import java.lang.reflect.GenericArrayType;
import java.lang.reflect.Method;
import java.lang.reflect.ParameterizedType;
import java.lang.reflect.Type;
import java.lang.reflect.TypeVariable;
import java.lang.reflect.WildcardType;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.UUID;
import java.util.function.IntFunction;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Values of any types that {@link RandomTypes} writes: the same ones for the same seed, in any JVM. */
final class RandomValues {

    private static final int DEEP = 8;

    private static final Map<Class<?>, IntFunction<Object>> LEAVES = Map.ofEntries(
            Map.entry(String.class, number -> "sıI" + number),
            Map.entry(int.class, number -> number),
            Map.entry(Integer.class, number -> number),
            Map.entry(boolean.class, number -> number % 2 == 0),
            Map.entry(Boolean.class, number -> number % 2 == 0),
            Map.entry(char.class, number -> (char) ('a' + number)),
            Map.entry(Character.class, number -> (char) ('a' + number)),
            Map.entry(double.class, number -> number / 8.0),
            Map.entry(Double.class, number -> number / 8.0),
            Map.entry(BigDecimal.class, number -> new BigDecimal(number + ".500")),
            Map.entry(BigInteger.class, number -> BigInteger.TWO.pow(70 + number)),
            Map.entry(UUID.class, number -> new UUID(1, number)),
            Map.entry(Instant.class, Instant::ofEpochSecond),
            Map.entry(LocalDate.class, LocalDate::ofEpochDay),
            Map.entry(Duration.class, Duration::ofMillis),
            Map.entry(Locale.class, number -> new Locale("a" + (char) ('a' + number))));

    private static final ClassValue<Constructor<?>> CONSTRUCTORS = new ClassValue<>() {
        @Override
        protected Constructor<?> computeValue(Class<?> type) {
            Constructor<?> constructor = type.getDeclaredConstructors()[0];
            constructor.setAccessible(true);
            return constructor;
        }
    };

    /** The parameters of each class's constructor: to read them from the class file takes longer than all the rest. */
    private static final ClassValue<Type[]> PARAMETERS = new ClassValue<>() {
        @Override
        protected Type[] computeValue(Class<?> type) {
            return CONSTRUCTORS.get(type).getGenericParameterTypes();
        }
    };

    private final Random random;
    private final int changed;
    private int leaves;

    private RandomValues(long seed, int changed) {
        this.random = new Random(seed);
        this.changed = changed;
    }

    /** Arguments of an operation. */
    static @Nullable Object[] arguments(Class<?> payments, String operation, long seed) {
        return arguments(payments, operation, seed, -1);
    }

    /** The arguments of a seed with another value in the place of one: the first that is a number, a text… is 0. */
    static @Nullable Object[] arguments(Class<?> payments, String operation, long seed, int changed) {
        RandomValues values = new RandomValues(seed, changed);
        Method method = Arrays.stream(payments.getDeclaredMethods())
                .filter(each -> each.getName().equals(operation))
                .findFirst()
                .orElseThrow();
        return Arrays.stream(method.getGenericParameterTypes())
                .map(type -> values.of(type, Map.of(), 0))
                .toArray();
    }

    private Object of(Type type, Map<String, Supplier<Object>> variables, int depth) {
        if (type instanceof WildcardType wildcard) {
            return of(wildcard.getUpperBounds()[0], variables, depth);
        }
        if (type instanceof TypeVariable<?> variable) {
            return variables.get(variable.getName()).get();
        }
        if (type instanceof GenericArrayType array) {
            return of(array.getGenericComponentType(), variables, depth);
        }
        if (type instanceof ParameterizedType parameterized) {
            Class<?> raw = (Class<?>) parameterized.getRawType();
            Type[] arguments = parameterized.getActualTypeArguments();
            Supplier<Object> last = () -> of(arguments[arguments.length - 1], variables, depth + 1);
            return raw.getName().startsWith("java.")
                    ? container(raw, () -> of(arguments[0], variables, depth + 1), last, depth)
                    : instance(raw, Map.of("T", last), depth);
        }
        return simple((Class<?>) type, depth);
    }

    private Object container(Class<?> raw, Supplier<Object> first, Supplier<Object> last, int depth) {
        int size = depth > DEEP ? 0 : random.nextInt(3);
        if (raw == Optional.class) {
            return size == 0 ? Optional.empty() : Optional.of(last.get());
        }
        if (raw == Map.class) {
            Map<Object, Object> map = new HashMap<>();
            for (int i = 0; i < size; i++) {
                map.put(first.get(), last.get());
            }
            return Map.copyOf(map);
        }
        List<Object> list = Stream.generate(last).limit(size).toList();
        return raw == Set.class ? Set.copyOf(new HashSet<>(list)) : list;
    }

    private Object simple(Class<?> type, int depth) {
        if (type.isArray()) {
            Object array = Array.newInstance(type.getComponentType(), random.nextInt(3));
            for (int i = 0; i < Array.getLength(array); i++) {
                Array.set(array, i, element(type.getComponentType(), depth));
            }
            return array;
        }
        if (type.isEnum()) {
            return type.getEnumConstants()[leaf() % type.getEnumConstants().length];
        }
        IntFunction<Object> known = LEAVES.get(type);
        return known == null ? instance(type, Map.of(), depth) : known.apply(leaf());
    }

    private Object element(Class<?> type, int depth) {
        return type == byte.class
                ? (Object) (byte) leaf()
                : type == long.class ? (Object) (long) leaf() : simple(type, depth);
    }

    private int leaf() {
        int value = random.nextInt(9);
        return leaves++ == changed ? value + 1 : value;
    }

    private Object instance(Class<?> type, Map<String, Supplier<Object>> variables, int depth) {
        Class<?> concrete = type;
        if (type.isSealed()) {
            // the generic ones are of any type argument
            List<Class<?>> generic = Arrays.stream(type.getPermittedSubclasses())
                    .filter(each -> each.getTypeParameters().length > 0)
                    .toList();
            concrete = generic.get(random.nextInt(generic.size()));
        }
        Constructor<?> constructor = CONSTRUCTORS.get(concrete);
        Object[] arguments = Arrays.stream(PARAMETERS.get(concrete))
                .map(each -> isAbsent(each) ? null : of(each, variables, depth + 1))
                .toArray();
        try {
            return constructor.newInstance(arguments);
        } catch (ReflectiveOperationException e) {
            throw new AssertionError(e);
        }
    }

    private boolean isAbsent(Type type) {
        boolean mayBe = type instanceof Class<?> it && !it.isPrimitive();
        return mayBe && random.nextInt(10) == 0;
    }
}
