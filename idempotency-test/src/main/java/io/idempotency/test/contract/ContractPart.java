package io.idempotency.test.contract;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import io.idempotency.runtime.store.AuditNote;
import io.idempotency.runtime.store.Claim;
import io.idempotency.runtime.store.ClaimResult;
import io.idempotency.runtime.store.IdempotencyStore;
import io.idempotency.runtime.store.Ownership;
import io.idempotency.runtime.store.RecordId;
import io.idempotency.runtime.store.Renewal;
import io.idempotency.runtime.store.Settled;
import io.idempotency.runtime.store.StoredArguments;
import io.idempotency.runtime.store.StoredFailure;
import io.idempotency.runtime.store.StoredRecord;
import io.idempotency.runtime.store.StoredResult;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.extension.BeforeEachCallback;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.parallel.ResourceAccessMode;
import org.junit.jupiter.api.parallel.ResourceLock;

/**
 * Calls and assertions for all parts of the contract. Parts may run at the same time, each with its own keys. A part
 * that changes the store as a whole locks {@link StoreContract#STORE} for writing, and runs alone.
 */
@ResourceLock(value = StoreContract.STORE, mode = ResourceAccessMode.READ)
abstract class ContractPart {

    static final Duration SHORT = Duration.ofMillis(StoreContract.SHORT_MILLIS);
    static final Duration LONG = Duration.ofMinutes(10);
    static final Duration RETENTION = Duration.ofDays(1);
    static final StoredResult RESULT = new StoredResult.Present("{\"id\":\"p-1\"}".getBytes(StandardCharsets.UTF_8));
    static final StoredFailure FAILURE = new StoredFailure("com.acme.CardExpired", "card expired", "E42");
    static final String REASON = "the connection broke";
    static final AuditNote NOTE = new AuditNote("anna looked it up at the provider", RETENTION);
    static final String OTHER_OPERATION = "refund-payment";
    static final String OTHER_FINGERPRINT = "v1:6b86b273";

    @SuppressWarnings("NullAway.Init")
    StoreContract contract;

    @RegisterExtension
    final BeforeEachCallback nested = context -> contract =
            context.getRequiredTestInstances().findInstance(StoreContract.class).orElseThrow();

    /** The states of a record, and how it got there. */
    enum Situation {
        IN_PROGRESS,
        LEASE_OVER,
        DOUBTED,
        COMPLETED,
        FAILED,
        COMPLETED_LEASE_OVER,
        FAILED_LEASE_OVER
    }

    /** The calls by which an owner changes its claim. */
    enum Verb {
        COMPLETE,
        FAIL,
        RELEASE,
        DOUBT,
        RENEW
    }

    final IdempotencyStore store() {
        return contract.store();
    }

    final void passes(Duration duration) {
        contract.timePasses(duration);
    }

    /** Lets {@link #SHORT} pass, also for a store that rounds milliseconds up. */
    final void shortPasses() {
        passes(SHORT.plusMillis(2));
    }

    /** Lets records expire. A virtual clock also passes their fences, for which a record is kept for a minute. */
    final void theyExpire() {
        long begun = System.nanoTime();
        shortPasses();
        if (System.nanoTime() - begun < SHORT.toNanos()) {
            passes(IdempotencyStore.FENCE_MEMORY);
        }
    }

    /** Sets the claim's fence a day ahead of the store's clock, if the store's test can do that. */
    final Ownership aheadOfTheClock(Ownership ownership) {
        long day = ChronoUnit.DAYS.getDuration().toNanos() / 1000;
        return withFence(ownership, ownership.fence() + day);
    }

    /** Sets the claim's fence so low that the store need not remember it, if the store's test can do that. */
    final Ownership ofLongAgo(Ownership ownership) {
        return withFence(ownership, 1);
    }

    private Ownership withFence(Ownership it, long fence) {
        contract.raiseFence(it.id(), fence);
        return new Ownership(it.id(), it.owner(), find(it.id()).fence());
    }

    /** Returns the first claim of an unused key; its lease and retention outlast the test. */
    static Claim fresh() {
        RecordId id = RecordId.of("tck", null, null, token());
        return new Claim(id, "charge-payment", "v1:5feceb66", token(), LONG, RETENTION, false);
    }

    /** Returns the claim of another call with the same key and arguments. */
    static Claim duplicateOf(Claim claim) {
        return withOwner(claim.withoutArguments(), token());
    }

    /** Returns the claim of another call with the same key and arguments, which takes over what is in doubt. */
    static Claim takeOver(Claim claim) {
        return withLease(takingOver(duplicateOf(claim)), LONG);
    }

    static Claim takingOver(Claim it) {
        return new Claim(it.id(), it.operation(), it.fingerprint(), it.owner(), it.lease(), it.retention(), true);
    }

    static Claim withArguments(Claim claim, StoredArguments arguments) {
        return with(claim, claim.operation(), claim.owner(), claim.lease(), claim.retention(), arguments);
    }

    static Claim withOperation(Claim claim, String operation) {
        return with(claim, operation, claim.owner(), claim.lease(), claim.retention(), claim.arguments());
    }

    static Claim withOwner(Claim claim, String owner) {
        return with(claim, claim.operation(), owner, claim.lease(), claim.retention(), claim.arguments());
    }

    static Claim withLease(Claim claim, Duration lease) {
        return with(claim, claim.operation(), claim.owner(), lease, claim.retention(), claim.arguments());
    }

    static Claim withRetention(Claim claim, Duration retention) {
        return with(claim, claim.operation(), claim.owner(), claim.lease(), retention, claim.arguments());
    }

    private static Claim with(
            Claim it,
            String operation,
            String owner,
            Duration lease,
            Duration retention,
            @Nullable StoredArguments arguments) {
        return new Claim(it.id(), operation, it.fingerprint(), owner, lease, retention, it.takeOver(), arguments);
    }

    static String token() {
        return UUID.randomUUID().toString();
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

    /** Claims the key and brings its record into a situation, kept for the claim's retention. */
    final Ownership arrange(Situation situation, Claim claim) {
        boolean leaseIsOver = situation.name().endsWith("LEASE_OVER");
        Ownership ownership = acquire(leaseIsOver ? withLease(claim, SHORT) : claim);
        switch (situation) {
            case IN_PROGRESS, LEASE_OVER -> {}
            case DOUBTED -> assertApplied(apply(Verb.DOUBT, ownership, claim.retention()));
            case COMPLETED, COMPLETED_LEASE_OVER -> assertApplied(apply(Verb.COMPLETE, ownership, claim.retention()));
            case FAILED, FAILED_LEASE_OVER -> assertApplied(apply(Verb.FAIL, ownership, claim.retention()));
        }
        if (leaseIsOver) {
            shortPasses();
        }
        return ownership;
    }

    final StoredRecord find(RecordId id) {
        return store().find(id).orElseThrow(() -> new AssertionError("The record is absent"));
    }

    final Settled apply(Verb verb, Ownership ownership) {
        return apply(verb, ownership, RETENTION);
    }

    final Settled apply(Verb verb, Ownership ownership, Duration retention) {
        return switch (verb) {
            case COMPLETE -> store().complete(ownership, RESULT, retention);
            case FAIL -> store().fail(ownership, FAILURE, retention);
            case RELEASE -> store().release(ownership);
            case DOUBT -> store().doubt(ownership, REASON, retention);
            case RENEW -> renew(ownership, LONG, retention);
        };
    }

    final Settled complete(Ownership ownership) {
        return apply(Verb.COMPLETE, ownership);
    }

    final Settled release(Ownership ownership) {
        return store().release(ownership);
    }

    final Settled doubt(Ownership ownership) {
        return apply(Verb.DOUBT, ownership);
    }

    final Settled renew(Ownership ownership, Duration lease) {
        return renew(ownership, lease, RETENTION);
    }

    final Settled renew(Ownership ownership, Duration lease, Duration retention) {
        return store().renew(List.of(new Renewal(ownership, lease, retention))).get(0);
    }

    final void assertAbsent(RecordId id) {
        assertThat(store().find(id)).isEmpty();
    }

    static void assertApplied(Settled settled) {
        assertThat(settled).isInstanceOf(Settled.Applied.class);
    }

    /** Returns the record that a stale caller is shown. */
    static @Nullable StoredRecord stale(Settled settled) {
        assertThat(settled).isInstanceOf(Settled.Stale.class);
        return ((Settled.Stale) settled).current();
    }

    /** Verifies that a stale caller sees the record as it was and still is. */
    final void assertStaleAndUnchanged(Settled settled, StoredRecord before) {
        assertSame(stale(settled), before);
        assertUnchanged(before);
    }

    final void assertUnchanged(StoredRecord before) {
        assertSame(find(before.id()), before);
    }

    /** Verifies that the records are equal but for the moment of reading and the named fields. */
    static void assertSame(@Nullable StoredRecord actual, StoredRecord expected, String... changed) {
        assertThat(actual)
                .usingRecursiveComparison()
                .ignoringFields("readAt")
                .ignoringFields(changed)
                .isEqualTo(expected);
    }

    static void assertSpan(@Nullable Instant from, @Nullable Instant to, Duration expected) {
        assertThat(Duration.between(requireNonNull(from), requireNonNull(to)))
                .isCloseTo(expected, Duration.ofMillis(20));
    }
}
