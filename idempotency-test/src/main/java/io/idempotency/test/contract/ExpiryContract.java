package io.idempotency.test.contract;

import static org.assertj.core.api.Assertions.assertThat;

import io.idempotency.runtime.store.Claim;
import io.idempotency.runtime.store.ClaimResult;
import io.idempotency.runtime.store.IdempotencyStore;
import io.idempotency.runtime.store.Ownership;
import io.idempotency.runtime.store.RecordState;
import io.idempotency.runtime.store.Settled;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** An expired record is absent, removed or not. */
abstract class ExpiryContract extends ContractPart {

    @ParameterizedTest
    @EnumSource(names = {"COMPLETE", "FAIL", "DOUBT"})
    void recordsAreForgottenAfterTheRetentionOfTheirOutcomeAndClaimedAnewOneByOne(Verb verb) {
        Claim claim = fresh();
        Claim other = withRetention(fresh(), IdempotencyStore.FOREVER);
        Ownership ownership = acquire(claim);
        Ownership otherOwnership = acquire(other);
        apply(verb, ownership, SHORT);
        apply(verb, otherOwnership, SHORT);
        shortPasses();
        assertClaimedAnew(claim, ownership);
        assertClaimedAnew(other, otherOwnership);
    }

    @Test
    void abandonedClaimIsForgottenAfterItsRetention() {
        Claim claim = withRetention(withLease(fresh(), SHORT.dividedBy(2)), SHORT);
        Ownership ownership = acquire(claim);
        shortPasses();
        assertClaimedAnew(claim, ownership);
    }

    private void assertClaimedAnew(Claim expired, Ownership former) {
        assertAbsent(expired.id());
        assertThat(store().list(RecordState.IN_DOUBT, Duration.ZERO, 10_000))
                .noneMatch(record -> record.id().equals(expired.id()));
        Claim next = withOperation(takeOver(expired), OTHER_OPERATION).with(OTHER_FINGERPRINT);
        ClaimResult.Acquired acquired = acquired(withRetention(next, RETENTION));
        assertThat(acquired.attempt()).isEqualTo(1);
        assertThat(acquired.fence()).isGreaterThan(former.fence());
        assertThat(find(expired.id()).state()).isEqualTo(RecordState.IN_PROGRESS);
        assertThat(find(expired.id()).operation()).isEqualTo(OTHER_OPERATION);
    }

    /** No remainder of the former record hinders the next one's take-over or expiry. */
    @ParameterizedTest
    @EnumSource(names = {"COMPLETE", "FAIL", "DOUBT"})
    void keyThatIsClaimedAnewIsLikeANewOne(Verb verb) {
        Claim first = withRetention(fresh(), SHORT);
        apply(verb, acquire(first), SHORT);
        shortPasses();
        Claim next = withRetention(duplicateOf(first), RETENTION);
        assertThat(acquired(withLease(next, SHORT)).attempt()).isEqualTo(1);
        shortPasses();
        Claim third = takeOver(next);
        ClaimResult.Acquired taken = acquired(third);
        assertThat(taken.attempt()).isEqualTo(2);
        // a claim whose record expires before the answer may be repeated, as a new one
        Ownership owner = new Ownership(third.id(), third.owner(), taken.fence());
        assertApplied(renew(owner, SHORT.dividedBy(2), SHORT));
        shortPasses();
        assertThat(acquired(duplicateOf(next)).attempt()).isEqualTo(1);
    }

    /** A busy machine may need a longer retention to take the step within it. */
    @ParameterizedTest
    @EnumSource(names = {"RENEW", "FAIL"})
    void renewalAndOutcomeExtendTheRetention(Verb verb) {
        Claim claim = fresh();
        Duration former = SHORT;
        Settled settled;
        do {
            former = former.multipliedBy(8);
            Ownership ownership = acquire(withRetention(claim, former));
            settled = apply(verb, ownership, verb == Verb.FAIL ? IdempotencyStore.FOREVER : RETENTION);
        } while (settled instanceof Settled.Stale && former.compareTo(LONG) < 0);
        assertApplied(settled);
        passes(former.plusMillis(2));
        assertThat(find(claim.id()).state())
                .isEqualTo(verb == Verb.FAIL ? RecordState.FAILED : RecordState.IN_PROGRESS);
    }

    @Test
    void retentionCanBeWithoutAnEnd() {
        Ownership ownership = acquire(withRetention(fresh(), IdempotencyStore.FOREVER));
        assertThat(find(ownership.id()).expiresAt()).isNull();
        for (Verb verb : new Verb[] {Verb.RENEW, Verb.DOUBT, Verb.COMPLETE}) {
            assertApplied(apply(verb, ownership, IdempotencyStore.FOREVER));
            assertThat(find(ownership.id()).expiresAt()).isNull();
        }
    }
}
