package io.idempotency.http.server.route;

import java.time.Instant;
import java.time.InstantSource;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;

/** What the {@code Date} header says now, formatted once a second: it takes longer than the digest of a key. Thread-safe. */
final class DateText {

    private final InstantSource clock;
    private volatile Second last = new Second(Long.MIN_VALUE, "");

    private record Second(long epoch, String text) {}

    DateText(InstantSource clock) {
        this.clock = clock;
    }

    String now() {
        long epoch = Math.floorDiv(clock.millis(), 1000L);
        Second known = last;
        if (known.epoch() != epoch) {
            known = new Second(
                    epoch,
                    DateTimeFormatter.RFC_1123_DATE_TIME.format(
                            Instant.ofEpochSecond(epoch).atOffset(ZoneOffset.UTC)));
            last = known;
        }
        return known.text();
    }
}
