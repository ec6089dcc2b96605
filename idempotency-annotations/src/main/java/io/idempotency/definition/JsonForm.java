package io.idempotency.definition;

import java.util.Map;
import java.util.TreeMap;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * How the nodes of a JSON tree are read. Generated code makes one of a library's own methods, so that nothing here depends
 * on the library: {@code isX} says whether a node is an X, and the function beside it reads what such a node holds.
 *
 * @param <T> the class of every node
 */
public record JsonForm<T>(
        Function<T, Boolean> isNull,
        Function<T, Boolean> isText,
        Function<T, String> text,
        Function<T, Boolean> isBoolean,
        Function<T, Boolean> bool,
        Function<T, Boolean> isNumber,
        Function<T, Number> number,
        Function<T, Boolean> isArray,
        Function<T, Iterable<T>> elements,
        Function<T, Boolean> isObject,
        Function<T, Iterable<Map.Entry<String, T>>> entries) {

    /** Writes the tree below a node; null is written as JSON's null. */
    public void write(@Nullable T value, FingerprintWriter writer) {
        if (value == null || isNull.apply(value)) {
            writer.nil();
        } else if (isText.apply(value)) {
            writer.text(text.apply(value));
        } else if (isBoolean.apply(value)) {
            writer.bool(bool.apply(value));
        } else if (isNumber.apply(value)) {
            writer.decimal(number.apply(value));
        } else if (isArray.apply(value)) {
            writer.list(elements.apply(value), this::write);
        } else if (isObject.apply(value)) {
            object(value, writer);
        } else {
            throw new IllegalArgumentException(
                    "A JSON node of " + value.getClass().getName()
                            + " cannot be fingerprinted. The body did not run. Give it a text, number, truth value,"
                            + " array or object.");
        }
    }

    private void object(T value, FingerprintWriter writer) {
        Map<String, T> fields = new TreeMap<>();
        for (Map.Entry<String, T> field : entries.apply(value)) {
            if (!isNull.apply(field.getValue())) {
                fields.put(field.getKey(), field.getValue());
            }
        }
        writer.begin();
        fields.forEach((name, field) -> {
            writer.name(name);
            write(field, writer);
        });
        writer.end();
    }
}
