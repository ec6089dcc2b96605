package io.idempotency.runtime.codec;

import io.micronaut.core.beans.BeanIntrospection;
import io.micronaut.core.beans.BeanIntrospector;
import io.micronaut.core.beans.BeanProperty;
import io.micronaut.json.tree.JsonNode;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * What the JSON of a value was made of. JSON does not tell a set from a list, but the value does: its parts are found again
 * by the order of elements and by the names of an introspected bean's properties.
 */
final class JsonSources {

    private static final List<String> RENAMING = List.of(
            "com.fasterxml.jackson.annotation.JsonProperty", "io.micronaut.serde.config.annotation.SerdeConfig");

    private JsonSources() {}

    /**
     * A part of a JSON tree.
     *
     * @param node the part
     * @param source what it was made of, null where nobody knows
     */
    record Sourced(JsonNode node, @Nullable Object source) {}

    /** The elements of an array with their sources, in a collection that is ordered only if the source is. */
    static List<Sourced> elements(JsonNode array, @Nullable Object source) {
        List<Object> sources = new ArrayList<>();
        if (source instanceof Collection<?> collection) {
            sources.addAll(collection);
        } else if (source instanceof Object[] several) {
            sources.addAll(Arrays.asList(several));
        }
        boolean known = sources.size() == array.size();
        List<Sourced> elements = new ArrayList<>(array.size());
        array.values().forEach(node -> elements.add(new Sourced(node, known ? sources.get(elements.size()) : null)));
        return elements;
    }

    /**
     * The members of an object with their sources.
     *
     * @throws IllegalStateException when a part of a bean that may hold a set is somewhere in the JSON, and nobody knows where
     */
    static Map<String, Sourced> members(JsonNode object, @Nullable Object source) {
        Map<String, Object> sources = source == null ? Map.of() : parts(source);
        Map<String, Object> unfound = new HashMap<>(sources);
        Map<String, Sourced> members = new HashMap<>();
        boolean lost = false;
        for (Map.Entry<String, JsonNode> member : object.entries()) {
            String name = canonical(member.getKey());
            lost |= !sources.containsKey(name) && member.getValue().isContainerNode();
            unfound.remove(name);
            members.put(member.getKey(), new Sourced(member.getValue(), sources.get(name)));
        }
        if (lost && unfound.values().stream().anyMatch(JsonSources::mayHoldSets)) {
            throw new IllegalStateException("one of its properties has another name in JSON, so that nobody can tell"
                    + " whether the order of its elements counts; name it by @JsonProperty");
        }
        return members;
    }

    private static Map<String, Object> parts(Object source) {
        Map<String, Object> parts = new HashMap<>();
        if (source instanceof Map<?, ?> map) {
            map.forEach((key, value) -> put(parts, MemberNames.of(key), value));
        } else if (!(source instanceof JsonNode)) {
            introspection(source)
                    .ifPresent(bean -> bean.getBeanProperties().stream()
                            .filter(property -> !property.isWriteOnly())
                            .forEach(property -> put(parts, name(property), property.get(source))));
        }
        return parts;
    }

    private static void put(Map<String, Object> parts, String name, @Nullable Object value) {
        Object part = value instanceof Optional<?> optional ? optional.orElse(null) : value;
        if (part != null) {
            parts.put(canonical(name), part);
        }
    }

    @SuppressWarnings("unchecked") // the introspection of the value's own class
    private static Optional<BeanIntrospection<Object>> introspection(Object value) {
        return BeanIntrospector.SHARED
                .findIntrospection((Class<Object>) value.getClass())
                .filter(found -> !(value instanceof Enum<?>));
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
}
