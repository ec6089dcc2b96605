package io.idempotency.test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import io.idempotency.runtime.store.Claim;
import io.idempotency.runtime.store.ClaimResult;
import io.idempotency.runtime.store.Ownership;
import io.idempotency.runtime.store.ResultRejectedException;
import io.idempotency.runtime.store.StoredFailure;
import io.idempotency.runtime.store.StoredResult;
import java.util.Random;
import java.util.concurrent.CompletionException;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.ResourceLock;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What is stored comes back as it was. NUL and unpaired surrogates are no text to any database and not tried. */
@ResourceLock(IdempotencyStoreTck.STORE)
abstract class ValuesContract extends StoreContract {

    private static final int LIMIT = 1 << 20;

    ValuesContract(IdempotencyStoreTck kit) {
        super(kit);
    }

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
    void everyTextIsAnOperationAndAFingerprint(String text) {
        Claim claim = Claims.fingerprint(Claims.operation(Claims.fresh(), text), text);
        complete(acquire(claim));
        assertThat(find(claim.id()).operation()).isEqualTo(text);
        assertThat(find(claim.id()).fingerprint()).isEqualTo(text);
        assertThat(duplicate(Claims.duplicateOf(claim)).result()).isEqualTo(RESULT);
    }

    @ParameterizedTest
    @MethodSource("texts")
    void everyTextIsAFailureAndAReason(String text) {
        Claim failing = Claims.fresh();
        StoredFailure failure = new StoredFailure(text, text, text);
        assertApplied(store().fail(acquire(failing), failure, RETENTION));
        assertThat(find(failing.id()).failure()).isEqualTo(failure);
        Claim doubtful = Claims.fresh();
        assertApplied(store().doubt(acquire(doubtful), text, RETENTION));
        assertThat(find(doubtful.id()).doubt()).isEqualTo(text);
    }

    @ParameterizedTest
    @ValueSource(strings = {"a", "\u65E5"})
    void longestTextsAreKept(String letter) {
        Claim claim = Claims.operation(Claims.fresh(), letter.repeat(250));
        claim = Claims.owner(Claims.fingerprint(claim, letter.repeat(100)), letter.repeat(64));
        Ownership ownership = acquire(claim);
        assertApplied(store().doubt(ownership, letter.repeat(500), RETENTION));
        assertThat(find(claim.id()).doubt()).hasSize(500);
        StoredFailure failure = new StoredFailure(letter.repeat(250), letter.repeat(2000), letter.repeat(100));
        assertApplied(store().fail(ownership, failure, RETENTION));
        assertThat(find(claim.id()).failure()).isEqualTo(failure);
        assertThat(find(claim.id()).operation()).isEqualTo(claim.operation());
        assertThat(find(claim.id()).fingerprint()).isEqualTo(claim.fingerprint());
        assertThat(find(claim.id()).owner()).isEqualTo(claim.owner());
    }

    /** Collations love to call these equal. */
    @ParameterizedTest
    @ValueSource(strings = {"Charge", "charge ", " charge", "chargé", "charge\u200B"})
    void textsThatOnlyLookAlikeAreDifferent(String other) {
        Claim claim = Claims.fingerprint(Claims.operation(Claims.fresh(), "charge"), "charge");
        Ownership ownership = acquire(claim);
        assertThat(claim(Claims.operation(claim, other))).isInstanceOf(ClaimResult.OtherOperation.class);
        assertThat(claim(Claims.fingerprint(claim, other))).isInstanceOf(ClaimResult.OtherArguments.class);
        assertThat(claim(Claims.owner(claim, other))).isInstanceOf(ClaimResult.Duplicate.class);
        stale(complete(new Ownership(claim.id(), other, ownership.fence())));
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 255, 65_537, 1_048_576})
    void resultsOfEverySizeComeBackByteForByte(int size) {
        byte[] bytes = new byte[size];
        new Random(size).nextBytes(bytes);
        StoredResult result = new StoredResult.Present(bytes);
        Claim claim = Claims.fresh();
        assertApplied(store().complete(acquire(claim), result, RETENTION));
        assertThat(find(claim.id()).result()).isEqualTo(result);
        assertThat(duplicate(Claims.duplicateOf(claim)).result()).isEqualTo(result);
    }

    /** Any other failure would be tried again for a day, while the lease ends. */
    @Test
    void aResultThatTheStoreCanNeverHoldIsRejectedAndCanBeOmittedThen() {
        Claim claim = Claims.fresh();
        Ownership ownership = acquire(claim);
        StoredResult large = new StoredResult.Present(new byte[LIMIT + LIMIT / 2]);
        limitResults(LIMIT);
        try {
            Throwable refused = catchThrowable(() -> store().complete(ownership, large, RETENTION));
            if (refused == null) {
                assertThat(find(claim.id()).result()).isEqualTo(large);
            } else {
                assertThat(refused).satisfies(ValuesContract::isRejection);
                StoredResult omitted = new StoredResult.Omitted("too large", LIMIT + LIMIT / 2);
                assertApplied(store().complete(ownership, omitted, RETENTION));
                assertThat(find(claim.id()).result()).isEqualTo(omitted);
            }
        } finally {
            limitResults(Integer.MAX_VALUE);
        }
    }

    private static void isRejection(Throwable refused) {
        Throwable own = refused instanceof CompletionException ? refused.getCause() : refused;
        assertThat(own).isInstanceOf(ResultRejectedException.class);
    }

    @ParameterizedTest
    @ValueSource(longs = {-1, 0, 1, Long.MAX_VALUE})
    void omittedResultKeepsItsReasonAndSize(long size) {
        StoredResult omitted = new StoredResult.Omitted("\u65E5".repeat(500), size);
        Claim claim = Claims.fresh();
        assertApplied(store().complete(acquire(claim), omitted, RETENTION));
        assertThat(find(claim.id()).result()).isEqualTo(omitted);
    }

    static Stream<StoredFailure> failures() {
        return Stream.of(
                new StoredFailure("com.acme.Declined", null, null),
                new StoredFailure("com.acme.Declined", "declined", null),
                new StoredFailure("com.acme.Declined", null, "E1"),
                new StoredFailure("com.acme.Declined", "", ""));
    }

    @ParameterizedTest
    @MethodSource("failures")
    void failureKeepsWhatItHasAndWhatItLacks(StoredFailure failure) {
        Claim claim = Claims.fresh();
        assertApplied(store().fail(acquire(claim), failure, RETENTION));
        assertThat(find(claim.id()).failure()).isEqualTo(failure);
    }
}
