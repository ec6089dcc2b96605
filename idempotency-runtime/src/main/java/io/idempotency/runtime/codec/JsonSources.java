package io.idempotency.runtime.codec;

import io.idempotency.NotFingerprinted;
import io.idempotency.definition.ElementOrder;
import io.idempotency.definition.ExactClass;
import io.micronaut.core.beans.BeanIntrospection;
import io.micronaut.core.beans.BeanIntrospector;
import io.micronaut.core.beans.BeanProperty;
import io.micronaut.core.type.Argument;
import io.micronaut.json.tree.JsonNode;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.net.URI;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.Currency;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Finds the values that the parts of a JSON tree were made of: JSON does not distinguish a set from a list, but the
 * value does. Matches elements by position and members by the names of an introspected bean's properties.
 */
final class JsonSources {

    private static final List<String> RENAMING = List.of(
            "com.fasterxml.jackson.annotation.JsonProperty", "io.micronaut.serde.config.annotation.SerdeConfig");

    private static final Set<Class<?>> SAME_TEXT_EVERYWHERE = Set.of(
            Boolean.class,
            Character.class,
            Byte.class,
            Short.class,
            Integer.class,
            Long.class,
            BigInteger.class,
            BigDecimal.class,
            UUID.class,
            URI.class,
            Currency.class);

    /** The value in the place of one that is not fingerprinted. */
    private static final Object LEFT_OUT = new Object();

    private JsonSources() {}

    /**
     * A part of a JSON tree.
     *
     * @param source the value that it was made of, null where that is not known
     * @param declared the type that the mapper wrote the source as, null for the source's own class
     */
    record Sourced(
            JsonNode node,
            @Nullable Object source,
            @Nullable Argument<?> declared) {

        /** Tells whether the mapper may have dropped members of the source's own class; proxies add none. */
        boolean mayBeCut() {
            return source != null
                    && declared != null
                    && !(source instanceof Map<?, ?>)
                    && node.isObject()
                    && isAnother(source, declared.getType());
        }
    }

    /** Returns an array's elements with their sources, in the order of the array. */
    static List<Sourced> elements(JsonNode array, @Nullable Object source, @Nullable Argument<?> declared) {
        Argument<?> element = declared == null ? Argument.OBJECT_ARGUMENT : elementOf(declared);
        List<Object> sources = new ArrayList<>();
        if (source instanceof Collection<?> collection) {
            sources.addAll(collection);
        } else if (source instanceof Object[] several) {
            sources.addAll(Arrays.asList(several));
        }
        boolean known = sources.size() == array.size();
        List<Sourced> elements = new ArrayList<>(array.size());
        array.values()
                .forEach(node -> elements.add(new Sourced(node, known ? sources.get(elements.size()) : null, element)));
        return elements;
    }

    private static Argument<?> elementOf(Argument<?> container) {
        return container.getType().isArray()
                ? Argument.of(container.getType().getComponentType())
                : container.getFirstTypeVariable().orElse(Argument.OBJECT_ARGUMENT);
    }

    private record Part(Object value, Argument<?> declared) {}

    /**
     * Returns an object's members with their sources.
     *
     * @throws IllegalStateException when a bean's part that may hold a set cannot be matched to a member of the JSON
     */
    static Map<String, Sourced> members(JsonNode object, @Nullable Object source, @Nullable Argument<?> declared) {
        Map<String, Part> sources = source == null ? Map.of() : parts(source, declared);
        Map<String, Part> unfound = new HashMap<>(sources);
        Map<String, Sourced> members = new HashMap<>();
        boolean lost = false;
        for (Map.Entry<String, JsonNode> member : object.entries()) {
            String canonical = canonical(member.getKey());
            String name = sources.containsKey(member.getKey()) ? member.getKey() : canonical;
            lost |= !sources.containsKey(name) && member.getValue().isContainerNode();
            unfound.remove(name);
            unfound.remove(canonical);
            Part part = sources.get(name);
            if (part == null) {
                members.put(member.getKey(), new Sourced(member.getValue(), null, null));
            } else if (!isLeftOut(part.value())) {
                members.put(member.getKey(), new Sourced(member.getValue(), part.value(), part.declared()));
            }
        }
        if (lost && unfound.values().stream().anyMatch(part -> mayHoldSets(part.value()))) {
            throw new IllegalStateException("one of its properties has another name in JSON, so that nothing can tell"
                    + " whether the order of its elements counts; name it by @JsonProperty");
        }
        return members;
    }

    private static Map<String, Part> parts(Object source, @Nullable Argument<?> declared) {
        Map<String, Part> parts = new HashMap<>();
        if (source instanceof Map<?, ?> map) {
            Argument<?>[] types = declared == null ? new Argument<?>[0] : declared.getTypeParameters();
            Argument<?> held = types.length == 2 ? types[1] : Argument.OBJECT_ARGUMENT;
            map.forEach((key, value) -> put(parts, canonical(memberName(key)), value, held));
            map.forEach((key, value) -> put(parts, memberName(key), value, held)); // keys differ that names do not
        } else if (!(source instanceof JsonNode)) {
            introspection(source)
                    .ifPresent(bean -> bean.getBeanProperties().stream()
                            .filter(property -> !property.isWriteOnly())
                            .forEach(property -> put(
                                    parts,
                                    canonical(name(property)),
                                    property.hasStereotype(NotFingerprinted.class) ? LEFT_OUT : property.get(source),
                                    property.asArgument())));
        }
        return parts;
    }

    /** Tells whether a value is a property's, or of a class, that is marked {@link NotFingerprinted}. */
    static boolean isLeftOut(@Nullable Object value) {
        return value == LEFT_OUT
                || value != null
                        && introspection(value)
                                .filter(type -> type.hasStereotype(NotFingerprinted.class))
                                .isPresent();
    }

    /** Tells whether a bean holds elements without an order, of which an array in its place does not say so. */
    static boolean holdsSets(Object bean) {
        return parts(bean, null).values().stream()
                .anyMatch(part -> part.value() instanceof Collection<?> held && !ElementOrder.counts(held));
    }

    private static void put(Map<String, Part> parts, String name, @Nullable Object value, Argument<?> declared) {
        if (value instanceof Optional<?> optional) {
            optional.ifPresent(held -> put(parts, name, held, elementOf(declared)));
        } else if (value != null) {
            parts.put(name, new Part(value, declared));
        }
    }

    @SuppressWarnings("unchecked") // the introspection of the value's own class
    private static Optional<BeanIntrospection<Object>> introspection(Object value) {
        return BeanIntrospector.SHARED
                .findIntrospection((Class<Object>) value.getClass())
                .filter(found -> !(value instanceof Enum<?>));
    }

    /** Tells whether mappers may write the value as a supertype, because its own class has no introspection. */
    static boolean isOnlyKnownAsSupertype(Object value) {
        return !(value instanceof Enum<?>)
                && BeanIntrospector.SHARED.findIntrospection(value.getClass()).isEmpty()
                && supertypes(value.getClass())
                        .filter(type ->
                                BeanIntrospector.SHARED.findIntrospection(type).isPresent())
                        .anyMatch(type -> isAnother(value, type));
    }

    private static Stream<Class<?>> supertypes(Class<?> type) {
        return Stream.concat(Stream.ofNullable(type.getSuperclass()), Stream.of(type.getInterfaces()))
                .flatMap(each -> Stream.concat(Stream.of(each), supertypes(each)));
    }

    /** Tells whether a value's class differs from a declared one and is not a proxy of it. */
    private static boolean isAnother(Object value, Class<?> declared) {
        try {
            ExactClass.of(value, declared);
            return false;
        } catch (IllegalArgumentException e) {
            return true;
        }
    }

    private static String name(BeanProperty<Object, Object> property) {
        return RENAMING.stream()
                .flatMap(annotation ->
                        property
                                .stringValue(annotation)
                                .or(() -> property.stringValue(annotation, "property"))
                                .stream())
                .filter(name -> !name.isEmpty())
                .findFirst()
                .orElse(property.getName());
    }

    /** Returns one name for a property under all naming strategies: {@code unitPrice}, {@code unit_price}. */
    private static String canonical(String name) {
        return name.replaceAll("[_.\\-]", "").toLowerCase(Locale.ROOT);
    }

    private static boolean mayHoldSets(Object part) {
        return part instanceof Collection<?>
                || part instanceof Map<?, ?>
                || part instanceof Object[]
                || introspection(part).isPresent();
    }

    /**
     * Returns a map key's name as a member, mostly as JSON mappers write it: the same text on every JVM, in every time
     * zone and language.
     *
     * @throws IllegalArgumentException when the key's class promises no such text
     */
    static String memberName(@Nullable Object key) {
        if (key == null || key instanceof CharSequence) {
            return String.valueOf(key);
        }
        if (key instanceof Enum<?> constant) {
            return constant.name();
        }
        if (key instanceof Locale locale) {
            return locale.toLanguageTag();
        }
        if (key instanceof Double || key instanceof Float) {
            return "real(" + Long.toHexString(Double.doubleToLongBits(((Number) key).doubleValue())) + ")";
        }
        if (SAME_TEXT_EVERYWHERE.contains(key.getClass())
                || key.getClass().getPackageName().equals("java.time")) {
            return key.toString();
        }
        throw new IllegalArgumentException(
                "a map with a key of " + key.getClass().getName()
                        + " cannot be part of the arguments' fingerprint: nothing says that its text is the same on every JVM. The"
                        + " body did not run. Give the map texts, numbers, enums or java.time values as keys, declare a closed type"
                        + " where it is passed, or mark that @NotFingerprinted.");
    }
}
