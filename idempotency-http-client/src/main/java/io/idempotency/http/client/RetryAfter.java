package io.idempotency.http.client;

import io.micronaut.http.HttpHeaders;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.time.format.DateTimeFormatter;
import java.util.Optional;
import java.util.regex.Pattern;

/** Reads the {@code Retry-After} header (RFC 9110, section 10.2.3): seconds, or a date. */
final class RetryAfter {

    private static final Pattern SECONDS = Pattern.compile("[0-9]+");
    private static final int MOST_DIGITS = 18;

    private RetryAfter() {}

    /** The time for which the server asks to wait; empty when the header is absent or cannot be read. */
    static Optional<Duration> of(HttpHeaders headers) {
        String value = Optional.ofNullable(headers.get(HttpHeaders.RETRY_AFTER))
                .map(String::strip)
                .orElse("");
        if (SECONDS.matcher(value).matches()) {
            return Optional.of(
                    Duration.ofSeconds(value.length() > MOST_DIGITS ? Long.MAX_VALUE : Long.parseLong(value)));
        }
        // counts from the server's clock, because clocks differ
        Instant now = Optional.ofNullable(headers.get(HttpHeaders.DATE))
                .flatMap(RetryAfter::instant)
                .orElseGet(Instant::now);
        return instant(value).map(then -> then.isBefore(now) ? Duration.ZERO : Duration.between(now, then));
    }

    private static Optional<Instant> instant(String date) {
        try {
            return Optional.of(DateTimeFormatter.RFC_1123_DATE_TIME.parse(date, Instant::from));
        } catch (DateTimeException e) {
            return Optional.empty();
        }
    }
}
