package io.idempotency.processor.plan;

import io.idempotency.definition.CanonicalKey;
import io.idempotency.processor.model.BoundType;
import io.idempotency.processor.model.Code;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Types written as one value. Types of one meaning share a tag, so that a key stays when an int becomes a long. */
final class Scalars {

    private static final Map<String, Scalar> BY_NAME = new HashMap<>();
    private static final Scalar CONSTANT = new Scalar("enum", Code.of("$1L.name()"), Code.of("writer.constant($1L)"));
    private static final Code VALUE_OF = Code.of("$2T.valueOf($1L)", String.class);
    private static final Code HEX = Code.of("$2T.hex($1L)", CanonicalKey.class);
    private static final String TO_STRING = "toString()";

    /**
     * How a value, which is not null, is written.
     *
     * @param tag the tag of keys of this type; empty for texts
     * @param text the canonical text in a key
     */
    record Scalar(String tag, Code text, Code write) {}

    static {
        add("", Code.VALUE, "text", "java.lang.String", "java.lang.CharSequence");
        add("integer", VALUE_OF, "integer", "byte", "java.lang.Byte", "short", "java.lang.Short");
        add("integer", VALUE_OF, "integer", "int", "java.lang.Integer", "long", "java.lang.Long");
        add("boolean", VALUE_OF, "bool", "boolean", "java.lang.Boolean");
        add("char", VALUE_OF, "character", "char", "java.lang.Character");
        // by their bits: the decimal text differs between Java versions
        Code floatBits = Code.of("$2T.toHexString($3T.floatToIntBits($1L))", Integer.class, Float.class);
        add("float", floatBits, "real", "float", "java.lang.Float");
        Code doubleBits = Code.of("$2T.toHexString($3T.doubleToLongBits($1L))", Long.class, Double.class);
        add("double", doubleBits, "real", "double", "java.lang.Double");
        add("integer", read(TO_STRING), "integer", "java.math.BigInteger");
        add("decimal", read("stripTrailingZeros().toString()"), "decimal", "java.math.BigDecimal");
        add("uuid", read(TO_STRING), "uuid", "java.util.UUID");
        add("bytes", HEX, "bytes", "java.nio.ByteBuffer", "byte[]");
        text("uri", TO_STRING, "java.net.URI");
        text("url", "toExternalForm()", "java.net.URL");
        text("locale", "toLanguageTag()", "java.util.Locale");
        text("currency", "getCurrencyCode()", "java.util.Currency");
        text("zone", "getID()", "java.util.TimeZone");
        text("zone", TO_STRING, "java.time.ZoneId");
        text("zone", TO_STRING, "java.time.ZoneOffset");
        text("zoned-date-time", TO_STRING, "java.time.ZonedDateTime");
        // its days and hours depend on the JVM's time zone, the moment does not
        for (String millis : List.of("java.util.Date", "java.sql.Date", "java.sql.Time")) {
            numbers(millis, "epoch-millis", Code.of("$2T.valueOf($1L.getTime())", String.class), "getTime()");
        }
        numbers(
                "java.sql.Timestamp",
                "instant",
                read("toInstant().toString()"),
                "toInstant().getEpochSecond()",
                "getNanos()");
        time("java.time.Instant", "instant", "getEpochSecond()", "getNano()");
        time("java.time.LocalDate", "date", "toEpochDay()");
        time("java.time.LocalTime", "time", "toNanoOfDay()");
        time("java.time.LocalDateTime", "date-time", "toLocalDate().toEpochDay()", "toLocalTime().toNanoOfDay()");
        time(
                "java.time.OffsetDateTime",
                "offset-date-time",
                "toEpochSecond()",
                "getNano()",
                "getOffset().getTotalSeconds()");
        time("java.time.OffsetTime", "offset-time", "toLocalTime().toNanoOfDay()", "getOffset().getTotalSeconds()");
        time("java.time.Year", "year", "getValue()");
        time("java.time.YearMonth", "year-month", "getYear()", "getMonthValue()");
        time("java.time.MonthDay", "month-day", "getMonthValue()", "getDayOfMonth()");
        time("java.time.Duration", "duration", "getSeconds()", "getNano()");
        time("java.time.Period", "period", "getYears()", "getMonths()", "getDays()");
    }

    private Scalars() {}

    static Optional<Scalar> of(BoundType type) {
        return type.component() == null && type.element().isEnum()
                ? Optional.of(CONSTANT)
                : Optional.ofNullable(BY_NAME.get(type.name()));
    }

    /** Tells whether this is a scalar of the platform. */
    static boolean isPlatform(BoundType type) {
        return BY_NAME.containsKey(type.name());
    }

    private static Code read(String call) {
        return Code.of("$1L." + call);
    }

    private static void add(String tag, Code text, String method, String... types) {
        Stream.of(types).forEach(type -> put(type, tag, text, Code.of("writer.$2L($1L)", method)));
    }

    private static void text(String tag, String text, String type) {
        put(type, tag, read(text), Code.of("writer.typed($2S, $1L." + text + ")", tag));
    }

    private static void time(String type, String tag, String... numbers) {
        numbers(type, tag, read(TO_STRING), numbers);
    }

    /** Adds a type that is written as numbers, which are much cheaper to get than the text. */
    private static void numbers(String type, String tag, Code text, String... numbers) {
        String reads = Stream.of(numbers).map(number -> "$1L." + number).collect(Collectors.joining(", "));
        put(type, tag, text, Code.of("writer.typed($2S, " + reads + ")", tag));
    }

    private static void put(String type, String tag, Code text, Code write) {
        BY_NAME.put(type, new Scalar(tag, text, write));
    }
}
