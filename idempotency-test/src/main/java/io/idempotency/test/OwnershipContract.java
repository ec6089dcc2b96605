package io.idempotency.test;

import static org.assertj.core.api.Assertions.assertThat;

import io.idempotency.runtime.store.Claim;
import io.idempotency.runtime.store.Ownership;
import io.idempotency.runtime.store.Settled;
import io.idempotency.runtime.store.StoredRecord;
import java.util.UUID;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Every verb compares owner and fence, not the lease; a stale caller changes nothing and learns how things stand. */
abstract class OwnershipContract extends StoreContract {

    OwnershipContract(IdempotencyStoreTck kit) {
        super(kit);
    }

    @ParameterizedTest
    @EnumSource
    void ownerMay(Verb verb) {
        assertApplied(verb.apply(this, acquire(Claims.fresh())));
    }

    @ParameterizedTest
    @EnumSource
    void ownerOfTwoKeysWithOneFenceChangesTheOneThatItNames(Verb verb) {
        Claim first = Claims.fresh();
        Claim second = Claims.owner(Claims.fresh(), first.owner());
        fenceIsOld(acquire(first));
        fenceIsOld(acquire(second));
        StoredRecord other = find(second.id());
        assertApplied(verb.apply(
                this, new Ownership(first.id(), first.owner(), find(first.id()).fence())));
        assertUnchanged(other);
    }

    @ParameterizedTest
    @EnumSource
    void ownerMayAgainBecauseDriversResend(Verb verb) {
        Ownership ownership = acquire(Claims.fresh());
        verb.apply(this, ownership);
        assertApplied(verb.apply(this, ownership));
    }

    @ParameterizedTest
    @EnumSource(mode = EnumSource.Mode.EXCLUDE, names = "RELEASE")
    void lateOwnerMayWhileNobodyTookOver(Verb verb) {
        Ownership ownership = acquire(Claims.lease(Claims.fresh(), SHORT));
        shortPasses();
        assertApplied(verb.apply(this, ownership));
    }

    @ParameterizedTest
    @EnumSource(
            mode = EnumSource.Mode.EXCLUDE,
            names = {"RELEASE", "RENEW"})
    void doubtfulOwnerMayAfterAll(Verb verb) {
        Ownership ownership = acquire(Claims.fresh());
        doubt(ownership);
        assertApplied(verb.apply(this, ownership));
    }

    @ParameterizedTest
    @EnumSource
    void otherOwnerMayNot(Verb verb) {
        for (Situation situation : Situation.values()) {
            Ownership ownership = situation.arrange(this, Claims.fresh());
            String stranger = UUID.randomUUID().toString();
            assertRefused(verb, new Ownership(ownership.id(), stranger, ownership.fence()));
        }
    }

    @ParameterizedTest
    @EnumSource
    void sameOwnerWithAnotherFenceMayNot(Verb verb) {
        for (Situation situation : Situation.values()) {
            Ownership ownership = situation.arrange(this, Claims.fresh());
            assertRefused(verb, new Ownership(ownership.id(), ownership.owner(), ownership.fence() - 1));
            assertRefused(verb, new Ownership(ownership.id(), ownership.owner(), ownership.fence() + 1));
        }
    }

    @ParameterizedTest
    @EnumSource
    void formerOwnerMayNotAfterATakeOver(Verb verb) {
        Claim claim = Claims.fresh();
        Ownership former = acquire(claim);
        doubt(former);
        Ownership current = acquire(Claims.takingOver(Claims.duplicateOf(claim)));
        assertRefused(verb, former);
        complete(current);
        assertRefused(verb, former);
    }

    @ParameterizedTest
    @EnumSource
    void formerOwnerMayNotWhenItsRecordExpiredAndTheKeyIsInUseAgain(Verb verb) {
        Claim claim = Claims.fresh();
        Ownership former = acquire(claim);
        store().complete(former, RESULT, SHORT);
        shortPasses();
        acquire(Claims.duplicateOf(claim));
        assertRefused(verb, former);
    }

    @ParameterizedTest
    @EnumSource
    void nobodyMayChangeACompletedRecord(Verb verb) {
        assertSettled(verb, Situation.COMPLETED.arrange(this, Claims.fresh()), verb == Verb.COMPLETE);
        assertSettled(verb, Situation.COMPLETED_LEASE_OVER.arrange(this, Claims.fresh()), verb == Verb.COMPLETE);
    }

    @ParameterizedTest
    @EnumSource
    void nobodyMayChangeAFailedRecord(Verb verb) {
        assertSettled(verb, Situation.FAILED.arrange(this, Claims.fresh()), verb == Verb.FAIL);
        assertSettled(verb, Situation.FAILED_LEASE_OVER.arrange(this, Claims.fresh()), verb == Verb.FAIL);
    }

    @ParameterizedTest
    @EnumSource
    void ownerMayAlsoWhenItsFenceIsAheadOfTheClock(Verb verb) {
        assertApplied(verb.apply(this, aheadOfTheClock(acquire(Claims.fresh()))));
    }

    @ParameterizedTest
    @EnumSource
    void absentRecordIsNobodys(Verb verb) {
        assertNobodys(verb, new Ownership(Claims.fresh().id(), "nobody", 1));
    }

    @ParameterizedTest
    @EnumSource
    void expiredRecordIsNobodys(Verb verb) {
        Ownership ownership = acquire(Claims.retention(Claims.lease(Claims.fresh(), SHORT.dividedBy(2)), SHORT));
        shortPasses();
        assertNobodys(verb, ownership);
    }

    private void assertRefused(Verb verb, Ownership ownership) {
        StoredRecord before = find(ownership.id());
        assertStaleAndUnchanged(verb.apply(this, ownership), before);
    }

    private void assertSettled(Verb verb, Ownership ownership, boolean repeated) {
        StoredRecord before = find(ownership.id());
        Settled settled = verb.apply(this, ownership);
        if (repeated) {
            assertApplied(settled);
            assertUnchanged(before);
        } else {
            assertStaleAndUnchanged(settled, before);
        }
    }

    private void assertNobodys(Verb verb, Ownership ownership) {
        Settled settled = verb.apply(this, ownership);
        if (verb == Verb.RELEASE) {
            assertApplied(settled);
        } else {
            assertThat(stale(settled)).isNull();
        }
        assertAbsent(ownership.id());
    }
}
