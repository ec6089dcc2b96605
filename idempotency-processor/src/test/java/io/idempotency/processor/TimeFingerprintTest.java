package io.idempotency.processor;

import static org.assertj.core.api.Assertions.assertThat;

import io.idempotency.processor.compile.Compiled;
import io.idempotency.processor.compile.Payments;
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
import java.util.List;
import java.util.TimeZone;
import java.util.function.Function;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

class TimeFingerprintTest {

    static Stream<Arguments> times() {
        return Stream.of(
                time(
                        "Instant",
                        Instant::parse,
                        "1970-01-01T00:00:00Z",
                        "1970-01-01T00:00:01Z",
                        "1970-01-01T00:00:00.1Z"),
                time("LocalDate", LocalDate::parse, "1970-01-01", "1970-01-02", "1971-01-01", "-0001-01-01"),
                time("LocalTime", LocalTime::parse, "00:00", "00:00:01", "00:00:00.000000001", "01:00"),
                time("LocalDateTime", LocalDateTime::parse, "1970-01-01T00:00", "1970-01-02T00:00", "1970-01-01T00:01"),
                time(
                        "OffsetDateTime",
                        OffsetDateTime::parse,
                        "1970-01-01T00:00Z",
                        "1970-01-01T01:00+01:00",
                        "1970-01-01T00:00+01:00",
                        "1970-01-01T00:00:00.1Z"),
                time("OffsetTime", OffsetTime::parse, "00:00Z", "01:00+01:00", "00:00+01:00"),
                time(
                        "ZonedDateTime",
                        ZonedDateTime::parse,
                        "2026-10-25T02:30+02:00[Europe/Berlin]",
                        "2026-10-25T02:30+01:00[Europe/Berlin]",
                        "2026-10-25T02:30+01:00[Europe/Paris]",
                        "2026-10-25T02:30+01:00"),
                time("Year", Year::parse, "2026", "2027"),
                time("YearMonth", YearMonth::parse, "2026-01", "2026-02", "2027-01"),
                time("MonthDay", MonthDay::parse, "--01-02", "--02-01", "--02-29"),
                time("Duration", Duration::parse, "PT0S", "PT1S", "PT-1S", "PT0.000000001S", "PT24H"),
                time("Period", Period::parse, "P0D", "P1D", "P1M", "P1Y", "P30D", "P-1D"),
                time("ZoneId", ZoneId::of, "Z", "UTC", "Europe/Berlin", "+01:00"),
                time("ZoneOffset", ZoneOffset::of, "Z", "+01:00", "-01:00"),
                time("java.util.Date", text -> new java.util.Date(Long.parseLong(text)), "0", "1", "-1"),
                time(
                        "java.sql.Timestamp",
                        java.sql.Timestamp::valueOf,
                        "2026-01-01 00:00:00",
                        "2026-01-01 00:00:01",
                        "2026-01-01 00:00:00.000000001"),
                time("java.sql.Date", java.sql.Date::valueOf, "2026-01-01", "2026-01-02"),
                time("java.sql.Time", java.sql.Time::valueOf, "00:00:00", "00:00:01"));
    }

    @ParameterizedTest
    @MethodSource("times")
    void equalTimesAreWrittenAlikeAndOthersAreNot(String type, Function<String, Object> parse, List<String> all) {
        Compiled payments = Payments.load("@IdempotentOperation void pay(" + type + " it) {}");

        assertThat(all.stream().map(text -> payments.fingerprint(parse.apply(text))))
                .doesNotHaveDuplicates()
                .isEqualTo(all.stream()
                        .map(text -> payments.fingerprint(parse.apply(text)))
                        .toList());
    }

    @ParameterizedTest
    @ValueSource(strings = {"java.util.Date", "java.sql.Date", "java.sql.Time", "java.sql.Timestamp"})
    void theTimeZoneOfTheJvmDoesNotCount(String type) throws ReflectiveOperationException {
        Compiled payments = Payments.load("@IdempotentOperation(key = \"it\") void pay(" + type + " it) {}");
        Object moment = Class.forName(type).getConstructor(long.class).newInstance(80_000_000L);
        TimeZone before = TimeZone.getDefault();
        try {
            TimeZone.setDefault(TimeZone.getTimeZone("Pacific/Kiritimati"));
            String fingerprint = payments.fingerprint(moment);
            String key = payments.key(moment);
            TimeZone.setDefault(TimeZone.getTimeZone("Pacific/Pago_Pago"));
            assertThat(payments.fingerprint(moment)).isEqualTo(fingerprint);
            assertThat(payments.key(moment)).isEqualTo(key);
        } finally {
            TimeZone.setDefault(before);
        }
    }

    private static Arguments time(String type, Function<String, Object> parse, String... all) {
        return Arguments.of(type, parse, List.of(all));
    }
}
