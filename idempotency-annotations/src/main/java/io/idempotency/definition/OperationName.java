package io.idempotency.definition;

import java.util.regex.Pattern;

/** What an operation may be called, wherever its name is written: it becomes a configuration key and a metric tag. */
public final class OperationName {

    /** The longest name, in characters. */
    public static final int MAX_LENGTH = 100;

    private static final Pattern KEBAB_CASE = Pattern.compile("[a-z][a-z0-9]*(-[a-z0-9]+)*");

    private OperationName() {}

    /** Whether a name of any length is kebab-case, as {@code charge-payment} is. */
    public static boolean isKebabCase(String name) {
        return KEBAB_CASE.matcher(name).matches();
    }
}
