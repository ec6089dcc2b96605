package io.idempotency.runtime.codec;

import io.idempotency.definition.ElementOrder;
import io.idempotency.definition.FingerprintWriter;
import io.idempotency.definition.OpenValues;
import io.idempotency.runtime.codec.JsonSources.Sourced;
import io.micronaut.json.tree.JsonNode;
import jakarta.inject.Singleton;
import java.io.IOException;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Fingerprints values of open types by the JSON that the application's mapper makes of them: objects sorted by name and
 * without nulls, numbers by value, unordered collections without order, because a mapper may write a set in another
 * order on another JVM. Maps and collections are taken apart before the mapper sees them; those inside beans are
 * matched to its JSON.
 */
@Singleton
record JsonValues(ResultJson json) implements OpenValues {

    /** Packages, beside the platform's, of collections that hold nothing but their elements. */
    private static final List<String> LIBRARIES = List.of(
            "java.",
            "kotlin.",
            "kotlinx.",
            "groovy.",
            "org.codehaus.groovy.",
            "scala.",
            "io.micronaut.",
            "io.vavr.",
            "com.google.common.",
            "org.apache.commons.collections4.",
            "org.eclipse.collections.",
            "org.hibernate.collection.");

    @Override
    public void write(Object value, FingerprintWriter writer) {
        requirePlain(value);
        if (value instanceof Map<?, ?> map) {
            object(map, writer);
        } else if (value instanceof Collection<?> collection) {
            writer.elements(collection, this::element);
        } else if (value instanceof Map.Entry<?, ?> entry) {
            writer.list(Arrays.asList(entry.getKey(), entry.getValue()), this::element);
        } else if (value instanceof Object[] array) {
            writer.list(Arrays.asList(array), this::element);
        } else if (value instanceof Optional<?> optional) {
            element(optional.orElse(null), writer);
        } else {
            node(new Sourced(value instanceof JsonNode node ? node : tree(value), value, null), writer);
        }
    }

    private void element(@Nullable Object element, FingerprintWriter writer) {
        if (element == null || JsonSources.isLeftOut(element)) {
            writer.nil();
        } else {
            write(element, writer);
        }
    }

    private void object(Map<?, ?> map, FingerprintWriter writer) {
        Map<String, Object> members = new TreeMap<>();
        map.forEach((key, value) -> {
            Object present = value instanceof Optional<?> optional ? optional.orElse(null) : value;
            if (present != null
                    && !JsonSources.isLeftOut(present)
                    && members.put(JsonSources.memberName(key), present) != null) {
                throw refused(map, "two of its keys are both written '" + key + "'", null);
            }
        });
        writer.begin();
        members.forEach((name, value) -> {
            writer.name(name);
            write(value, writer);
        });
        writer.end();
    }

    private void node(@Nullable Sourced part, FingerprintWriter writer) {
        if (part == null || part.node().isNull() || JsonSources.isLeftOut(part.source())) {
            writer.nil();
            return;
        }
        JsonNode node = part.node();
        if (node.isString()) {
            writer.text(node.getStringValue());
        } else if (node.isBoolean()) {
            writer.bool(node.getBooleanValue());
        } else if (node.isNumber()) {
            writer.decimal(node.getNumberValue());
        } else if (node.isArray()) {
            array(part, writer);
        } else {
            members(part, writer);
        }
    }

    private static void requirePlain(@Nullable Object value) {
        if ((value instanceof Collection<?> || value instanceof Map<?, ?>) && !isPlain(value)) {
            throw refused(
                    value,
                    "its class may hold more than its elements, which alone would be compared; pass a copy in a"
                            + " collection of the platform, or a record that has one",
                    null);
        }
    }

    /** Tells whether a container holds nothing but its elements, which is not known of an application's own class. */
    private static boolean isPlain(Object container) {
        String name = container.getClass().getName();
        return container.getClass().getClassLoader() == null
                || LIBRARIES.stream().anyMatch(name::startsWith);
    }

    private void array(Sourced part, FingerprintWriter writer) {
        requirePlain(part.source());
        List<Sourced> elements = JsonSources.elements(part.node(), part.source(), part.declared());
        if (part.source() != null
                && !(part.source() instanceof Collection<?>)
                && elements.size() > 1
                && JsonSources.holdsSets(part.source())) {
            throw refused(
                    part.source(), "its JSON is an array, and whether the order of that counts is not known", null);
        }
        if (part.source() instanceof Collection<?> source && !ElementOrder.counts(source)) {
            writer.set(elements, this::node);
        } else {
            writer.list(elements, this::node);
        }
    }

    /** Returns the part written as its own class, if the mapper wrote the declared type and dropped members. */
    private Sourced whole(Sourced part) {
        Object source = part.source();
        if (source == null || !part.mayBeCut()) {
            return part;
        }
        JsonNode own = tree(source);
        for (Map.Entry<String, JsonNode> member :
                own.isObject() ? own.entries() : List.<Map.Entry<String, JsonNode>>of()) {
            if (!member.getValue().isNull() && part.node().get(member.getKey()) == null) {
                return new Sourced(own, source, null);
            }
        }
        return part;
    }

    private void members(Sourced written, FingerprintWriter writer) {
        Sourced part = whole(written);
        requirePlain(part.source());
        Map<String, Sourced> members;
        try {
            members = new TreeMap<>(JsonSources.members(part.node(), part.source(), part.declared()));
        } catch (IllegalStateException e) {
            throw refused(Objects.requireNonNullElse(part.source(), part.node()), String.valueOf(e.getMessage()), e);
        }
        writer.begin();
        members.forEach((name, value) -> {
            if (!value.node().isNull()) {
                writer.name(name);
                node(value, writer);
            }
        });
        writer.end();
    }

    private JsonNode tree(Object value) {
        if (SingleUseTypes.isType(value.getClass())) {
            throw refused(value, "reading it would use it up, or it is not there yet", null);
        } else if (JsonSources.isOnlyKnownAsSupertype(value)) {
            throw refused(
                    value, "only a type that it inherits from is known, and what its own class adds is not", null);
        }
        try {
            return json.mapper().writeValueToTree(value);
        } catch (IOException | RuntimeException | StackOverflowError e) {
            throw refused(value, "JSON cannot say what it holds (" + e + ")", e);
        }
    }

    private static IllegalArgumentException refused(Object value, String why, @Nullable Throwable cause) {
        return new IllegalArgumentException(
                "a " + value.getClass().getName() + " cannot be part of the arguments' fingerprint: " + why
                        + ". The body did not run. Have the JSON mapper know its class (@Serdeable), declare a closed"
                        + " type where it is passed, or mark that @NotFingerprinted.",
                cause);
    }
}
