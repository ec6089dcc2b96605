package io.idempotency.runtime.codec;

import io.idempotency.definition.FingerprintWriter;
import io.micronaut.core.beans.BeanIntrospection;
import io.micronaut.core.beans.BeanIntrospector;
import io.micronaut.core.beans.BeanProperty;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Lists the parts of a value, in the order of its beans' properties and its containers' elements. Reads beans by their
 * compiled introspections; a value of a class without one is a single part.
 */
final class ValueTraversal {

    /** More parts than results have; ends the traversal of a cyclic graph. */
    private static final int MOST_PARTS = 10_000;

    private static final int DEEPEST = 100;
    private static final String IGNORED = "com.fasterxml.jackson.annotation.JsonIgnore";

    private final boolean compared;
    private final List<Part> parts = new ArrayList<>();

    /**
     * The place of a part and its class there. A container and its elements have the same place. What is empty may be
     * left out where others of its class are written.
     */
    record Place(Class<?> owner, String member, Class<?> type, boolean empty) {
        @Override
        public String toString() {
            return member.isEmpty() ? "the result itself" : owner.getTypeName() + "." + member;
        }
    }

    /** A part; its content is null where it is not compared or not comparable. */
    record Part(Place place, @Nullable Object content) {

        private String named() {
            return place.type() == Void.class ? "null" : "a " + place.type().getTypeName();
        }

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

    /** Returns the first difference of a value that was read from the first one, for people; null for none. */
    static @Nullable String difference(List<Part> first, List<Part> read) {
        for (int i = 0; i < Math.min(first.size(), read.size()); i++) {
            Part one = first.get(i);
            Part other = read.get(i);
            if (!one.place().equals(other.place())) {
                return one.place() + " was " + one.named() + " and would be " + other.named();
            } else if (!Objects.equals(one.content(), other.content())) {
                return one.place() + " would have another value";
            }
        }
        return first.size() == read.size() ? null : "parts of it would be missing, or new";
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
            part(owner, member, Void.class, false, null);
        } else if (value instanceof Optional<?> optional) {
            part(owner, member, Optional.class, optional.isEmpty(), null);
            optional.ifPresent(held -> add(owner, member, held, depth + 1));
        } else if (value instanceof Set<?> elements) {
            part(owner, member, Set.class, elements.isEmpty(), null);
            unordered(elements, element -> add(owner, member, element, depth + 1));
        } else if (value instanceof Collection<?> elements) {
            part(owner, member, Collection.class, elements.isEmpty(), null);
            elements.forEach(element -> add(owner, member, element, depth + 1));
        } else if (value instanceof Map<?, ?> map) {
            part(owner, member, Map.class, map.isEmpty(), null);
            unordered(map.entrySet(), entry -> {
                add(owner, member, entry.getKey(), depth + 1);
                add(owner, member, entry.getValue(), depth + 1);
            });
        } else if (value instanceof Object[] elements) {
            part(owner, member, value.getClass(), elements.length == 0, null);
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
        boolean empty = value instanceof CharSequence text && text.isEmpty();
        part(owner, member, type, empty, compared ? content(value) : null);
        if (value instanceof Enum<?> || type.getName().startsWith("java.")) {
            return;
        }
        BeanIntrospection<?> bean =
                BeanIntrospector.SHARED.findIntrospection(type).orElse(null);
        for (BeanProperty<?, ?> property : bean == null ? List.<BeanProperty<?, ?>>of() : bean.getBeanProperties()) {
            if (!property.isWriteOnly() && (compared || type.isRecord() || !property.hasAnnotation(IGNORED))) {
                property(type, property, value, depth);
            }
        }
    }

    @SuppressWarnings("unchecked") // the introspection is the value's own
    private void property(Class<?> type, BeanProperty<?, ?> property, Object bean, int depth) {
        Object value;
        try {
            value = ((BeanProperty<Object, Object>) property).get(bean);
        } catch (Throwable e) {
            return; // a getter that fails has no content
        }
        add(type, property.getName(), value, depth + 1);
    }

    private void part(Class<?> owner, String member, Class<?> type, boolean empty, @Nullable Object content) {
        parts.add(new Part(new Place(owner, member, type, empty), content));
    }

    /** Returns the content to compare; null for a class without a natural order, whose equality may mean anything. */
    private static @Nullable Object content(Object value) {
        if (value instanceof BigDecimal number) {
            return FingerprintWriter.stripped(number);
        }
        boolean plain = value instanceof Enum<?>
                || value instanceof Comparable<?> && value.getClass().getName().startsWith("java.");
        return plain ? value : null;
    }
}
