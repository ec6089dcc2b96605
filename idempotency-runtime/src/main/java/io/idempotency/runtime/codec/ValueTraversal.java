package io.idempotency.runtime.codec;

import io.micronaut.core.beans.BeanIntrospection;
import io.micronaut.core.beans.BeanIntrospector;
import io.micronaut.core.beans.BeanProperty;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Lists the parts of a value, in the order in which its beans and containers give them. Beans are read by their introspections, which
 * the compiler made; a class without one is a part as a whole.
 */
final class ValueTraversal {

    /** More than results have; a graph that turns back on itself ends here. */
    private static final int MOST_PARTS = 10_000;

    private static final int DEEPEST = 100;
    private static final String IGNORED = "com.fasterxml.jackson.annotation.JsonIgnore";

    private final boolean compared;
    private final List<Part> parts = new ArrayList<>();

    /** Where a part is, and of which class it is there. A container and its elements are at the same place. */
    record Place(Class<?> owner, String member, Class<?> type) {
        @Override
        public String toString() {
            return member.isEmpty() ? "the result itself" : owner.getTypeName() + "." + member;
        }
    }

    /** A part; its content where that is to be compared, and can be. */
    record Part(Place place, @Nullable Object content) {}

    private ValueTraversal(boolean compared) {
        this.compared = compared;
    }

    /** The parts that JSON writes, and components of records, which are read without consequences. */
    static List<Part> written(@Nullable Object value) {
        return of(value, false);
    }

    /** All parts, for a comparison; reading one that JSON ignores may load what an application did not want to load twice. */
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
        } else if (value instanceof Collection<?> elements) {
            part(owner, member, Collection.class, null);
            elements.forEach(element -> add(owner, member, element, depth + 1));
        } else if (value instanceof Map<?, ?> map) {
            part(owner, member, Map.class, null);
            map.forEach((key, held) -> {
                add(owner, member, key, depth + 1);
                add(owner, member, held, depth + 1);
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

    private void bean(Class<?> owner, String member, Object value, int depth) {
        Class<?> type = value instanceof Enum<?> constant ? constant.getDeclaringClass() : value.getClass();
        part(owner, member, type, compared ? content(value) : null);
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

    /** The content to compare; null for a class without a natural order, whose equality may be anything. */
    private static @Nullable Object content(Object value) {
        if (value instanceof BigDecimal number) {
            return number.stripTrailingZeros();
        }
        boolean plain = value instanceof Enum<?>
                || value instanceof Comparable<?> && value.getClass().getName().startsWith("java.");
        return plain ? value : null;
    }
}
