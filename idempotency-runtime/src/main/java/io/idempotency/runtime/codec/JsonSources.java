package io.idempotency.runtime.codec;

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
 * Finds the parts of a value that parts of its JSON were made of: JSON does not tell a set from a list, but the value does. They
 * are found by the order of elements and by the names of an introspected bean's properties.
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

    private JsonSources() {}

    /**
     * A part of a JSON tree.
     *
     * @param source what it was made of, null where it is not known
     * @param declared as what the mapper wrote it, null where that is its own class
     */
    record Sourced(
            JsonNode node,
            @Nullable Object source,
            @Nullable Argument<?> declared) {

        /** Whether the mapper may have left out what the source's own class adds; proxies add nothing. */
        boolean mayBeCut() {
            return source != null
                    && declared != null
                    && !(source instanceof Map<?, ?>)
                    && node.isObject()
                    && isAnother(source, declared.getType());
        }
    }

    /** The elements of an array with their sources, in a collection that is ordered only if the source is. */
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

    /** A part of a bean or map, as which it is declared. */
    private record Part(Object value, Argument<?> declared) {}

    /**
     * The members of an object with their sources.
     *
     * @throws IllegalStateException when a part of a bean that may hold a set is somewhere in the JSON, and it is not known where
     */
    static Map<String, Sourced> members(JsonNode object, @Nullable Object source, @Nullable Argument<?> declared) {
        Map<String, Part> sources = source == null ? Map.of() : parts(source, declared);
        Map<String, Part> unfound = new HashMap<>(sources);
        Map<String, Sourced> members = new HashMap<>();
        boolean lost = false;
        for (Map.Entry<String, JsonNode> member : object.entries()) {
            String name = canonical(member.getKey());
            lost |= !sources.containsKey(name) && member.getValue().isContainerNode();
            unfound.remove(name);
            Part part = sources.get(name);
            members.put(
                    member.getKey(),
                    part == null
                            ? new Sourced(member.getValue(), null, null)
                            : new Sourced(member.getValue(), part.value(), part.declared()));
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
            map.forEach((key, value) -> put(parts, memberName(key), value, held));
        } else if (!(source instanceof JsonNode)) {
            introspection(source)
                    .ifPresent(bean -> bean.getBeanProperties().stream()
                            .filter(property -> !property.isWriteOnly())
                            .forEach(property ->
                                    put(parts, name(property), property.get(source), property.asArgument())));
        }
        return parts;
    }

    private static void put(Map<String, Part> parts, String name, @Nullable Object value, Argument<?> declared) {
        if (value instanceof Optional<?> optional) {
            optional.ifPresent(held -> put(parts, name, held, elementOf(declared)));
        } else if (value != null) {
            parts.put(canonical(name), new Part(value, declared));
        }
    }

    @SuppressWarnings("unchecked") // the introspection of the value's own class
    private static Optional<BeanIntrospection<Object>> introspection(Object value) {
        return BeanIntrospector.SHARED
                .findIntrospection((Class<Object>) value.getClass())
                .filter(found -> !(value instanceof Enum<?>));
    }

    /** Whether mappers may write the value as a type that it inherits from, for want of an introspection of its own class. */
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

    /** Whether a value is of another class than a declared one, and no proxy for one of that class. */
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

    /** The same for every strategy by which mappers rename properties: {@code unitPrice}, {@code unit_price}, {@code UnitPrice}. */
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
     * Names the key of a map as a member, mostly as JSON mappers do: a text that is the same on every JVM, in every time zone
     * and language.
     *
     * @throws IllegalArgumentException when its class promises no text that is the same everywhere
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
