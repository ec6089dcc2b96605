package io.idempotency.processor.model;

import java.time.Duration;
import java.time.format.DateTimeParseException;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Reads durations: {@code 500ms}, {@code 30s}, {@code 15m}, {@code 24h}, {@code 30d} or ISO-8601. */
public final class Durations {

    public static final String RETENTION = "retention";
    public static final String LEASE = "lease";
    public static final String WAIT_TIMEOUT = "waitTimeout";

    /** The attributes that are durations. */
    public static final List<String> ATTRIBUTES = List.of(RETENTION, LEASE, WAIT_TIMEOUT);

    private static final Pattern SHORT = Pattern.compile("(\\d{1,15})(ms|s|m|h|d)");
    private static final Map<String, Long> MILLIS =
            Map.of("ms", 1L, "s", 1_000L, "m", 60_000L, "h", 3_600_000L, "d", 86_400_000L);

    private Durations() {}

    /** Returns the duration; empty unless it is at least a millisecond and its milliseconds fit a long. */
    public static Optional<Duration> parse(String text) {
        try {
            Matcher matcher = SHORT.matcher(text);
            Duration parsed = matcher.matches()
                    ? Duration.ofMillis(Math.multiplyExact(
                            Long.parseLong(matcher.group(1)), MILLIS.getOrDefault(matcher.group(2), 0L)))
                    : Duration.parse(text);
            return parsed.toMillis() > 0 ? Optional.of(parsed) : Optional.empty();
        } catch (DateTimeParseException | ArithmeticException e) {
            return Optional.empty();
        }
    }
}
