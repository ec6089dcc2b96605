package io.idempotency.runtime.config;

import java.math.BigDecimal;
import java.nio.Buffer;
import java.time.Instant;
import java.util.Collection;
import java.util.Date;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** The text of a key that an expression evaluates to: the same in every JVM for equal values. */
public final class ExpressionKey {

    /** The most digits before or after the point of a number without an exponent. */
    private static final int PLAIN = 100;

    /**
     * What {@link Object#toString} writes of a part: the name of an array's type or of one in a package, and a hash. One hash
     * of 2,000 has fewer than six digits and is not recognised: so few may be a version's number, as in {@code a.b@17}.
     */
    private static final Pattern IDENTITY =
            Pattern.compile("(?:\\[[BCDFIJSZ]|\\w\\.[\\w$.;/]+)@[0-9a-f]{6,8}(?![\\w.@-])");

    private ExpressionKey() {}

    /**
     * Returns the text of a value; null for null.
     *
     * @throws IllegalArgumentException for what has another text in each JVM: an array, an object without a text of its own
     *     in any part of the value, a set or map that keeps no order; for a date or fraction in a collection, where equal ones
     *     may have several texts; and for a buffer of bytes or numbers, whose text says only how many there are
     */
    public static @Nullable String of(@Nullable Object value) {
        if (value instanceof Enum<?> constant) {
            return constant.name();
        } else if (value instanceof Date date) {
            return instant(date).toString(); // its own text has the time zone of the node
        } else if (value instanceof BigDecimal number) {
            BigDecimal same = number.stripTrailingZeros();
            return Math.abs(same.scale()) < PLAIN ? same.toPlainString() : same.toString();
        } else if (value instanceof Double number) {
            return Long.toHexString(Double.doubleToLongBits(number)); // the decimal text differs between Java versions
        } else if (value instanceof Float number) {
            return Integer.toHexString(Float.floatToIntBits(number));
        } else if (value instanceof Optional<?> optional) {
            return of(optional.orElse(null));
        } else if (value == null) {
            return null;
        }
        String text = value.toString();
        if (!isOfOneText(value)
                || !(value instanceof CharSequence) && IDENTITY.matcher(text).find()) {
            throw new IllegalArgumentException(
                    "the key is a " + value.getClass().getTypeName()
                            + ", whose text is another one in each call, or the same for other content. Name a property of it");
        }
        return text;
    }

    private static Instant instant(Date date) {
        try {
            return date.toInstant(); // of a java.sql.Timestamp with what is less than a millisecond
        } catch (UnsupportedOperationException e) {
            return Instant.ofEpochMilli(date.getTime()); // a java.sql.Date or Time
        }
    }

    /** Tells whether equal values have one text in every JVM, as far as their parts can be looked at. */
    private static boolean isOfOneText(@Nullable Object value) {
        if (value instanceof Collection<?> elements) {
            boolean ordered = !(value instanceof Set<?>)
                    || value instanceof SortedSet<?>
                    || value instanceof LinkedHashSet<?>
                    || value instanceof EnumSet<?>;
            return (ordered || elements.size() < 2) && elements.stream().allMatch(ExpressionKey::isOfOneText);
        } else if (value instanceof Map<?, ?> map) {
            boolean ordered = map instanceof SortedMap || map instanceof LinkedHashMap || map instanceof EnumMap;
            return (ordered || map.size() < 2)
                    && map.keySet().stream().allMatch(ExpressionKey::isOfOneText)
                    && isOfOneText(map.values());
        }
        boolean isSpelledAbove = value instanceof Date
                || value instanceof Double
                || value instanceof Float
                || value instanceof BigDecimal;
        boolean saysHowMany = value instanceof Buffer && !(value instanceof CharSequence);
        return value == null
                || !isSpelledAbove
                        && !saysHowMany
                        && !value.toString()
                                .equals(value.getClass().getName() + '@' + Integer.toHexString(value.hashCode()));
    }
}
