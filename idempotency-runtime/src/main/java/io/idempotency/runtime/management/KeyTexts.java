package io.idempotency.runtime.management;

import io.idempotency.definition.CanonicalKey;
import io.idempotency.definition.KeySource;
import io.idempotency.runtime.KeyFormat;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.UUID;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * The canonical forms that a key typed by an operator may have. An operation's definition does not tell the type of its
 * key, but keys have one type: at most one of these texts has a record.
 */
final class KeyTexts {

    /** Types whose text is canonical as typed. {@link #of} converts the texts of other types. */
    private static final List<String> TAGS = List.of(
            ("enum boolean char uri url locale currency zone instant date time date-time offset-date-time offset-time"
                            + " zoned-date-time year year-month month-day duration period epoch-millis bytes float double")
                    .split(" "));

    private KeyTexts() {}

    /** Returns the forms of a key; {@code header} tells whether a client sends it in a header, in quotes perhaps. */
    static Set<String> of(String typed, KeySource source, boolean header, KeyFormat format) {
        Set<@Nullable String> texts = new LinkedHashSet<>();
        String key = header ? unquoted(typed) : typed;
        texts.add(CanonicalKey.text(header && format.permits(key) ? format.canonical(key) : key));
        if (source != KeySource.HEADER) {
            texts.add(typed("integer", key, text -> new BigInteger(text).toString()));
            texts.add(typed(
                    "decimal",
                    key,
                    text -> new BigDecimal(text).stripTrailingZeros().toString()));
            texts.add(typed("uuid", key, text -> UUID.fromString(text).toString()));
            TAGS.forEach(tag -> texts.add(CanonicalKey.typed(tag, key)));
            texts.add(typed); // already canonical, for instance a key of several parts
        }
        texts.removeIf(Objects::isNull);
        return texts;
    }

    private static @Nullable String typed(String tag, String key, UnaryOperator<String> canonical) {
        try {
            return CanonicalKey.typed(tag, canonical.apply(key));
        } catch (IllegalArgumentException | ArithmeticException e) {
            return null; // not a key of this type
        }
    }

    /** Removes the quotes of the draft's form, a quoted string, which means the same key as the bare one. */
    private static String unquoted(String key) {
        String sent = key.strip();
        boolean quoted = sent.length() > 1 && sent.startsWith("\"") && sent.endsWith("\"");
        return quoted ? sent.substring(1, sent.length() - 1).replaceAll("\\\\(.)", "$1") : sent;
    }
}
