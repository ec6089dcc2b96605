package io.idempotency.processor.plan;

import io.idempotency.definition.CanonicalKey;
import io.idempotency.definition.FingerprintWriter;
import io.idempotency.processor.code.Calls;
import io.idempotency.processor.code.Casts;
import io.idempotency.processor.code.Code;
import io.idempotency.processor.model.BoundType;
import java.lang.invoke.MethodType;
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
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.TimeZone;
import java.util.UUID;
import java.util.stream.Stream;
import org.objectweb.asm.Type;

/**
 * The types whose values are written as one: how a fingerprint writes them, and how a key spells them. Types of one
 * meaning share a tag, so that changing an {@code int} to a {@code long} keeps the keys.
 */
final class Scalars {

    private static final Map<String, Scalar> BY_NAME = new HashMap<>();

    private static final Scalar CONSTANT =
            new Scalar("enum", Calls.of(Enum.class, "name"), Calls.of(FingerprintWriter.class, "constant", Enum.class));

    /**
     * One scalar type, whose value is not null.
     *
     * @param tag the tag of its keys; empty for texts, which stand for themselves
     * @param text takes the value and leaves its canonical text
     * @param write takes the writer and the value, and writes it to the fingerprint
     */
    record Scalar(String tag, Code text, Code write) {}

    static {
        texts(String.class, CharSequence.class);
        integers(Byte.class, Short.class, Integer.class, Long.class);
        primitive("boolean", "bool", boolean.class, boolean.class, Boolean.class);
        primitive("char", "character", char.class, char.class, Character.class);
        real(float.class, Float.class, "floatToIntBits", Integer.class, int.class);
        real(double.class, Double.class, "doubleToLongBits", Long.class, long.class);
        plain("integer", "toString", "integer", BigInteger.class);
        plain("decimal", "stripTrailingZeros.toString", "decimal", BigDecimal.class);
        plain("uuid", "toString", "uuid", UUID.class);
        typed("uri", "toString", URI.class);
        typed("url", "toExternalForm", URL.class);
        typed("locale", "toLanguageTag", Locale.class);
        typed("currency", "getCurrencyCode", Currency.class);
        typed("zone", "getID", TimeZone.class);
        millis(java.util.Date.class);
        numbers(java.sql.Timestamp.class, "instant", "toInstant.toString", "toInstant.getEpochSecond", "getNanos");
        millis(java.sql.Date.class);
        millis(java.sql.Time.class);
        time(Instant.class, "instant", "getEpochSecond", "getNano");
        time(LocalDate.class, "date", "toEpochDay");
        time(LocalTime.class, "time", "toNanoOfDay");
        time(LocalDateTime.class, "date-time", "toLocalDate.toEpochDay", "toLocalTime.toNanoOfDay");
        time(OffsetDateTime.class, "offset-date-time", "toEpochSecond", "getNano", "getOffset.getTotalSeconds");
        time(OffsetTime.class, "offset-time", "toLocalTime.toNanoOfDay", "getOffset.getTotalSeconds");
        time(Year.class, "year", "getValue");
        time(YearMonth.class, "year-month", "getYear", "getMonthValue");
        time(MonthDay.class, "month-day", "getMonthValue", "getDayOfMonth");
        time(Duration.class, "duration", "getSeconds", "getNano");
        time(Period.class, "period", "getYears", "getMonths", "getDays");
        typed("zoned-date-time", "toString", ZonedDateTime.class);
        typed("zone", "toString", ZoneId.class);
        typed("zone", "toString", ZoneOffset.class);
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
        Code write = Calls.of(FingerprintWriter.class, "text", CharSequence.class);
        Stream.of(types).forEach(type -> add(type.getName(), "", Code.NOTHING, write));
    }

    private static void integers(Class<?>... boxes) {
        for (Class<?> box : boxes) {
            primitive("integer", "integer", long.class, primitiveOf(box), box);
        }
    }

    private static Class<?> primitiveOf(Class<?> box) {
        return MethodType.methodType(box).unwrap().returnType();
    }

    /** A primitive type and its box, both written as a primitive that is as wide or wider. */
    private static void primitive(String tag, String method, Class<?> written, Class<?> primitive, Class<?> box) {
        Code text = Calls.of(String.class, "valueOf", written);
        Code write = Calls.of(FingerprintWriter.class, method, written);
        both(tag, written, primitive, box, text, write);
    }

    /** By its bits: the decimal text of a binary number differs between Java versions. */
    private static void real(Class<?> primitive, Class<?> box, String bits, Class<?> whole, Class<?> wholePrimitive) {
        Code text = Calls.of(box, bits, primitive).then(Calls.of(whole, "toHexString", wholePrimitive));
        Code write = Calls.of(FingerprintWriter.class, "real", primitive);
        both(primitive.getName(), primitive, primitive, box, text, write);
    }

    private static void both(String tag, Class<?> written, Class<?> primitive, Class<?> box, Code text, Code write) {
        for (Class<?> each : List.of(primitive, box)) {
            Code cast = to -> Casts.cast(Type.getType(each), Type.getType(written), to);
            add(each.getName(), tag, cast.then(text), cast.then(write));
        }
    }

    private static void plain(String tag, String text, String method, Class<?> type) {
        add(type.getName(), tag, Calls.chain(type, text), Calls.of(FingerprintWriter.class, method, type));
    }

    private static void bytes(Class<?> type) {
        String name = type.isArray() ? "byte[]" : type.getName();
        add(name, "bytes", Calls.of(CanonicalKey.class, "hex", type), Calls.of(FingerprintWriter.class, "bytes", type));
    }

    /** What such a date is in days or hours depends on the time zone of the JVM that asks; the moment does not. */
    private static void millis(Class<?> type) {
        Code text = Calls.chain(type, "getTime").then(Calls.of(String.class, "valueOf", long.class));
        add(type.getName(), "epoch-millis", text, writeNumbers(type, "epoch-millis", "getTime"));
    }

    private static void time(Class<?> type, String tag, String... numbers) {
        numbers(type, tag, "toString", numbers);
    }

    /** Numbers are much cheaper to get than the text. */
    private static void numbers(Class<?> type, String tag, String text, String... numbers) {
        add(type.getName(), tag, Calls.chain(type, text), writeNumbers(type, tag, numbers));
    }

    private static Code writeNumbers(Class<?> type, String tag, String... numbers) {
        Code write = Calls.of(FingerprintWriter.class, "typed", String.class, long[].class);
        List<Code> reads = Stream.of(numbers)
                .map(number ->
                        Calls.chain(type, number).then(to -> to.cast(Calls.result(type, number), Type.LONG_TYPE)))
                .toList();
        return to -> {
            int value = to.newLocal(Type.getType(type));
            to.storeLocal(value);
            to.push(tag);
            to.push(numbers.length);
            to.newArray(Type.LONG_TYPE);
            for (int i = 0; i < numbers.length; i++) {
                to.dup();
                to.push(i);
                to.loadLocal(value);
                reads.get(i).write(to);
                to.arrayStore(Type.LONG_TYPE);
            }
            write.write(to);
        };
    }

    private static void typed(String tag, String text, Class<?> type) {
        Code write = Calls.of(FingerprintWriter.class, "typed", String.class, String.class);
        Code tagged = to -> {
            to.push(tag);
            to.swap();
        };
        add(
                type.getName(),
                tag,
                Calls.chain(type, text),
                Calls.chain(type, text).then(tagged).then(write));
    }

    private static void add(String name, String tag, Code text, Code write) {
        BY_NAME.put(name, new Scalar(tag, text, write));
    }
}
