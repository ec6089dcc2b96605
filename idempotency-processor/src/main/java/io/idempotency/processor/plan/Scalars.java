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
import java.util.Date;
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
    private static final Code VALUE_OF = Code.of("$2T.valueOf($1L)", String.class);
    private static final Code HEX = Code.of("$2T.hex($1L)", CanonicalKey.class);
    private static final String TO_STRING = "toString()";

    /**
     * One scalar type, whose value is not null.
     *
     * @param tag the tag of its keys; empty for texts, which stand for themselves
     * @param text its canonical text
     * @param write writes it to {@code writer}
     */
    record Scalar(String tag, Code text, Code write) {}

    static {
        add("", Code.VALUE, "text", String.class, CharSequence.class);
        add("integer", VALUE_OF, "integer", byte.class, Byte.class, short.class, Short.class);
        add("integer", VALUE_OF, "integer", int.class, Integer.class, long.class, Long.class);
        add("boolean", VALUE_OF, "bool", boolean.class, Boolean.class);
        add("char", VALUE_OF, "character", char.class, Character.class);
        // by their bits: the decimal text of a binary number differs between Java versions
        Code floatBits = Code.of("$2T.toHexString($3T.floatToIntBits($1L))", Integer.class, Float.class);
        add("float", floatBits, "real", float.class, Float.class);
        Code doubleBits = Code.of("$2T.toHexString($3T.doubleToLongBits($1L))", Long.class, Double.class);
        add("double", doubleBits, "real", double.class, Double.class);
        add("integer", read(TO_STRING), "integer", BigInteger.class);
        add("decimal", read("stripTrailingZeros().toString()"), "decimal", BigDecimal.class);
        add("uuid", read(TO_STRING), "uuid", UUID.class);
        add("bytes", HEX, "bytes", ByteBuffer.class, byte[].class);
        text("uri", TO_STRING, URI.class);
        text("url", "toExternalForm()", URL.class);
        text("locale", "toLanguageTag()", Locale.class);
        text("currency", "getCurrencyCode()", Currency.class);
        text("zone", "getID()", TimeZone.class);
        text("zone", TO_STRING, ZoneId.class);
        text("zone", TO_STRING, ZoneOffset.class);
        text("zoned-date-time", TO_STRING, ZonedDateTime.class);
        // what such a date is in days or hours depends on the time zone of the JVM that asks; the moment does not
        for (Class<?> millis : new Class<?>[] {Date.class, java.sql.Date.class, java.sql.Time.class}) {
            numbers(millis, "epoch-millis", Code.of("$2T.valueOf($1L.getTime())", String.class), "getTime()");
        }
        numbers(
                java.sql.Timestamp.class,
                "instant",
                read("toInstant().toString()"),
                "toInstant().getEpochSecond()",
                "getNanos()");
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
    }

    private Scalars() {}

    static Optional<Scalar> of(BoundType type) {
        return type.component() == null && type.element().isEnum()
                ? Optional.of(CONSTANT)
                : Optional.ofNullable(BY_NAME.get(type.name()));
    }

    /** Whether this is one of the platform's own. */
    static boolean isPlatform(BoundType type) {
        return BY_NAME.containsKey(type.name());
    }

    private static Code read(String call) {
        return Code.of("$1L." + call);
    }

    private static void add(String tag, Code text, String method, Class<?>... types) {
        Stream.of(types).forEach(type -> put(type, tag, text, Code.of("writer.$2L($1L)", method)));
    }

    private static void text(String tag, String text, Class<?> type) {
        put(type, tag, read(text), Code.of("writer.typed($2S, $1L." + text + ")", tag));
    }

    private static void time(Class<?> type, String tag, String... numbers) {
        numbers(type, tag, read(TO_STRING), numbers);
    }

    /** Numbers are much cheaper to get than the text. */
    private static void numbers(Class<?> type, String tag, Code text, String... numbers) {
        String reads = Stream.of(numbers).map(number -> "$1L." + number).collect(Collectors.joining(", "));
        put(type, tag, text, Code.of("writer.typed($2S, " + reads + ")", tag));
    }

    private static void put(Class<?> type, String tag, Code text, Code write) {
        BY_NAME.put(type == byte[].class ? "byte[]" : type.getName(), new Scalar(tag, text, write));
    }
}
