package io.idempotency.runtime.codec;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.net.URI;
import java.util.Currency;
import java.util.Locale;
import java.util.Set;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** The keys of maps as the names of members: texts that are the same on every JVM, in every time zone and language. */
final class MemberNames {

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

    private MemberNames() {}

    /**
     * Names a key, most of them as JSON mappers do.
     *
     * @throws IllegalArgumentException when its class promises no text that is the same everywhere
     */
    static String of(@Nullable Object key) {
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
