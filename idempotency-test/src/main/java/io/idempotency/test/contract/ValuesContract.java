package io.idempotency.test.contract;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import io.idempotency.runtime.store.Claim;
import io.idempotency.runtime.store.ClaimResult;
import io.idempotency.runtime.store.Ownership;
import io.idempotency.runtime.store.ResultRejectedException;
import io.idempotency.runtime.store.StoredFailure;
import io.idempotency.runtime.store.StoredRecord;
import io.idempotency.runtime.store.StoredResult;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Random;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.ResourceLock;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Stored values come back unchanged, and instants are those of the store's clock, in milliseconds. NUL and unpaired
 * surrogates are not tried: no database takes them as text.
 */
@ResourceLock(StoreContract.STORE)
abstract class ValuesContract extends ContractPart {

    private static final int LIMIT = 1 << 20;

    static Stream<String> texts() {
        return Stream.of(
                "com.acme.Payments#charge(java.lang.String, java.util.List<? extends T[]>)",
                "it's \"quoted\" \\ escaped; -- not a comment /* nor this */ ${no} #{no} {no} %s ? :p $1",
                " spaces around ",
                "line\r\nbreak\tand tab",
                "a:b|c,d=e\u0001f",
                "straße, naïve, 日本語, עברית, \uD83D\uDE80\uD83D\uDC69\u200D\uD83D\uDCBB",
                "e\u0301 is not \u00E9",
                "null",
                "0",
                "x");
    }

    @ParameterizedTest
    @MethodSource("texts")
    void everyTextIsKept(String text) {
        Claim claim = withOperation(fresh(), text).with(text);
        complete(acquire(claim));
        assertThat(find(claim.id()).operation()).isEqualTo(text);
        assertThat(find(claim.id()).fingerprint()).isEqualTo(text);
        assertThat(duplicate(duplicateOf(claim)).result()).isEqualTo(RESULT);
        assertKept(new StoredFailure(text, text, text));
        Ownership doubtful = acquire(fresh());
        assertApplied(store().doubt(doubtful, text, RETENTION));
        assertThat(find(doubtful.id()).doubt()).isEqualTo(text);
    }

    @ParameterizedTest
    @ValueSource(strings = {"a", "\u65E5"})
    void longestTextsAreKept(String letter) {
        Claim claim = withOperation(fresh(), letter.repeat(250)).with(letter.repeat(100));
        Ownership ownership = acquire(withOwner(claim, letter.repeat(64)));
        assertApplied(store().doubt(ownership, letter.repeat(500), RETENTION));
        assertThat(find(claim.id()).doubt()).hasSize(500);
        StoredFailure failure = new StoredFailure(letter.repeat(250), letter.repeat(2000), letter.repeat(100));
        assertApplied(store().fail(ownership, failure, RETENTION));
        StoredRecord record = find(claim.id());
        assertThat(record.failure()).isEqualTo(failure);
        assertThat(record.operation()).isEqualTo(claim.operation());
        assertThat(record.fingerprint()).isEqualTo(claim.fingerprint());
        assertThat(record.owner()).isEqualTo(ownership.owner());
    }

    /** Texts that collations may treat as equal. */
    @ParameterizedTest
    @ValueSource(strings = {"Charge", "charge ", " charge", "chargé", "charge\u200B"})
    void textsThatOnlyLookAlikeAreDifferent(String other) {
        Claim claim = withOperation(fresh(), "charge").with("charge");
        Ownership ownership = acquire(claim);
        assertThat(claim(withOperation(claim, other))).isInstanceOf(ClaimResult.OtherOperation.class);
        assertThat(claim(claim.with(other))).isInstanceOf(ClaimResult.OtherArguments.class);
        assertThat(claim(withOwner(claim, other))).isInstanceOf(ClaimResult.Duplicate.class);
        stale(complete(new Ownership(claim.id(), other, ownership.fence())));
    }

    static Stream<StoredResult> results() {
        return Stream.concat(
                Stream.of(0, 1, 255, 65_537, LIMIT).map(size -> {
                    byte[] bytes = new byte[size];
                    new Random(size).nextBytes(bytes);
                    return new StoredResult.Present(bytes);
                }),
                Stream.of(-1L, 0L, 1L, 5_000_000_000L, Long.MAX_VALUE)
                        .map(size -> new StoredResult.Omitted("\u65E5".repeat(500), size)));
    }

    /** Results come back byte for byte, or with the reason why they were omitted. */
    @ParameterizedTest
    @MethodSource("results")
    void resultsOfEverySizeComeBack(StoredResult result) {
        Claim claim = fresh();
        assertApplied(store().complete(acquire(claim), result, RETENTION));
        assertThat(find(claim.id()).result()).isEqualTo(result);
        assertThat(duplicate(duplicateOf(claim)).result()).isEqualTo(result);
    }

    /** Any other failure than the store's rejection would be retried for a day, while the lease ends. */
    @Test
    void aResultThatTheStoreCanNeverHoldIsRejectedAndCanBeOmittedThen() {
        Ownership ownership = acquire(fresh());
        StoredResult large = new StoredResult.Present(new byte[LIMIT + LIMIT / 2]);
        contract.limitResults(LIMIT);
        try {
            Throwable refused = catchThrowable(() -> store().complete(ownership, large, RETENTION));
            if (refused == null) {
                assertThat(find(ownership.id()).result()).isEqualTo(large);
            } else {
                assertThat(refused).isInstanceOf(ResultRejectedException.class);
                StoredResult omitted = new StoredResult.Omitted("too large", LIMIT + LIMIT / 2);
                assertApplied(store().complete(ownership, omitted, RETENTION));
                assertThat(find(ownership.id()).result()).isEqualTo(omitted);
            }
        } finally {
            contract.limitResults(Integer.MAX_VALUE);
        }
    }

    @Test
    void failureKeepsWhatItHasAndWhatItLacks() {
        assertKept(new StoredFailure("com.acme.Declined", null, null));
        assertKept(new StoredFailure("com.acme.Declined", "declined", null));
        assertKept(new StoredFailure("com.acme.Declined", null, "E1"));
        assertKept(new StoredFailure("com.acme.Declined", "", ""));
    }

    private void assertKept(StoredFailure failure) {
        Ownership ownership = acquire(fresh());
        assertApplied(store().fail(ownership, failure, RETENTION));
        assertThat(find(ownership.id()).failure()).isEqualTo(failure);
    }

    @ParameterizedTest
    @ValueSource(strings = {"PT1M1.234S", "PT1M59.999S", "PT1H0.001S", "P40D", "P3660D"})
    void leaseAndRetentionLastAsLongAsAsked(Duration asked) {
        Claim claim = withRetention(withLease(fresh(), asked), asked.plus(LONG));
        Instant before = contract.storeTime();
        Ownership ownership = acquire(claim);
        StoredRecord claimed = find(claim.id());
        Duration passed = Duration.between(before, contract.storeTime());
        assertSpan(claimed.claimedAt(), claimed.leaseUntil(), asked);
        assertSpan(claimed.claimedAt(), claimed.expiresAt(), asked.plus(LONG));
        assertThat(claimed.remainingLease()).isBetween(asked.minus(passed).minusMillis(1), asked);
        apply(Verb.COMPLETE, ownership, asked);
        StoredRecord completed = find(claim.id());
        assertSpan(completed.settledAt(), completed.expiresAt(), asked);
    }

    @Test
    void instantsAreTheStoresClockInWholeMilliseconds() {
        Instant before = contract.storeTime();
        Claim claim = fresh();
        complete(acquire(claim));
        StoredRecord it = find(claim.id());
        Instant after = contract.storeTime();
        assertThat(Stream.of(it.claimedAt(), it.settledAt(), it.readAt()))
                .allSatisfy(instant -> assertThat(instant).isBetween(before.minusMillis(1), after.plusMillis(1)));
        assertThat(Stream.of(it.claimedAt(), it.leaseUntil(), it.settledAt(), it.expiresAt(), it.readAt()))
                .allSatisfy(instant -> assertThat(instant).isEqualTo(instant.truncatedTo(ChronoUnit.MILLIS)));
    }

    @Test
    void readingTellsTheTimeOfReading() {
        Claim claim = fresh();
        acquire(claim);
        Instant first = find(claim.id()).readAt();
        passes(SHORT);
        assertThat(find(claim.id()).readAt()).isAfterOrEqualTo(first.plus(SHORT));
        assertThat(duplicate(duplicateOf(claim)).readAt()).isAfterOrEqualTo(first.plus(SHORT));
    }

    @Test
    void fenceIsTheStoresClockInMicroseconds() {
        Claim claim = fresh();
        long fence = acquired(claim).fence();
        long claimedAt =
                ChronoUnit.MICROS.between(Instant.EPOCH, find(claim.id()).claimedAt());
        assertThat(fence).isBetween(claimedAt - 1_000, claimedAt + 1_000_000);
    }
}
