package io.idempotency.test;

import static org.assertj.core.api.Assertions.assertThat;

import io.idempotency.runtime.store.Claim;
import io.idempotency.runtime.store.Ownership;
import io.idempotency.runtime.store.StoredRecord;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The store's clock, to the millisecond. */
abstract class TimesContract extends StoreContract {

    TimesContract(IdempotencyStoreTck kit) {
        super(kit);
    }

    @ParameterizedTest
    @ValueSource(strings = {"PT1M1.234S", "PT1M59.999S", "PT1H0.001S", "P40D", "P3660D"})
    void leaseAndRetentionLastAsLongAsAsked(Duration asked) {
        Claim claim = Claims.retention(Claims.lease(Claims.fresh(), asked), asked.plus(LONG));
        Instant before = storeTime();
        Ownership ownership = acquire(claim);
        StoredRecord claimed = find(claim.id());
        Duration passed = Duration.between(before, storeTime());
        assertSpan(claimed.claimedAt(), claimed.leaseUntil(), asked);
        assertSpan(claimed.claimedAt(), claimed.expiresAt(), asked.plus(LONG));
        assertThat(claimed.remainingLease()).isBetween(asked.minus(passed).minusMillis(1), asked);
        store().complete(ownership, RESULT, asked);
        StoredRecord completed = find(claim.id());
        assertKeptSinceSettled(completed, asked);
    }

    @Test
    void instantsAreWholeMilliseconds() {
        Claim claim = Claims.fresh();
        complete(acquire(claim));
        StoredRecord record = find(claim.id());
        assertThat(Stream.of(
                        record.claimedAt(),
                        record.leaseUntil(),
                        record.settledAt(),
                        record.expiresAt(),
                        record.readAt()))
                .allSatisfy(instant -> assertThat(instant).isEqualTo(instant.truncatedTo(ChronoUnit.MILLIS)));
    }

    @Test
    void instantsAreTheStoresClock() {
        Instant before = storeTime();
        Claim claim = Claims.fresh();
        complete(acquire(claim));
        StoredRecord record = find(claim.id());
        Instant after = storeTime();
        assertThat(Stream.of(record.claimedAt(), record.settledAt(), record.readAt()))
                .allSatisfy(instant -> assertThat(instant).isBetween(before.minusMillis(1), after.plusMillis(1)));
    }

    @Test
    void readingTellsTheTimeOfReading() {
        Claim claim = Claims.fresh();
        acquire(claim);
        Instant first = find(claim.id()).readAt();
        passes(SHORT);
        assertThat(find(claim.id()).readAt()).isAfterOrEqualTo(first.plus(SHORT));
        assertThat(duplicate(Claims.duplicateOf(claim)).readAt()).isAfterOrEqualTo(first.plus(SHORT));
    }

    @Test
    void fenceIsTheStoresClockInMicroseconds() {
        Claim claim = Claims.fresh();
        long fence = acquired(claim).fence();
        long claimedAt =
                ChronoUnit.MICROS.between(Instant.EPOCH, find(claim.id()).claimedAt());
        assertThat(fence).isBetween(claimedAt - 1_000, claimedAt + 1_000_000);
    }
}
