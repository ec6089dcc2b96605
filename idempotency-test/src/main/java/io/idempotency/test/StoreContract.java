package io.idempotency.test;

import static org.assertj.core.api.Assertions.assertThat;

import io.idempotency.runtime.store.AuditNote;
import io.idempotency.runtime.store.Claim;
import io.idempotency.runtime.store.ClaimResult;
import io.idempotency.runtime.store.IdempotencyStore;
import io.idempotency.runtime.store.Ownership;
import io.idempotency.runtime.store.RecordId;
import io.idempotency.runtime.store.Renewal;
import io.idempotency.runtime.store.Settled;
import io.idempotency.runtime.store.StoredFailure;
import io.idempotency.runtime.store.StoredRecord;
import io.idempotency.runtime.store.StoredResult;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.parallel.ResourceAccessMode;
import org.junit.jupiter.api.parallel.ResourceLock;

/**
 * What all parts of the contract say to a store, and how they read its answers. Parts may run at the same time: each uses keys of its
 * own. A part that changes the store as a whole asks to write to {@link IdempotencyStoreTck#STORE}, and then runs alone.
 */
@ResourceLock(value = IdempotencyStoreTck.STORE, mode = ResourceAccessMode.READ)
abstract class StoreContract {

    static final int SHORT_MILLIS = 150;
    static final Duration SHORT = Duration.ofMillis(SHORT_MILLIS);
    static final Duration LONG = Duration.ofMinutes(10);
    static final Duration RETENTION = Duration.ofDays(1);
    static final StoredResult RESULT = new StoredResult.Present("{\"id\":\"p-1\"}".getBytes(StandardCharsets.UTF_8));
    static final StoredFailure FAILURE = new StoredFailure("com.acme.CardExpired", "card expired", "E42");

    static final AuditNote NOTE = new AuditNote("anna looked it up at the provider", RETENTION);

    private final IdempotencyStoreTck kit;

    StoreContract(IdempotencyStoreTck kit) {
        this.kit = kit;
    }

    final IdempotencyStore store() {
        return kit.store();
    }

    final boolean tellsWaiters() {
        return kit.tellsWaiters();
    }

    final Duration signalsWithin() {
        return kit.signalsWithin();
    }

    final void passes(Duration duration) {
        kit.timePasses(duration);
    }

    /** Long enough for everything {@link #SHORT} to be over, whatever a store does with fractions of a millisecond. */
    final void shortPasses() {
        passes(SHORT.plusMillis(2));
    }

    final Instant storeTime() {
        return kit.storeTime();
    }

    /** The same claim, whose fence is a day ahead of the store's clock where the kit can make it so. */
    final Ownership aheadOfTheClock(Ownership ownership) {
        kit.raiseFence(
                ownership.id(),
                ownership.fence() + ChronoUnit.DAYS.getDuration().toNanos() / 1000);
        return new Ownership(
                ownership.id(), ownership.owner(), find(ownership.id()).fence());
    }

    /** As if the claim had been made long ago, where the kit can make it so: a store that remembers fences may forget this one. */
    final void fenceIsOld(Ownership ownership) {
        kit.raiseFence(ownership.id(), 1);
    }

    /** As if the store's clock had been set back, where the kit can make it so: a lease that was over stands again. */
    final void leaseStandsAgain(RecordId id) {
        kit.moveLease(id, LONG);
    }

    final void limitResults(int bytes) {
        kit.limitResults(bytes);
    }

    final ClaimResult claim(Claim claim) {
        return store().claim(claim);
    }

    final ClaimResult.Acquired acquired(Claim claim) {
        ClaimResult result = claim(claim);
        assertThat(result).isInstanceOf(ClaimResult.Acquired.class);
        return (ClaimResult.Acquired) result;
    }

    final Ownership acquire(Claim claim) {
        return new Ownership(claim.id(), claim.owner(), acquired(claim).fence());
    }

    final StoredRecord duplicate(Claim claim) {
        ClaimResult result = claim(claim);
        assertThat(result).isInstanceOf(ClaimResult.Duplicate.class);
        return ((ClaimResult.Duplicate) result).record();
    }

    final StoredRecord find(RecordId id) {
        return store().find(id).orElseThrow(() -> new AssertionError("The record is absent"));
    }

    final void assertAbsent(RecordId id) {
        assertThat(store().find(id)).isEmpty();
    }

    final Settled complete(Ownership ownership) {
        return store().complete(ownership, RESULT, RETENTION);
    }

    final Settled fail(Ownership ownership) {
        return store().fail(ownership, FAILURE, RETENTION);
    }

    final Settled release(Ownership ownership) {
        return store().release(ownership);
    }

    final Settled doubt(Ownership ownership) {
        return store().doubt(ownership, "the connection broke", RETENTION);
    }

    final Settled renew(Ownership ownership, Duration lease) {
        return store().renew(List.of(new Renewal(ownership, lease, RETENTION))).get(0);
    }

    static void assertApplied(Settled settled) {
        assertThat(settled).isInstanceOf(Settled.Applied.class);
    }

    /** The record that a stale caller is shown. */
    static @Nullable StoredRecord stale(Settled settled) {
        assertThat(settled).isInstanceOf(Settled.Stale.class);
        return ((Settled.Stale) settled).current();
    }

    /** A stale caller sees the record as it was and still is. */
    final void assertStaleAndUnchanged(Settled settled, StoredRecord before) {
        assertSame(stale(settled), before);
        assertUnchanged(before);
    }

    final void assertUnchanged(StoredRecord before) {
        assertSame(find(before.id()), before);
    }

    /** Equal but for the moment of reading. */
    static void assertSame(@Nullable StoredRecord actual, StoredRecord expected) {
        assertThat(actual).usingRecursiveComparison().ignoringFields("readAt").isEqualTo(expected);
    }

    static void assertKeptSinceSettled(StoredRecord record, Duration retention) {
        assertSpan(record.settledAt(), record.expiresAt(), retention);
    }

    static void assertSpan(@Nullable Instant from, @Nullable Instant to, Duration expected) {
        if (from == null || to == null) {
            throw new AssertionError("From " + from + " to " + to + " is no span of " + expected);
        }
        assertThat(Duration.between(from, to)).isCloseTo(expected, Duration.ofMillis(20));
    }
}
