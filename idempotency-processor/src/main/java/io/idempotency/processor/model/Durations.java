package io.idempotency.processor.model;

import java.time.Duration;
import java.time.format.DateTimeParseException;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The durations that the annotation takes: {@code 500ms}, {@code 30s}, {@code 15m}, {@code 24h}, {@code 30d}, ISO-8601. */
public final class Durations {

    /** The attributes that are durations. */
    public static final String RETENTION = "retention";

    /** See {@link #RETENTION}. */
    public static final String LEASE = "lease";

    /** See {@link #RETENTION}. */
    public static final String WAIT_TIMEOUT = "waitTimeout";

    /** All of them. */
    public static final List<String> ATTRIBUTES = List.of(RETENTION, LEASE, WAIT_TIMEOUT);

    private static final Pattern SHORT = Pattern.compile("(\\d{1,15})(ms|s|m|h|d)");
    private static final Map<String, Duration> UNITS = Map.of(
            "ms", Duration.ofMillis(1),
            "s", Duration.ofSeconds(1),
            "m", Duration.ofMinutes(1),
            "h", Duration.ofHours(1),
            "d", Duration.ofDays(1));

    private Durations() {}

    /**
     * Reads a duration.
     *
     * @param text as it is written
     * @return empty unless it is a duration of at least a millisecond, and of so many milliseconds that a long holds them
     */
    public static Optional<Duration> parse(String text) {
        try {
            Matcher matcher = SHORT.matcher(text);
            Duration parsed = matcher.matches()
                    ? UNITS.getOrDefault(matcher.group(2), Duration.ZERO).multipliedBy(Long.parseLong(matcher.group(1)))
                    : Duration.parse(text);
            return parsed.toMillis() > 0 ? Optional.of(parsed) : Optional.empty();
        } catch (DateTimeParseException | ArithmeticException e) {
            return Optional.empty();
        }
    }
}
