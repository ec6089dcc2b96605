package io.idempotency.runtime.memory;

import static org.assertj.core.api.Assertions.assertThat;

import io.idempotency.runtime.store.Claim;
import io.idempotency.runtime.store.ClaimResult;
import io.idempotency.runtime.store.Ownership;
import io.idempotency.runtime.store.RecordId;
import io.idempotency.runtime.store.RecordState;
import io.idempotency.runtime.store.StoredResult;
import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Somebody sets the system's clock while keys are remembered. */
class ClockStepTest {

    private static final Duration LEASE = Duration.ofSeconds(30);
    private static final Duration RETENTION = Duration.ofHours(24);
    private static final RecordId ID = RecordId.of("payments", null, null, "k");

    private Instant clock = Instant.parse("2026-01-01T00:00:00Z");
    private long nanos = Long.MAX_VALUE - 5; // it may overflow
    private final MemoryIdempotencyStore store =
            new MemoryIdempotencyStore(Integer.MAX_VALUE, MemoryIdempotencyStore.elapsed(() -> clock, () -> nanos));

    private ClaimResult claim(String owner) {
        return store.claim(new Claim(ID, "pay", "1:x", owner, LEASE, RETENTION, true));
    }

    private void pass(Duration elapsed) {
        nanos += elapsed.toNanos();
    }

    @ParameterizedTest
    @ValueSource(longs = {-400, -1, 1, 400})
    void aStepOfTheClockLeavesALeaseAsItIs(long days) {
        assertThat(claim("first")).isInstanceOf(ClaimResult.Acquired.class);
        clock = clock.plus(Duration.ofDays(days));
        assertThat(claim("second")).isInstanceOf(ClaimResult.Duplicate.class);

        pass(LEASE.minusMillis(1));
        assertThat(claim("second")).isInstanceOf(ClaimResult.Duplicate.class);
        pass(Duration.ofMillis(1));
        assertThat(claim("second")).as("taken over").isInstanceOf(ClaimResult.Acquired.class);
    }

    @ParameterizedTest
    @ValueSource(longs = {-400, -1, 1, 400})
    void aStepOfTheClockForgetsNoResultAndKeepsNoneForEver(long days) {
        ClaimResult.Acquired first = (ClaimResult.Acquired) claim("first");
        store.complete(new Ownership(ID, "first", first.fence()), new StoredResult.Present(new byte[] {1}), RETENTION);
        clock = clock.plus(Duration.ofDays(days));
        pass(RETENTION.minusMillis(1));
        assertThat(((ClaimResult.Duplicate) claim("second")).record().state()).isEqualTo(RecordState.COMPLETED);
        pass(Duration.ofMillis(1));
        assertThat(claim("second")).isInstanceOf(ClaimResult.Acquired.class);
    }

    @Test
    void fencesRiseAllTheSame() {
        long before = 0;
        for (int i = 0; i < 5; i++) {
            ClaimResult.Acquired acquired = (ClaimResult.Acquired) claim("owner " + i);
            assertThat(acquired.fence()).isGreaterThan(before);
            before = acquired.fence();
            store.release(new Ownership(ID, "owner " + i, before));
            clock = clock.minus(Duration.ofDays(1));
        }
    }
}
