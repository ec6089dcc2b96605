package io.idempotency.processor;

import static org.assertj.core.api.Assertions.assertThat;

import io.idempotency.definition.OperationDefinition;
import io.idempotency.processor.compile.Compiled;
import io.idempotency.processor.compile.Payments;
import java.lang.reflect.Field;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.net.URI;
import java.net.URL;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
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
import java.util.ArrayList;
import java.util.Currency;
import java.util.Date;
import java.util.HexFormat;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TimeZone;
import java.util.TreeSet;
import java.util.UUID;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/**
 * The fingerprint and the key that generated code makes of a value of every type, as they are stored: whoever changes one lets
 * a deployment forget its keys, or refuse its retries. A dot stands for the bytes of the letters behind it, up to a blank.
 */
class GoldenVectorsTest {

    private static final ZoneOffset THREE_SECONDS = ZoneOffset.ofTotalSeconds(3);
    private static final Instant MOMENT = Instant.ofEpochSecond(1, 2);

    private record Vector(String type, Object value, String written, String key) {}

    private final List<Vector> vectors = new ArrayList<>();

    private void golden(String type, Object value, String written, String key) {
        vectors.add(new Vector(type, value, written, key));
    }

    private static String bytes(String written) {
        return Stream.of(written.split(" "))
                .map(part -> part.startsWith(".")
                        ? HexFormat.of().formatHex(part.substring(1).getBytes(StandardCharsets.UTF_8))
                        : part)
                .collect(Collectors.joining());
    }

    private void textsAndNumbers() throws Exception {
        golden("java.lang.String", "a", ".S 01 .a", "a");
        golden("java.lang.CharSequence", "x(y)", ".S 04 .x(y)", "text(x(y))");
        golden("byte", (byte) 1, ".I 02", "integer(1)");
        golden("java.lang.Byte", (byte) 1, ".I 02", "integer(1)");
        golden("short", (short) 1, ".I 02", "integer(1)");
        golden("java.lang.Short", (short) 1, ".I 02", "integer(1)");
        golden("int", 1, ".I 02", "integer(1)");
        golden("java.lang.Integer", 1, ".I 02", "integer(1)");
        golden("long", 1L, ".I 02", "integer(1)");
        golden("java.lang.Long", -1L, ".I 01", "integer(-1)");
        golden("float", 1f, ".r 000000003f800000", "float(3f800000)");
        golden("java.lang.Float", 1f, ".r 000000003f800000", "float(3f800000)");
        golden("double", 1d, ".R 3ff0000000000000", "double(3ff0000000000000)");
        golden("java.lang.Double", 1d, ".R 3ff0000000000000", "double(3ff0000000000000)");
        golden("boolean", true, ".t", "boolean(true)");
        golden("java.lang.Boolean", false, ".f", "boolean(false)");
        golden("char", 'a', ".C c201", "char(a)");
        golden("java.lang.Character", 'a', ".C c201", "char(a)");
        golden("java.math.BigInteger", BigInteger.ONE, ".G 01 01", "integer(1)");
        golden("java.math.BigDecimal", new BigDecimal("1.50"), ".d 02 1e", "decimal(1.5)");
        golden(
                "java.util.UUID",
                UUID.fromString("00112233-4455-6677-8899-aabbccddeeff"),
                ".U 00112233445566778899aabbccddeeff",
                "uuid(00112233-4455-6677-8899-aabbccddeeff)");
        golden("java.net.URI", URI.create("x:y"), ".X 03 .uri .S 03 .x:y", "uri(x:y)");
        golden("java.net.URL", new URL("http://h/"), ".X 03 .url .S 09 .http://h/", "url(http://h/)");
        golden("java.util.Locale", Locale.GERMANY, ".X 06 .locale .S 05 .de-DE", "locale(de-DE)");
        golden("java.util.Currency", Currency.getInstance("EUR"), ".X 08 .currency .S 03 .EUR", "currency(EUR)");
        golden("java.nio.ByteBuffer", ByteBuffer.wrap(new byte[] {1, -1}), ".B 02 01ff", "bytes(01ff)");
        golden("byte[]", new byte[] {1, -1}, ".B 02 01ff", "bytes(01ff)");
        golden("java.lang.Thread.State", Thread.State.NEW, ".E 03 .NEW", "enum(NEW)");
    }

    private void times() {
        golden("java.util.TimeZone", TimeZone.getTimeZone("UTC"), ".X 04 .zone .S 03 .UTC", "zone(UTC)");
        golden("java.util.Date", new Date(1), ".Y 0c .epoch-millis 02", "epoch-millis(1)");
        golden("java.sql.Date", new java.sql.Date(1), ".Y 0c .epoch-millis 02", "epoch-millis(1)");
        golden("java.sql.Time", new java.sql.Time(1), ".Y 0c .epoch-millis 02", "epoch-millis(1)");
        String moment = "instant(1970-01-01T00:00:01.000000002Z)";
        golden("java.sql.Timestamp", java.sql.Timestamp.from(MOMENT), ".Y 07 .instant 02 04", moment);
        golden("java.time.Instant", MOMENT, ".Y 07 .instant 02 04", moment);
        golden("java.time.LocalDate", LocalDate.ofEpochDay(1), ".Y 04 .date 02", "date(1970-01-02)");
        golden("java.time.LocalTime", LocalTime.ofNanoOfDay(1), ".Y 04 .time 02", "time(00:00:00.000000001)");
        golden(
                "java.time.LocalDateTime",
                LocalDateTime.of(LocalDate.ofEpochDay(1), LocalTime.ofNanoOfDay(1)),
                ".Y 09 .date-time 02 02",
                "date-time(1970-01-02T00:00:00.000000001)");
        golden(
                "java.time.OffsetDateTime",
                OffsetDateTime.ofInstant(MOMENT, THREE_SECONDS),
                ".Y 10 .offset-date-time 02 04 06",
                "offset-date-time(1970-01-01T00:00:04.000000002+00:00:03)");
        golden(
                "java.time.OffsetTime",
                OffsetTime.of(LocalTime.ofNanoOfDay(1), THREE_SECONDS),
                ".Y 0b .offset-time 02 06",
                "offset-time(00:00:00.000000001+00:00:03)");
        golden("java.time.Year", Year.of(1), ".Y 04 .year 02", "year(1)");
        golden("java.time.YearMonth", YearMonth.of(1, 2), ".Y 0a .year-month 02 04", "year-month(0001-02)");
        golden("java.time.MonthDay", MonthDay.of(1, 2), ".Y 09 .month-day 02 04", "month-day(--01-02)");
        golden("java.time.Duration", Duration.ofSeconds(1, 2), ".Y 08 .duration 02 04", "duration(PT1.000000002S)");
        golden("java.time.Period", Period.of(1, 2, 3), ".Y 06 .period 02 04 06", "period(P1Y2M3D)");
        golden(
                "java.time.ZonedDateTime",
                ZonedDateTime.ofInstant(Instant.EPOCH, ZoneId.of("UTC")),
                ".X 0f .zoned-date-time .S 16 .1970-01-01T00:00Z[UTC]",
                "zoned-date-time(1970-01-01T00:00Z[UTC])");
        golden("java.time.ZoneId", ZoneId.of("UTC"), ".X 04 .zone .S 03 .UTC", "zone(UTC)");
        golden("java.time.ZoneOffset", ZoneOffset.UTC, ".X 04 .zone .S 01 .Z", "zone(Z)");
    }

    @Test
    void aValueOfEveryTypeIsWrittenAndSpelledAsItWasInTheFirstVersion() throws Exception {
        textsAndNumbers();
        times();
        StringBuilder members = new StringBuilder();
        for (int i = 0; i < vectors.size(); i++) {
            members.append("@IdempotentOperation(value = \"op-%d\", key = \"v\") void op%d(%s v) {}\n"
                    .formatted(i, i, vectors.get(i).type()));
        }
        Compiled payments = Payments.compile(members.toString()).load();
        for (int i = 0; i < vectors.size(); i++) {
            Vector vector = vectors.get(i);
            OperationDefinition definition = payments.definition("op-" + i);
            assertThat(definition.key(new Object[] {vector.value()}))
                    .as(vector.type())
                    .isEqualTo(vector.key());
            assertThat(Compiled.fingerprintOf(definition, vector.value()))
                    .as(vector.type())
                    .isEqualTo(bytes(".N 01 .v " + vector.written()));
        }
        Set<String> covered = vectors.stream().map(Vector::type).collect(Collectors.toCollection(TreeSet::new));
        assertThat(covered).containsAll(scalars());
    }

    /** Whoever adds a type adds its vector. */
    private static List<String> scalars() throws ReflectiveOperationException {
        Field known = Class.forName("io.idempotency.processor.plan.Scalars").getDeclaredField("BY_NAME");
        known.setAccessible(true);
        return ((Map<?, ?>) known.get(null))
                .keySet().stream().map(String::valueOf).toList();
    }

    @Test
    void aValueOfEveryShapeIsWrittenAsItWasInTheFirstVersion() {
        Compiled payments = Payments.load("""
                @IdempotentOperation void pay(Order order, Means means) {}
                record Order(String id, List<Line> lines, Set<String> tags, Collection<String> any,
                        Map<String, Integer> counts, int[] numbers, String[] texts, Optional<String> note, String none) {}
                record Line(int n) {}
                sealed interface Means permits Card, Cash {}
                record Card(String number) implements Means {}
                record Cash() implements Means {}
                """);
        Object order = payments.create(
                "demo.Payments$Order",
                "o",
                List.of(payments.create("demo.Payments$Line", 1)),
                Set.of("b", "a"),
                List.of("b", "a"),
                Map.of("b", 2, "a", 1),
                new int[] {2, 1},
                new String[] {"b", null},
                Optional.of("x"),
                null);
        assertThat(payments.fingerprint(order, payments.create("demo.Payments$Card", "4711")))
                .isEqualTo(bytes(".N 05 .means .K 04 .Card .{ .N 06 .number .S 04 .4711 .}"
                        + " .N 05 .order .{"
                        + " .N 03 .any .[ .S 01 .b .S 01 .a .]"
                        + " .N 06 .counts .( .S 01 .a .I 02 .S 01 .b .I 04 .)"
                        + " .N 02 .id .S 01 .o"
                        + " .N 05 .lines .[ .{ .N 01 .n .I 02 .} .]"
                        + " .N 04 .note .S 01 .x"
                        + " .N 07 .numbers .[ .I 04 .I 02 .]"
                        + " .N 04 .tags .< .S 01 .a .S 01 .b .>"
                        + " .N 05 .texts .[ .S 01 .b .Z .]"
                        + " .}"));
    }

    @Test
    void aKeyOfSeveralPartsIsSpelledAsItWas() {
        Compiled payments = Payments.load(
                "@IdempotentOperation void pay(@IdempotencyKey String a, @IdempotencyKey long b, @IdempotencyKey String c) {}");
        assertThat(payments.key("a", 1L, "\u00fc(\0)"))
                .isEqualTo("keys(1:a10:integer(1)4:\u00fc(\0))")
                .isNotEqualTo(payments.key("a", 1L, "c"));
    }
}
