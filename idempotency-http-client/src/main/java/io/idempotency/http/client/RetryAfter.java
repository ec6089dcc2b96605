package io.idempotency.http.client;

import io.micronaut.http.HttpHeaders;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.time.ZonedDateTime;
import java.time.format.DateTimeFormatter;
import java.util.Locale;
import java.util.Optional;

/** The {@code Retry-After} header (RFC 9110, section 10.2.3): seconds, or a date. */
final class RetryAfter {

    private RetryAfter() {}

    /** How long the server asks to wait; empty when the header is absent or cannot be read. */
    static Optional<Duration> of(HttpHeaders headers) {
        String text = headers.get(HttpHeaders.RETRY_AFTER);
        if (text == null) {
            return Optional.empty();
        }
        String value = text.strip();
        boolean seconds = !value.isEmpty() && value.chars().allMatch(c -> c >= '0' && c <= '9');
        return seconds ? Optional.of(seconds(value)) : until(value, headers);
    }

    private static Duration seconds(String digits) {
        try {
            return Duration.ofSeconds(Long.parseLong(digits));
        } catch (NumberFormatException e) {
            return Duration.ofSeconds(Long.MAX_VALUE); // more digits than a long has: never
        }
    }

    /** Counts from the server's Date header if there is one, because clocks differ. */
    private static Optional<Duration> until(String date, HttpHeaders headers) {
        Instant now = Optional.ofNullable(headers.get(HttpHeaders.DATE))
                .flatMap(RetryAfter::instant)
                .orElseGet(Instant::now);
        return instant(date).map(then -> Duration.between(now, then)).map(RetryAfter::notNegative);
    }

    private static Duration notNegative(Duration span) {
        return span.isNegative() ? Duration.ZERO : span;
    }

    private static Optional<Instant> instant(String date) {
        try {
            return Optional.of(ZonedDateTime.parse(date, DateTimeFormatter.RFC_1123_DATE_TIME.withLocale(Locale.ROOT))
                    .toInstant());
        } catch (DateTimeException e) {
            return Optional.empty();
        }
    }
}
