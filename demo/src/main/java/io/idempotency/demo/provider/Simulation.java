package io.idempotency.demo.provider;

import io.micronaut.http.HttpStatus;
import io.micronaut.http.exceptions.HttpStatusException;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * How the provider was told to misbehave by {@code X-Simulate}.
 *
 * @param kind what it does
 * @param delay how long it takes with {@link Kind#SLOW}
 */
record Simulation(Kind kind, Duration delay) {

    private static final String SLOW = "slow=";

    /** What it does. */
    enum Kind {
        /** Answers as it should. */
        NONE,
        /** Books, then takes its time to answer. */
        SLOW,
        /** Declines before it books anything. */
        DECLINE,
        /** Books, and its answer never arrives. */
        LOST
    }

    static Simulation parse(@Nullable String header) {
        if (header == null || header.isBlank()) {
            return new Simulation(Kind.NONE, Duration.ZERO);
        }
        return switch (header.strip()) {
            case "decline" -> new Simulation(Kind.DECLINE, Duration.ZERO);
            case "lost" -> new Simulation(Kind.LOST, Duration.ZERO);
            default -> slow(header.strip());
        };
    }

    private static Simulation slow(String header) {
        try {
            if (header.startsWith(SLOW)) {
                Duration delay = Duration.parse("PT" + header.substring(SLOW.length()));
                return new Simulation(Kind.SLOW, delay);
            }
        } catch (java.time.format.DateTimeParseException e) {
            throw unknown(header);
        }
        throw unknown(header);
    }

    private static HttpStatusException unknown(String header) {
        return new HttpStatusException(
                HttpStatus.BAD_REQUEST, "X-Simulate is slow=<seconds>s, decline or lost, not: " + header);
    }
}
