package io.idempotency.test.contract;

import static org.assertj.core.api.Assertions.assertThat;

import io.idempotency.runtime.store.Claim;
import io.idempotency.runtime.store.IdempotencyStore;
import io.idempotency.runtime.store.Ownership;
import io.idempotency.runtime.store.Settled;
import io.idempotency.runtime.store.StoredRecord;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Every call of an owner compares owner and fence, not the lease; a stale caller changes nothing. */
abstract class OwningContract extends ContractPart {

    @ParameterizedTest
    @EnumSource
    void ownerMayAndMayAgainBecauseDriversResend(Verb verb) {
        Ownership withoutAnEnd = acquire(withRetention(fresh(), IdempotencyStore.FOREVER));
        for (Ownership ownership : List.of(acquire(fresh()), withoutAnEnd, aheadOfTheClock(acquire(fresh())))) {
            assertApplied(apply(verb, ownership));
            assertApplied(apply(verb, ownership));
        }
    }

    @ParameterizedTest
    @EnumSource
    void ownerOfTwoKeysWithOneFenceChangesTheOneThatItNames(Verb verb) {
        Claim claim = fresh();
        Ownership first = ofLongAgo(acquire(claim));
        Ownership second = ofLongAgo(acquire(withOwner(fresh(), claim.owner())));
        StoredRecord other = find(second.id());
        assertApplied(apply(verb, first));
        assertUnchanged(other);
    }

    @ParameterizedTest
    @EnumSource
    void otherOwnerAndSameOwnerWithAnotherFenceMayNot(Verb verb) {
        for (Situation situation : Situation.values()) {
            Ownership owner = arrange(situation, fresh());
            for (Ownership stranger : List.of(
                    new Ownership(owner.id(), token(), owner.fence()),
                    new Ownership(owner.id(), owner.owner(), owner.fence() - 1),
                    new Ownership(owner.id(), owner.owner(), owner.fence() + 1))) {
                assertRefused(verb, stranger);
            }
        }
    }

    @ParameterizedTest
    @EnumSource
    void formerOwnerMayNotAfterATakeOver(Verb verb) {
        Claim claim = fresh();
        Ownership former = arrange(Situation.DOUBTED, claim);
        Ownership current = acquire(takeOver(claim));
        assertRefused(verb, former);
        complete(current);
        assertRefused(verb, former);
    }

    @ParameterizedTest
    @EnumSource
    void formerOwnerMayNotWhenItsRecordExpiredAndTheKeyIsInUseAgain(Verb verb) {
        Claim claim = fresh();
        Ownership former = acquire(claim);
        apply(Verb.COMPLETE, former, SHORT);
        shortPasses();
        acquire(duplicateOf(claim));
        assertRefused(verb, former);
    }

    private void assertRefused(Verb verb, Ownership ownership) {
        StoredRecord before = find(ownership.id());
        assertStaleAndUnchanged(apply(verb, ownership), before);
    }

    /** An owner may repeat its call, which changes nothing. */
    @ParameterizedTest
    @EnumSource
    void settledRecordIsNotChanged(Verb verb) {
        for (Situation situation : List.of(
                Situation.COMPLETED, Situation.COMPLETED_LEASE_OVER, Situation.FAILED, Situation.FAILED_LEASE_OVER)) {
            Ownership ownership = arrange(situation, fresh());
            if (situation.name().startsWith(verb.name())) {
                StoredRecord before = find(ownership.id());
                assertApplied(apply(verb, ownership));
                assertUnchanged(before);
            } else {
                assertRefused(verb, ownership);
            }
        }
    }

    @ParameterizedTest
    @EnumSource
    void absentOrExpiredRecordHasNoOwner(Verb verb) {
        Ownership absent = new Ownership(fresh().id(), "somebody", 1);
        Ownership expired = acquire(withRetention(withLease(fresh(), SHORT.dividedBy(2)), SHORT));
        shortPasses();
        for (Ownership ownership : List.of(absent, expired)) {
            Settled settled = apply(verb, ownership);
            if (verb == Verb.RELEASE) {
                assertApplied(settled);
            } else {
                assertThat(stale(settled)).isNull();
            }
            assertAbsent(ownership.id());
        }
    }
}
