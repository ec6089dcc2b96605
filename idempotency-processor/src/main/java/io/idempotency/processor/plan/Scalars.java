package io.idempotency.processor.plan;

import io.idempotency.processor.model.BoundType;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/**
 * The types whose values are written as one: how a fingerprint writes them, and how a key spells them. Types of one
 * meaning share a tag, so that changing an {@code int} to a {@code long} keeps the keys.
 */
final class Scalars {

    private static final Map<String, Scalar> BY_NAME = new HashMap<>();

    /** What is left in a buffer, whose position stays where it is. */
    private static final String COPIED = "java.nio.ByteBuffer.allocate(%1$s.remaining()).put(%1$s.duplicate()).array()";

    /**
     * One scalar type. {@code %s} stands for the value, which is not null.
     *
     * @param tag the tag of its keys; empty for texts, which stand for themselves
     * @param text its canonical text
     * @param statement writes it to a fingerprint
     */
    record Scalar(String tag, String text, String statement) {}

    static {
        text("java.lang.String");
        text("java.lang.CharSequence");
        number("integer", "integer", "byte", "java.lang.Byte");
        number("integer", "integer", "short", "java.lang.Short");
        number("integer", "integer", "int", "java.lang.Integer");
        number("integer", "integer", "long", "java.lang.Long");
        real("float", "java.lang.Integer.toHexString(java.lang.Float.floatToIntBits(%s))", "java.lang.Float");
        real("double", "java.lang.Long.toHexString(java.lang.Double.doubleToLongBits(%s))", "java.lang.Double");
        number("boolean", "bool", "boolean", "java.lang.Boolean");
        number("char", "character", "char", "java.lang.Character");
        add("java.math.BigInteger", "integer", "%s.toString()", "writer.integer(%s)");
        add("java.math.BigDecimal", "decimal", "%s.stripTrailingZeros().toString()", "writer.decimal(%s)");
        add("java.util.UUID", "uuid", "%s.toString()", "writer.uuid(%s)");
        typed("java.net.URI", "uri", "%s.toString()");
        typed("java.net.URL", "url", "%s.toExternalForm()");
        typed("java.util.Locale", "locale", "%s.toLanguageTag()");
        typed("java.util.Currency", "currency", "%s.getCurrencyCode()");
        typed("java.util.TimeZone", "zone", "%s.getID()");
        millis("java.util.Date");
        numbers(
                "java.sql.Timestamp",
                "instant",
                "%s.toInstant().toString()",
                "%1$s.toInstant().getEpochSecond(), %1$s.getNanos()");
        millis("java.sql.Date");
        millis("java.sql.Time");
        time("Instant", "instant", "%1$s.getEpochSecond(), %1$s.getNano()");
        time("LocalDate", "date", "%1$s.toEpochDay()");
        time("LocalTime", "time", "%1$s.toNanoOfDay()");
        time("LocalDateTime", "date-time", "%1$s.toLocalDate().toEpochDay(), %1$s.toLocalTime().toNanoOfDay()");
        time(
                "OffsetDateTime",
                "offset-date-time",
                "%1$s.toEpochSecond(), %1$s.getNano(), %1$s.getOffset().getTotalSeconds()");
        time("OffsetTime", "offset-time", "%1$s.toLocalTime().toNanoOfDay(), %1$s.getOffset().getTotalSeconds()");
        time("Year", "year", "%1$s.getValue()");
        time("YearMonth", "year-month", "%1$s.getYear(), %1$s.getMonthValue()");
        time("MonthDay", "month-day", "%1$s.getMonthValue(), %1$s.getDayOfMonth()");
        time("Duration", "duration", "%1$s.getSeconds(), %1$s.getNano()");
        time("Period", "period", "%1$s.getYears(), %1$s.getMonths(), %1$s.getDays()");
        typed("java.time.ZonedDateTime", "zoned-date-time", "%s.toString()");
        typed("java.time.ZoneId", "zone", "%s.toString()");
        typed("java.time.ZoneOffset", "zone", "%s.toString()");
        add(
                "java.nio.ByteBuffer",
                "bytes",
                "java.util.HexFormat.of().formatHex(" + COPIED + ")",
                "writer.bytes(" + COPIED + ")");
        add("byte[]", "bytes", "java.util.HexFormat.of().formatHex(%s)", "writer.bytes(%s)");
    }

    private Scalars() {}

    static Optional<Scalar> of(BoundType type) {
        if (type.component() == null && type.element().isEnum()) {
            return Optional.of(new Scalar("enum", "%s.name()", "writer.constant(%s)"));
        }
        return Optional.ofNullable(BY_NAME.get(type.name()));
    }

    private static void text(String name) {
        add(name, "", "%s", "writer.text(%s)");
    }

    private static void number(String tag, String method, String primitive, String box) {
        String text = "java.lang.String.valueOf(%s)";
        add(primitive, tag, text, "writer." + method + "(%s)");
        add(box, tag, text, "writer." + method + "(%s)");
    }

    /** By its bits: the decimal text of a binary number differs between Java versions. */
    private static void real(String primitive, String bits, String box) {
        add(primitive, primitive, bits, "writer.real(%s)");
        add(box, primitive, bits, "writer.real(%s)");
    }

    /** What such a date is in days or hours depends on the time zone of the JVM that asks; the moment does not. */
    private static void millis(String name) {
        numbers(name, "epoch-millis", "java.lang.String.valueOf(%s.getTime())", "%1$s.getTime()");
    }

    private static void time(String simpleName, String tag, String numbers) {
        numbers("java.time." + simpleName, tag, "%s.toString()", numbers);
    }

    /** Numbers are much cheaper to get than the text. */
    private static void numbers(String name, String tag, String text, String numbers) {
        add(name, tag, text, "writer.typed(\"" + tag + "\", " + numbers + ")");
    }

    private static void typed(String name, String tag, String text) {
        add(name, tag, text, "writer.typed(\"" + tag + "\", " + text + ")");
    }

    private static void add(String name, String tag, String text, String statement) {
        BY_NAME.put(name, new Scalar(tag, text, statement));
    }
}
