package io.idempotency.test;

import static org.assertj.core.api.Assertions.assertThat;

import io.idempotency.runtime.store.Claim;
import io.idempotency.runtime.store.ClaimResult;
import io.idempotency.runtime.store.IdempotencyStore;
import io.idempotency.runtime.store.Ownership;
import io.idempotency.runtime.store.RecordId;
import io.idempotency.runtime.store.RecordState;
import io.idempotency.runtime.store.Resolution;
import io.idempotency.runtime.store.Settled;
import io.idempotency.runtime.store.StoredRecord;
import io.idempotency.runtime.store.StoredResult;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** An operator or a reconciler decides. */
abstract class ResolvingContract extends StoreContract {

    private static final Resolution COMPLETE = new Resolution.Complete(RESULT, RETENTION.multipliedBy(2));
    private static final Resolution FAIL = new Resolution.Fail(FAILURE, RETENTION.multipliedBy(2));
    private static final Resolution FORGET = new Resolution.Forget();

    ResolvingContract(IdempotencyStoreTck kit) {
        super(kit);
    }

    @ParameterizedTest
    @EnumSource(names = {"LEASE_OVER", "DOUBTED"})
    void recordInDoubtIsCompleted(Situation situation) {
        Ownership ownership = situation.arrange(this, Claims.fresh());
        assertApplied(resolve(ownership, COMPLETE));
        StoredRecord record = find(ownership.id());
        assertThat(record.state()).isEqualTo(RecordState.COMPLETED);
        assertThat(record.result()).isEqualTo(RESULT);
        assertThat(record.doubt()).isNull();
        assertKeptSinceSettled(record, RETENTION.multipliedBy(2));
    }

    @ParameterizedTest
    @EnumSource(names = {"LEASE_OVER", "DOUBTED"})
    void recordInDoubtIsFailed(Situation situation) {
        Ownership ownership = situation.arrange(this, Claims.fresh());
        assertApplied(resolve(ownership, FAIL));
        StoredRecord record = find(ownership.id());
        assertThat(record.state()).isEqualTo(RecordState.FAILED);
        assertThat(record.failure()).isEqualTo(FAILURE);
        assertThat(record.doubt()).isNull();
        assertKeptSinceSettled(record, RETENTION.multipliedBy(2));
    }

    @ParameterizedTest
    @EnumSource(names = {"LEASE_OVER", "DOUBTED"})
    void recordInDoubtIsForgotten(Situation situation) {
        Claim claim = Claims.fresh();
        Ownership ownership = situation.arrange(this, claim);
        assertApplied(resolve(ownership, FORGET));
        assertAbsent(claim.id());
        ClaimResult.Acquired next = acquired(Claims.duplicateOf(claim));
        assertThat(next.attempt()).isEqualTo(1);
        assertThat(next.fence()).isGreaterThan(ownership.fence());
    }

    @Test
    void resultCanBeOmitted() {
        Ownership ownership = Situation.DOUBTED.arrange(this, Claims.fresh());
        StoredResult omitted = new StoredResult.Omitted("settled by hand", -1);
        assertApplied(resolve(ownership, new Resolution.Complete(omitted, RETENTION)));
        assertThat(find(ownership.id()).result()).isEqualTo(omitted);
    }

    @Test
    void formerOwnerIsStaleAfterwardsAndItsClaimADuplicate() {
        for (Resolution resolution : List.of(COMPLETE, FAIL)) {
            Claim claim = Claims.fresh();
            Ownership former = Situation.DOUBTED.arrange(this, claim);
            assertApplied(resolve(former, resolution));
            StoredRecord resolved = find(claim.id());
            assertThat(resolved.fence()).isGreaterThan(former.fence());
            for (Verb verb : Verb.values()) {
                assertStaleAndUnchanged(verb.apply(this, former), resolved);
            }
            assertSame(duplicate(claim), resolved);
        }
    }

    @Test
    void formerOwnerOfAForgottenRecordIsStale() {
        Ownership former = Situation.DOUBTED.arrange(this, Claims.fresh());
        resolve(former, FORGET);
        assertThat(stale(complete(former))).isNull();
        assertAbsent(former.id());
    }

    @Test
    void otherFenceThanTheOperatorSawIsStale() {
        for (Resolution resolution : List.of(COMPLETE, FAIL, FORGET)) {
            Ownership ownership = Situation.DOUBTED.arrange(this, Claims.fresh());
            StoredRecord before = find(ownership.id());
            assertStaleAndUnchanged(resolve(ownership.id(), ownership.fence() - 1, resolution), before);
            assertStaleAndUnchanged(resolve(ownership.id(), ownership.fence() + 1, resolution), before);
        }
    }

    @ParameterizedTest
    @EnumSource(
            mode = EnumSource.Mode.EXCLUDE,
            names = {"LEASE_OVER", "DOUBTED"})
    void recordThatIsNotInDoubtIsLeftAlone(Situation situation) {
        for (Resolution resolution : List.of(COMPLETE, FAIL, FORGET)) {
            Ownership ownership = situation.arrange(this, Claims.fresh());
            assertStaleAndUnchanged(resolve(ownership, resolution), find(ownership.id()));
        }
    }

    @Test
    void ofTwoKeysWithOneFenceTheOneThatIsNamedIsResolved() {
        for (Resolution resolution : List.of(COMPLETE, FAIL, FORGET)) {
            Ownership first = Situation.DOUBTED.arrange(this, Claims.fresh());
            Ownership second = Situation.DOUBTED.arrange(this, Claims.fresh());
            fenceIsOld(first);
            fenceIsOld(second);
            StoredRecord other = find(second.id());
            assertApplied(resolve(first.id(), find(first.id()).fence(), resolution));
            assertUnchanged(other);
        }
    }

    @Test
    void recordThatIsKeptForEverIsResolved() {
        for (Resolution resolution : List.of(COMPLETE, FAIL, FORGET)) {
            Ownership ownership = acquire(Claims.retention(Claims.fresh(), IdempotencyStore.FOREVER));
            assertApplied(store().doubt(ownership, "timed out", IdempotencyStore.FOREVER));
            assertApplied(resolve(ownership, resolution));
        }
    }

    @Test
    void settledRecordWhoseFenceIsAheadOfTheClockRisesAllTheSame() {
        for (Resolution resolution : List.of(COMPLETE, FAIL)) {
            Ownership ownership = aheadOfTheClock(Situation.DOUBTED.arrange(this, Claims.fresh()));
            assertApplied(resolve(ownership, resolution));
            assertThat(find(ownership.id()).fence()).isGreaterThan(ownership.fence());
        }
    }

    @Test
    void absentRecordCannotBeResolved() {
        for (Resolution resolution : List.of(COMPLETE, FAIL, FORGET)) {
            RecordId id = Claims.fresh().id();
            assertThat(stale(resolve(id, 1, resolution))).isNull();
            assertAbsent(id);
        }
    }

    private Settled resolve(Ownership ownership, Resolution resolution) {
        return resolve(ownership.id(), ownership.fence(), resolution);
    }

    private Settled resolve(RecordId id, long fence, Resolution resolution) {
        return store().resolve(id, fence, resolution, NOTE);
    }
}
