package io.idempotency.runtime.codec;

import io.idempotency.runtime.ResultCodec;
import io.idempotency.runtime.UnfaithfulResultException;
import io.micronaut.core.beans.BeanIntrospection;
import io.micronaut.core.beans.BeanIntrospector;
import io.micronaut.core.beans.BeanProperty;
import java.io.IOException;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Decodes and compares each encoded result that has a class at a place where no earlier result of its operation had
 * that class. A result that is not decoded to an equal one must not be replayed.
 */
final class CheckedCodec implements ResultCodec {

    /** The most places known to be faithful, and classes known not to be. Beyond that all results are decoded. */
    private static final int MOST_KNOWN = 10_000;

    private final Set<ValueTraversal.Place> faithful = ConcurrentHashMap.newKeySet();
    private final Set<Class<?>> reported = ConcurrentHashMap.newKeySet();

    private final ResultCodec codec;

    /** Creates a check of a codec whose bytes alone make a duplicate's result. */
    CheckedCodec(ResultCodec codec) {
        this.codec = codec;
    }

    @Override
    public byte[] encode(@Nullable Object value) throws IOException {
        byte[] bytes = codec.encode(value);
        if (value != null && bytes.length > 0) {
            require(value, bytes);
        }
        return bytes;
    }

    @Override
    public byte[] encodeJson(byte[] json) throws IOException {
        return codec.encodeJson(json);
    }

    @Override
    public @Nullable Object decode(byte[] bytes) throws IOException {
        return codec.decode(bytes);
    }

    private void require(Object value, byte[] bytes) throws UnfaithfulResultException {
        List<ValueTraversal.Part> written = ValueTraversal.written(value);
        if (allFaithful(written)) {
            return;
        }
        try {
            String difference = difference(value, bytes);
            if (difference != null) {
                throw unfaithful(value, difference, null);
            }
        } catch (UnfaithfulResultException e) {
            throw e;
        } catch (IOException
                | RuntimeException
                | LinkageError
                | StackOverflowError e) { // a deserializer may throw any of them
            throw unfaithful(
                    value, "what was written cannot be read (" + e.getClass().getName() + ")", e);
        }
        if (faithful.size() < MOST_KNOWN) {
            written.forEach(part -> faithful.add(part.place()));
        }
    }

    /** A loop rather than a stream, because it runs for every result. */
    private boolean allFaithful(List<ValueTraversal.Part> written) {
        for (ValueTraversal.Part part : written) {
            if (!faithful.contains(part.place())) {
                return false;
            }
        }
        return true;
    }

    private UnfaithfulResultException unfaithful(Object value, String difference, @Nullable Throwable cause) {
        Class<?> type = value.getClass();
        boolean first = reported.size() < MOST_KNOWN && reported.add(type);
        return new UnfaithfulResultException(
                "a duplicate would not get a " + type.getTypeName() + " as the first caller did: " + difference,
                first,
                cause);
    }

    private @Nullable String difference(Object value, byte[] bytes) throws IOException {
        Object decoded = codec.decode(bytes);
        byte[] again = codec.encode(decoded);
        List<ValueTraversal.Part> parts = ValueTraversal.all(value);
        String difference = difference(parts, ValueTraversal.all(decoded));
        boolean same = Arrays.equals(bytes, again)
                || parts.stream().anyMatch(ValueTraversal.Part::isUnordered)
                        && Arrays.equals(sorted(bytes), sorted(again));
        return difference == null && !same ? "what was read is written in another way" : difference;
    }

    private static byte[] sorted(byte[] bytes) {
        byte[] sorted = bytes.clone();
        Arrays.sort(sorted);
        return sorted;
    }

    private static @Nullable String difference(List<ValueTraversal.Part> first, List<ValueTraversal.Part> read) {
        for (int i = 0; i < Math.min(first.size(), read.size()); i++) {
            ValueTraversal.Part one = first.get(i);
            ValueTraversal.Part other = read.get(i);
            if (!one.place().equals(other.place())) {
                return one.place() + " was " + named(one) + " and would be " + named(other);
            } else if (!Objects.equals(one.content(), other.content())) {
                return one.place() + " would have another value";
            }
        }
        return first.size() == read.size() ? null : "parts of it would be missing, or new";
    }

    private static String named(ValueTraversal.Part part) {
        Class<?> type = part.place().type();
        return type == Void.class ? "null" : "a " + type.getTypeName();
    }

    /**
     * Lists the parts of a value, in the order of its beans' properties and its containers' elements. Reads beans by their
     * compiled introspections; a value of a class without one is a single part.
     */
    static final class ValueTraversal {

        /** More parts than results have; ends the traversal of a cyclic graph. */
        private static final int MOST_PARTS = 10_000;

        private static final int DEEPEST = 100;
        private static final String IGNORED = "com.fasterxml.jackson.annotation.JsonIgnore";

        private final boolean compared;
        private final List<Part> parts = new ArrayList<>();

        /** The place of a part and its class there. A container and its elements have the same place. */
        record Place(Class<?> owner, String member, Class<?> type) {
            @Override
            public String toString() {
                return member.isEmpty() ? "the result itself" : owner.getTypeName() + "." + member;
            }
        }

        /** A part; its content is null where it is not compared or not comparable. */
        record Part(Place place, @Nullable Object content) {

            /** Tells whether this is a container whose elements have no order. */
            boolean isUnordered() {
                return place.type() == Set.class || place.type() == Map.class;
            }
        }

        private ValueTraversal(boolean compared) {
            this.compared = compared;
        }

        /** Returns the parts that JSON writes, and the components of records, which can be read without side effects. */
        static List<Part> written(@Nullable Object value) {
            return of(value, false);
        }

        /** Returns all parts with content. Reading parts that JSON ignores may load what was not to be loaded twice. */
        static List<Part> all(@Nullable Object value) {
            return of(value, true);
        }

        private static List<Part> of(@Nullable Object value, boolean compared) {
            ValueTraversal found = new ValueTraversal(compared);
            found.add(Object.class, "", value, 0);
            return found.parts;
        }

        private void add(Class<?> owner, String member, @Nullable Object value, int depth) {
            if (parts.size() >= MOST_PARTS || depth > DEEPEST) {
                return;
            }
            if (value == null) {
                part(owner, member, Void.class, null);
            } else if (value instanceof Optional<?> optional) {
                part(owner, member, Optional.class, null);
                optional.ifPresent(held -> add(owner, member, held, depth + 1));
            } else if (value instanceof Set<?> elements) {
                part(owner, member, Set.class, null);
                unordered(elements, element -> add(owner, member, element, depth + 1));
            } else if (value instanceof Collection<?> elements) {
                part(owner, member, Collection.class, null);
                elements.forEach(element -> add(owner, member, element, depth + 1));
            } else if (value instanceof Map<?, ?> map) {
                part(owner, member, Map.class, null);
                unordered(map.entrySet(), entry -> {
                    add(owner, member, entry.getKey(), depth + 1);
                    add(owner, member, entry.getValue(), depth + 1);
                });
            } else if (value instanceof Object[] elements) {
                part(owner, member, value.getClass(), null);
                for (Object element : elements) {
                    add(owner, member, element, depth + 1);
                }
            } else {
                bean(owner, member, value, depth);
            }
        }

        /** Adds elements whose order says nothing: that of a hash table depends on its capacity. */
        private <T> void unordered(Set<T> elements, Consumer<T> add) {
            int first = parts.size();
            List<List<Part>> each = new ArrayList<>();
            for (T element : elements) {
                int start = parts.size();
                add.accept(element);
                each.add(List.copyOf(parts.subList(start, parts.size())));
            }
            if (compared) {
                each.sort(Comparator.comparing(List::toString));
                parts.subList(first, parts.size()).clear();
                each.forEach(parts::addAll);
            }
        }

        private void bean(Class<?> owner, String member, Object value, int depth) {
            Class<?> type = value instanceof Enum<?> constant ? constant.getDeclaringClass() : value.getClass();
            part(owner, member, type, compared ? content(value) : null);
            if (value instanceof Enum<?> || type.getName().startsWith("java.")) {
                return;
            }
            BeanIntrospection<?> bean =
                    BeanIntrospector.SHARED.findIntrospection(type).orElse(null);
            for (BeanProperty<?, ?> property :
                    bean == null ? List.<BeanProperty<?, ?>>of() : bean.getBeanProperties()) {
                if (!property.isWriteOnly() && (compared || type.isRecord() || !property.hasAnnotation(IGNORED))) {
                    property(type, property, value, depth);
                }
            }
        }

        @SuppressWarnings({"unchecked", "CatchingUnchecked"
        }) // the introspection is the value's own; getters are foreign code
        private void property(Class<?> type, BeanProperty<?, ?> property, Object bean, int depth) {
            Object value;
            try {
                value = ((BeanProperty<Object, Object>) property).get(bean);
            } catch (Throwable e) {
                return; // a getter that fails has no content
            }
            add(type, property.getName(), value, depth + 1);
        }

        private void part(Class<?> owner, String member, Class<?> type, @Nullable Object content) {
            parts.add(new Part(new Place(owner, member, type), content));
        }

        /** Returns the content to compare; null for a class without a natural order, whose equality may mean anything. */
        private static @Nullable Object content(Object value) {
            if (value instanceof BigDecimal number) {
                return number.stripTrailingZeros();
            }
            boolean plain = value instanceof Enum<?>
                    || value instanceof Comparable<?>
                            && value.getClass().getName().startsWith("java.");
            return plain ? value : null;
        }
    }
}
