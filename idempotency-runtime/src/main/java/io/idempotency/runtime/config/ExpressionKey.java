package io.idempotency.runtime.config;

import java.math.BigDecimal;
import java.sql.Timestamp;
import java.time.Instant;
import java.util.Date;
import org.jspecify.annotations.Nullable;

/** The text of a key that an expression evaluates to: the same in every JVM for equal values. */
public final class ExpressionKey {

    /** The most digits before or after the point of a number without an exponent. */
    private static final int PLAIN = 100;

    private ExpressionKey() {}

    /**
     * Returns the text of a value; null for null.
     *
     * @throws IllegalArgumentException for an array or an object whose text is another one in each JVM
     */
    public static @Nullable String of(@Nullable Object value) {
        if (value instanceof Enum<?> constant) {
            return constant.name();
        } else if (value instanceof Timestamp time) {
            return time.toInstant().toString(); // as a date it would lose what is less than a millisecond
        } else if (value instanceof Date date) {
            return Instant.ofEpochMilli(date.getTime()).toString(); // its own text has the time zone of the node
        } else if (value instanceof BigDecimal number) {
            BigDecimal same = number.stripTrailingZeros();
            return Math.abs(same.scale()) < PLAIN ? same.toPlainString() : same.toString();
        } else if (value == null) {
            return null;
        }
        String text = value.toString();
        if (text.equals(value.getClass().getName() + '@' + Integer.toHexString(value.hashCode()))) {
            throw new IllegalArgumentException(
                    "the key is a " + value.getClass().getTypeName()
                            + ", whose text is another one in each call. Name a property of it");
        }
        return text;
    }
}
