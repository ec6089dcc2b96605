package io.idempotency.test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.idempotency.test.contract.Together;
import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.api.Test;

final class VirtualClockTest {

    @Test
    void standsStillUntilItIsMoved() {
        VirtualClock clock = new VirtualClock(Instant.EPOCH);
        assertThat(clock.instant()).isEqualTo(Instant.EPOCH);
        clock.advance(Duration.ofNanos(1));
        assertThat(clock.instant()).isEqualTo(Instant.EPOCH.plusNanos(1));
    }

    @Test
    void doesNotGoBack() {
        VirtualClock clock = new VirtualClock();
        assertThatThrownBy(() -> clock.advance(Duration.ofMillis(-1)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("does not go back");
    }

    @Test
    void losesNoStepOfManyThreads() {
        VirtualClock clock = new VirtualClock(Instant.EPOCH);
        Together.run(8, thread -> {
            for (int i = 0; i < 1_000; i++) {
                clock.advance(Duration.ofNanos(1));
            }
            return thread;
        });
        assertThat(clock.instant()).isEqualTo(Instant.EPOCH.plusNanos(8_000));
    }
}
