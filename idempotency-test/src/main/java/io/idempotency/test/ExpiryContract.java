package io.idempotency.test;

import static org.assertj.core.api.Assertions.assertThat;

import io.idempotency.runtime.store.Claim;
import io.idempotency.runtime.store.ClaimResult;
import io.idempotency.runtime.store.IdempotencyStore;
import io.idempotency.runtime.store.Ownership;
import io.idempotency.runtime.store.RecordState;
import io.idempotency.runtime.store.Renewal;
import io.idempotency.runtime.store.Settled;
import java.time.Duration;
import java.util.List;
import java.util.function.Function;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** An expired record is absent, whether or not it was removed yet. */
abstract class ExpiryContract extends StoreContract {

    /** Long enough for a busy machine to get a call in before it is over. */
    private static final Duration A_WHILE = SHORT.multipliedBy(8);

    ExpiryContract(IdempotencyStoreTck kit) {
        super(kit);
    }

    @Test
    void completedRecordIsForgottenAfterItsRetention() {
        Claim claim = Claims.fresh();
        Ownership ownership = acquire(claim);
        store().complete(ownership, RESULT, SHORT);
        shortPasses();
        assertClaimedAnew(claim, ownership);
    }

    @Test
    void failedRecordIsForgottenAfterItsRetention() {
        Claim claim = Claims.fresh();
        Ownership ownership = acquire(claim);
        store().fail(ownership, FAILURE, SHORT);
        shortPasses();
        assertClaimedAnew(claim, ownership);
    }

    @Test
    void recordInDoubtIsForgottenAfterItsRetention() {
        Claim claim = Claims.fresh();
        Ownership ownership = acquire(claim);
        store().doubt(ownership, "timed out", SHORT);
        shortPasses();
        assertClaimedAnew(claim, ownership);
    }

    @Test
    void abandonedClaimIsForgottenAfterItsRetention() {
        Claim claim = Claims.retention(Claims.lease(Claims.fresh(), SHORT.dividedBy(2)), SHORT);
        Ownership ownership = acquire(claim);
        shortPasses();
        assertClaimedAnew(claim, ownership);
    }

    /** Nothing of the former record keeps the next one from being taken over, or from expiring. */
    @ParameterizedTest
    @EnumSource(names = {"COMPLETE", "FAIL", "DOUBT"})
    void keyThatIsClaimedAnewIsLikeANewOne(Verb verb) {
        Claim first = Claims.retention(Claims.fresh(), SHORT);
        Ownership former = acquire(first);
        switch (verb) {
            case COMPLETE -> store().complete(former, RESULT, SHORT);
            case FAIL -> store().fail(former, FAILURE, SHORT);
            default -> store().doubt(former, "timed out", SHORT);
        }
        shortPasses();
        assertThat(acquired(Claims.retention(Claims.lease(Claims.duplicateOf(first), SHORT), RETENTION))
                        .attempt())
                .isEqualTo(1);
        shortPasses();
        Claim third = Claims.takingOver(Claims.retention(Claims.duplicateOf(first), RETENTION));
        ClaimResult.Acquired taken = acquired(third);
        assertThat(taken.attempt()).isEqualTo(2);
        Ownership owner = new Ownership(third.id(), third.owner(), taken.fence());
        // a claim that is over before it is answered may be made once more, as a new one
        assertApplied(store().renew(List.of(new Renewal(owner, SHORT.dividedBy(2), SHORT)))
                .get(0));
        shortPasses();
        assertThat(acquired(Claims.retention(Claims.duplicateOf(first), RETENTION))
                        .attempt())
                .isEqualTo(1);
    }

    @ParameterizedTest
    @EnumSource
    void claimWithoutAnEndIsOwnedAsAnyOther(Verb verb) {
        Claim claim = Claims.retention(Claims.fresh(), IdempotencyStore.FOREVER);
        assertApplied(verb.apply(this, acquire(claim)));
    }

    @Test
    void otherExpiredKeysStayExpiredWhenOneIsClaimedAnew() {
        Claim first = Claims.fresh();
        Claim other = Claims.fresh();
        store().complete(acquire(first), RESULT, SHORT);
        store().complete(acquire(other), RESULT, SHORT);
        shortPasses();
        acquire(Claims.duplicateOf(first));
        assertAbsent(other.id());
        assertThat(acquired(Claims.duplicateOf(other)).attempt()).isEqualTo(1);
    }

    private void assertClaimedAnew(Claim expired, Ownership former) {
        assertAbsent(expired.id());
        assertThat(store().list(RecordState.IN_DOUBT, Duration.ZERO, 10_000))
                .noneMatch(record -> record.id().equals(expired.id()));
        Claim next = Claims.fingerprint(Claims.operation(Claims.duplicateOf(expired), "refund-payment"), "v1:6b86b273");
        ClaimResult.Acquired acquired =
                acquired(Claims.takingOver(Claims.retention(Claims.lease(next, LONG), RETENTION)));
        assertThat(acquired.attempt()).isEqualTo(1);
        assertThat(acquired.fence()).isGreaterThan(former.fence());
        assertThat(find(expired.id()).state()).isEqualTo(RecordState.IN_PROGRESS);
        assertThat(find(expired.id()).operation()).isEqualTo("refund-payment");
    }

    @Test
    void recordIsThereUntilItsRetentionIsOver() {
        Claim claim = Claims.fresh();
        store().complete(acquire(claim), RESULT, RETENTION);
        passes(SHORT.multipliedBy(2));
        assertThat(duplicate(Claims.duplicateOf(claim)).result()).isEqualTo(RESULT);
    }

    @Test
    void renewalExtendsTheRetention() {
        Claim claim = Claims.fresh();
        Duration former = inTime(kept -> renew(acquire(Claims.retention(claim, kept)), LONG));
        passes(former.plusMillis(2));
        assertThat(find(claim.id()).state()).isEqualTo(RecordState.IN_PROGRESS);
    }

    /** The retention within which the step came: a busy machine may hold a call up for longer than a while. */
    private static Duration inTime(Function<Duration, Settled> step) {
        Duration retention = A_WHILE;
        Settled settled = step.apply(retention);
        while (settled instanceof Settled.Stale && retention.compareTo(LONG) < 0) {
            retention = retention.multipliedBy(8);
            settled = step.apply(retention);
        }
        assertApplied(settled);
        return retention;
    }

    @Test
    void retentionCanBeWithoutAnEnd() {
        Claim claim = Claims.retention(Claims.fresh(), IdempotencyStore.FOREVER);
        Ownership ownership = acquire(claim);
        assertThat(find(claim.id()).expiresAt()).isNull();
        assertApplied(store().renew(List.of(new Renewal(ownership, LONG, IdempotencyStore.FOREVER)))
                .get(0));
        assertThat(find(claim.id()).expiresAt()).isNull();
        assertApplied(store().doubt(ownership, "timed out", IdempotencyStore.FOREVER));
        assertThat(find(claim.id()).expiresAt()).isNull();
        assertApplied(store().complete(ownership, RESULT, IdempotencyStore.FOREVER));
        assertThat(find(claim.id()).expiresAt()).isNull();
    }

    @Test
    void recordKeptForEverWhileOpenIsForgottenOnceItIsSettled() {
        Claim claim = Claims.retention(Claims.fresh(), IdempotencyStore.FOREVER);
        store().complete(acquire(claim), RESULT, SHORT);
        shortPasses();
        assertAbsent(claim.id());
    }

    @Test
    void recordKeptForSomeTimeWhileOpenIsKeptForEverOnceItIsSettled() {
        Claim claim = Claims.fresh();
        Duration former =
                inTime(kept -> store().fail(acquire(Claims.retention(claim, kept)), FAILURE, IdempotencyStore.FOREVER));
        passes(former.plusMillis(2));
        assertThat(find(claim.id()).failure()).isEqualTo(FAILURE);
    }
}
