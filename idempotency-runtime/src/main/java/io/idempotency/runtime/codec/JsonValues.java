package io.idempotency.runtime.codec;

import io.idempotency.definition.FingerprintWriter;
import io.idempotency.definition.OpenValues;
import io.micronaut.json.JsonMapper;
import io.micronaut.json.tree.JsonNode;
import jakarta.inject.Singleton;
import java.io.IOException;
import java.util.Arrays;
import java.util.Collection;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Values of open types as the JSON that the application's mapper makes of them: objects in the order of their names and
 * without nulls, numbers by value. Maps and sets are taken apart before the mapper sees them, since it would write a set
 * in an order that may differ from one JVM to the next.
 */
@Singleton
final class JsonValues implements OpenValues {

    private final JsonMapper json;

    JsonValues(ResultJson json) {
        this.json = json.mapper();
    }

    @Override
    public void write(Object value, FingerprintWriter writer) {
        if (value instanceof Map<?, ?> map) {
            object(map, writer);
        } else if (value instanceof Set<?> set) {
            writer.set(set, this::element);
        } else if (value instanceof Collection<?> collection) {
            writer.list(collection, this::element);
        } else if (value instanceof Object[] array) {
            writer.list(Arrays.asList(array), this::element);
        } else if (value instanceof Optional<?> optional) {
            element(optional.orElse(null), writer);
        } else {
            node(value instanceof JsonNode node ? node : tree(value), writer);
        }
    }

    private void element(@Nullable Object element, FingerprintWriter writer) {
        if (element == null) {
            writer.nil();
        } else {
            write(element, writer);
        }
    }

    private void object(Map<?, ?> map, FingerprintWriter writer) {
        Map<String, Object> members = new TreeMap<>();
        map.forEach((key, value) -> {
            if (value != null && members.put(name(key), value) != null) {
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

    /** As JSON mappers name members. */
    private static String name(@Nullable Object key) {
        return key instanceof Enum<?> constant ? constant.name() : Objects.toString(key);
    }

    private void node(@Nullable JsonNode node, FingerprintWriter writer) {
        if (node == null || node.isNull()) {
            writer.nil();
        } else if (node.isString()) {
            writer.text(node.getStringValue());
        } else if (node.isBoolean()) {
            writer.bool(node.getBooleanValue());
        } else if (node.isNumber()) {
            number(node, writer);
        } else if (node.isArray()) {
            writer.list(node.values(), this::node);
        } else {
            members(node, writer);
        }
    }

    private static void number(JsonNode node, FingerprintWriter writer) {
        try {
            writer.decimal(node.getBigDecimalValue());
        } catch (NumberFormatException e) {
            throw refused(node.getNumberValue(), "JSON has no such number", e);
        }
    }

    private void members(JsonNode node, FingerprintWriter writer) {
        Map<String, JsonNode> members = new TreeMap<>();
        node.entries().forEach(member -> {
            if (!member.getValue().isNull()) {
                members.put(member.getKey(), member.getValue());
            }
        });
        writer.begin();
        members.forEach((name, value) -> {
            writer.name(name);
            node(value, writer);
        });
        writer.end();
    }

    private JsonNode tree(Object value) {
        if (OnceOnly.is(value)) {
            throw refused(value, "reading it would use it up, or it is not there yet", null);
        }
        try {
            return json.writeValueToTree(value);
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
