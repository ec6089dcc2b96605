package io.idempotency.test.contract;

import static org.assertj.core.api.Assertions.assertThat;

import io.idempotency.runtime.store.AuditNote;
import io.idempotency.runtime.store.Claim;
import io.idempotency.runtime.store.ClaimResult;
import io.idempotency.runtime.store.IdempotencyStore;
import io.idempotency.runtime.store.Ownership;
import io.idempotency.runtime.store.RecordState;
import io.idempotency.runtime.store.StoredArguments;
import io.idempotency.runtime.store.StoredFailure;
import io.idempotency.runtime.store.StoredRecord;
import io.idempotency.runtime.store.StoredResult;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Erasing removes the data of a call, and keeps the fact that the call was made. */
abstract class ErasingContract extends ContractPart {

    private static final AuditNote WISH = new AuditNote("the customer asked for it", RETENTION);

    @Test
    void resultIsErased() {
        StoredRecord erased = erased(arrange(Situation.COMPLETED, withRetention(fresh(), IdempotencyStore.FOREVER)));
        assertThat(erased.state()).isEqualTo(RecordState.COMPLETED);
        assertThat(erased.result()).isEqualTo(StoredResult.ERASED);
        assertThat(erased.expiresAt()).isNull();
    }

    @Test
    void messageAndCodeOfAFailureAreErased() {
        StoredRecord erased = erased(arrange(Situation.FAILED, fresh()));
        assertThat(erased.state()).isEqualTo(RecordState.FAILED);
        assertThat(erased.failure()).isEqualTo(FAILURE.erased());
        Ownership other = acquire(fresh());
        StoredFailure bare = new StoredFailure("com.acme.Declined", null, null);
        store().fail(other, bare, RETENTION);
        assertThat(erased(other).failure()).isEqualTo(bare);
    }

    @ParameterizedTest
    @EnumSource(names = {"LEASE_OVER", "DOUBTED"})
    void argumentsAndReasonOfADoubtAreErasedAndItsOwnerStillSettlesIt(Situation situation) {
        Claim claim = withArguments(fresh(), new StoredArguments(new byte[] {1, 2, 3}));
        Ownership ownership = arrange(situation, claim);
        StoredRecord erased = erased(ownership);
        assertThat(erased.state()).isEqualTo(RecordState.IN_DOUBT);
        assertThat(erased.arguments()).isNull();
        if (situation == Situation.DOUBTED) {
            assertThat(erased.doubt()).isEqualTo(IdempotencyStore.ERASED);
        } else {
            assertThat(erased.doubt()).isIn(null, IdempotencyStore.LEASE_OVER);
        }
        assertApplied(complete(ownership));
        assertThat(find(claim.id()).result()).isEqualTo(RESULT);
    }

    @ParameterizedTest
    @EnumSource(names = {"COMPLETED", "FAILED", "LEASE_OVER", "DOUBTED"})
    void keyIsClaimedAsLittleAsBefore(Situation situation) {
        Claim claim = fresh();
        StoredRecord erased = erased(arrange(situation, claim));
        assertSame(duplicate(duplicateOf(claim)), erased);
        assertThat(claim(duplicateOf(claim).with(OTHER_FINGERPRINT))).isInstanceOf(ClaimResult.OtherArguments.class);
    }

    @ParameterizedTest
    @EnumSource(names = {"COMPLETED", "FAILED", "LEASE_OVER", "DOUBTED"})
    void erasingTwiceIsHarmlessAndOnRecord(Situation situation) {
        StoredRecord erased = erased(arrange(situation, fresh()));
        assertApplied(store().erase(erased.id(), new AuditNote("again", RETENTION)));
        assertUnchanged(erased);
        assertThat(store().audit(erased.id())).containsExactly(WISH.text(), "again");
    }

    @Test
    void claimWhoseLeaseStandsIsLeftAlone() {
        Ownership ownership = acquire(fresh());
        assertStaleAndUnchanged(store().erase(ownership.id(), WISH), find(ownership.id()));
        assertThat(store().audit(ownership.id())).isEmpty();
    }

    @Test
    void absentRecordCannotBeErased() {
        Claim claim = fresh();
        assertThat(stale(store().erase(claim.id(), WISH))).isNull();
        assertAbsent(claim.id());
        assertThat(store().audit(claim.id())).isEmpty();
    }

    /** Erases a record and verifies that all but the data is as it was. */
    private StoredRecord erased(Ownership ownership) {
        StoredRecord before = find(ownership.id());
        assertApplied(store().erase(ownership.id(), WISH));
        StoredRecord after = find(ownership.id());
        assertSame(after, before, "result", "failure", "doubt", "arguments");
        assertThat(store().audit(ownership.id())).containsExactly(WISH.text());
        return after;
    }
}
