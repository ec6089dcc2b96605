package io.idempotency.runtime;

import java.util.Locale;
import java.util.regex.Pattern;

/** The format that a key of the {@code Idempotency-Key} header must have. */
public enum KeyFormat {
    /** Any printable text. */
    ANY("any text", ".+"),
    /** A UUID of any version, in its form of 36 characters; upper and lower case are the same key. */
    UUID("a UUID", "[0-9a-fA-F]{8}(-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}"),
    /** A random UUID (version 4). */
    UUID4(
            "a random UUID (version 4)",
            "[0-9a-fA-F]{8}-[0-9a-fA-F]{4}-4[0-9a-fA-F]{3}-[89abAB][0-9a-fA-F]{3}-[0-9a-fA-F]{12}");

    private final String description;
    private final Pattern form;

    KeyFormat(String description, String form) {
        this.description = description;
        this.form = Pattern.compile(form);
    }

    /** Returns the description for messages, for instance {@code a UUID}. */
    public String description() {
        return description;
    }

    /** Tells whether a key, without quotes, has this format. */
    public boolean permits(String key) {
        return this == ANY || form.matcher(key).matches();
    }

    /** Returns the same text for all spellings of a key: the key itself, a UUID in lower case. */
    public String canonical(String key) {
        return this == ANY ? key : key.toLowerCase(Locale.ROOT);
    }
}
