package io.idempotency.http.server.route;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Instant;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;

class DateTextTest {

    private final AtomicReference<Instant> now = new AtomicReference<>(Instant.parse("2026-11-02T08:09:07.999Z"));
    private final DateText date = new DateText(now::get);

    @Test
    void itIsTheDateOfRfc1123() {
        assertThat(date.now()).isEqualTo("Mon, 2 Nov 2026 08:09:07 GMT");
    }

    @Test
    void everySecondHasItsOwnBackwardsToo() {
        String first = date.now();
        now.set(Instant.parse("2026-11-02T08:09:08Z"));
        assertThat(date.now()).isEqualTo("Mon, 2 Nov 2026 08:09:08 GMT");
        now.set(Instant.parse("2026-11-02T08:09:07.001Z"));
        assertThat(date.now()).isEqualTo(first);
    }
}
