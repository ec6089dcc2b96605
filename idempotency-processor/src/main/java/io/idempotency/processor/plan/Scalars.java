package io.idempotency.processor.plan;

import io.idempotency.definition.CanonicalKey;
import io.idempotency.processor.model.BoundType;
import io.idempotency.processor.model.Code;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.net.URI;
import java.net.URL;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.time.MonthDay;
import java.time.OffsetDateTime;
import java.time.OffsetTime;
import java.time.Period;
import java.time.Year;
import java.time.YearMonth;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.time.ZonedDateTime;
import java.util.Currency;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.TimeZone;
import java.util.UUID;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * The types whose values are written as one: how a fingerprint writes them, and how a key spells them. Types of one
 * meaning share a tag, so that changing an {@code int} to a {@code long} keeps the keys.
 */
final class Scalars {

    private static final Map<String, Scalar> BY_NAME = new HashMap<>();

    private static final Scalar CONSTANT = new Scalar("enum", Code.of("$1L.name()"), Code.of("writer.constant($1L)"));

    /**
     * One scalar type, whose value is not null.
     *
     * @param tag the tag of its keys; empty for texts, which stand for themselves
     * @param text its canonical text
     * @param write writes it to {@code writer}
     */
    record Scalar(String tag, Code text, Code write) {}

    static {
        texts(String.class, CharSequence.class);
        numbers("integer", "integer", byte.class, Byte.class, short.class, Short.class);
        numbers("integer", "integer", int.class, Integer.class, long.class, Long.class);
        numbers("boolean", "bool", boolean.class, Boolean.class);
        numbers("char", "character", char.class, Character.class);
        real(float.class, Float.class, "floatToIntBits", Integer.class);
        real(double.class, Double.class, "doubleToLongBits", Long.class);
        plain("integer", "toString()", "integer", BigInteger.class);
        plain("decimal", "stripTrailingZeros().toString()", "decimal", BigDecimal.class);
        plain("uuid", "toString()", "uuid", UUID.class);
        typed("uri", "toString()", URI.class);
        typed("url", "toExternalForm()", URL.class);
        typed("locale", "toLanguageTag()", Locale.class);
        typed("currency", "getCurrencyCode()", Currency.class);
        typed("zone", "getID()", TimeZone.class);
        millis(java.util.Date.class);
        moments(
                java.sql.Timestamp.class,
                "instant",
                "toInstant().toString()",
                "toInstant().getEpochSecond()",
                "getNanos()");
        millis(java.sql.Date.class);
        millis(java.sql.Time.class);
        time(Instant.class, "instant", "getEpochSecond()", "getNano()");
        time(LocalDate.class, "date", "toEpochDay()");
        time(LocalTime.class, "time", "toNanoOfDay()");
        time(LocalDateTime.class, "date-time", "toLocalDate().toEpochDay()", "toLocalTime().toNanoOfDay()");
        time(OffsetDateTime.class, "offset-date-time", "toEpochSecond()", "getNano()", "getOffset().getTotalSeconds()");
        time(OffsetTime.class, "offset-time", "toLocalTime().toNanoOfDay()", "getOffset().getTotalSeconds()");
        time(Year.class, "year", "getValue()");
        time(YearMonth.class, "year-month", "getYear()", "getMonthValue()");
        time(MonthDay.class, "month-day", "getMonthValue()", "getDayOfMonth()");
        time(Duration.class, "duration", "getSeconds()", "getNano()");
        time(Period.class, "period", "getYears()", "getMonths()", "getDays()");
        typed("zoned-date-time", "toString()", ZonedDateTime.class);
        typed("zone", "toString()", ZoneId.class);
        typed("zone", "toString()", ZoneOffset.class);
        bytes(ByteBuffer.class);
        bytes(byte[].class);
    }

    private Scalars() {}

    static Optional<Scalar> of(BoundType type) {
        if (type.component() == null && type.element().isEnum()) {
            return Optional.of(CONSTANT);
        }
        return Optional.ofNullable(BY_NAME.get(type.name()));
    }

    /** Whether this is one of the platform's own. */
    static boolean isPlatform(BoundType type) {
        return BY_NAME.containsKey(type.name());
    }

    private static void texts(Class<?>... types) {
        Stream.of(types).forEach(type -> add(type, "", Code.VALUE, Code.of("writer.text($1L)")));
    }

    private static void numbers(String tag, String method, Class<?>... types) {
        Code text = Code.of("$2T.valueOf($1L)", String.class);
        Stream.of(types).forEach(type -> add(type, tag, text, Code.of("writer.$2L($1L)", method)));
    }

    /** By its bits: the decimal text of a binary number differs between Java versions. */
    private static void real(Class<?> primitive, Class<?> box, String bits, Class<?> whole) {
        Code text = Code.of("$2T.toHexString($3T.$4L($1L))", whole, box, bits);
        Stream.of(primitive, box).forEach(type -> add(type, primitive.getName(), text, Code.of("writer.real($1L)")));
    }

    private static void plain(String tag, String text, String method, Class<?> type) {
        add(type, tag, Code.of("$1L." + text), Code.of("writer.$2L($1L)", method));
    }

    private static void bytes(Class<?> type) {
        add(type, "bytes", Code.of("$2T.hex($1L)", CanonicalKey.class), Code.of("writer.bytes($1L)"));
    }

    /** What such a date is in days or hours depends on the time zone of the JVM that asks; the moment does not. */
    private static void millis(Class<?> type) {
        Code text = Code.of("$2T.valueOf($1L.getTime())", String.class);
        add(type, "epoch-millis", text, writeNumbers("epoch-millis", "getTime()"));
    }

    private static void time(Class<?> type, String tag, String... numbers) {
        moments(type, tag, "toString()", numbers);
    }

    /** Numbers are much cheaper to get than the text. */
    private static void moments(Class<?> type, String tag, String text, String... numbers) {
        add(type, tag, Code.of("$1L." + text), writeNumbers(tag, numbers));
    }

    private static Code writeNumbers(String tag, String... numbers) {
        String reads = Stream.of(numbers).map(number -> "$1L." + number).collect(Collectors.joining(", "));
        return Code.of("writer.typed($2S, " + reads + ")", tag);
    }

    private static void typed(String tag, String text, Class<?> type) {
        add(type, tag, Code.of("$1L." + text), Code.of("writer.typed($2S, $1L." + text + ")", tag));
    }

    private static void add(Class<?> type, String tag, Code text, Code write) {
        BY_NAME.put(type == byte[].class ? "byte[]" : type.getName(), new Scalar(tag, text, write));
    }
}
