package io.idempotency.test;

import static org.assertj.core.api.Assertions.assertThat;

import io.idempotency.runtime.store.AuditNote;
import io.idempotency.runtime.store.Claim;
import io.idempotency.runtime.store.ClaimResult;
import io.idempotency.runtime.store.IdempotencyStore;
import io.idempotency.runtime.store.Ownership;
import io.idempotency.runtime.store.RecordId;
import io.idempotency.runtime.store.RecordState;
import io.idempotency.runtime.store.StoredArguments;
import io.idempotency.runtime.store.StoredFailure;
import io.idempotency.runtime.store.StoredRecord;
import io.idempotency.runtime.store.StoredResult;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The data of a call goes, the fact that it was made stays. */
abstract class ErasingContract extends StoreContract {

    private static final AuditNote WISH = new AuditNote("the customer asked for it", RETENTION);
    private static final String[] DATA = {"readAt", "result", "failure", "doubt", "arguments"};

    ErasingContract(IdempotencyStoreTck kit) {
        super(kit);
    }

    @Test
    void resultIsErased() {
        StoredRecord erased = erased(Situation.COMPLETED.arrange(this, Claims.fresh()));
        assertThat(erased.state()).isEqualTo(RecordState.COMPLETED);
        assertThat(erased.result()).isEqualTo(StoredResult.ERASED);
    }

    @Test
    void messageAndCodeOfAFailureAreErased() {
        StoredRecord erased = erased(Situation.FAILED.arrange(this, Claims.fresh()));
        assertThat(erased.state()).isEqualTo(RecordState.FAILED);
        assertThat(erased.failure()).isEqualTo(FAILURE.erased());
        Ownership other = acquire(Claims.fresh());
        store().fail(other, new StoredFailure("com.acme.Declined", null, null), RETENTION);
        assertThat(erased(other).failure()).isEqualTo(new StoredFailure("com.acme.Declined", null, null));
    }

    @ParameterizedTest
    @EnumSource(names = {"LEASE_OVER", "DOUBTED"})
    void argumentsAndReasonOfADoubtAreErased(Situation situation) {
        Claim claim = Claims.arguments(Claims.fresh(), new StoredArguments(new byte[] {1, 2, 3}));
        StoredRecord erased = erased(situation.arrange(this, claim));
        assertThat(erased.state()).isEqualTo(RecordState.IN_DOUBT);
        assertThat(erased.arguments()).isNull();
        assertThat(erased.doubt())
                .isIn(
                        situation == Situation.DOUBTED
                                ? List.of(IdempotencyStore.ERASED)
                                : Arrays.asList(null, IdempotencyStore.LEASE_OVER));
    }

    @ParameterizedTest
    @EnumSource(names = {"COMPLETED", "FAILED", "LEASE_OVER", "DOUBTED"})
    void keyIsClaimedAsLittleAsBefore(Situation situation) {
        Claim claim = Claims.fresh();
        StoredRecord erased = erased(situation.arrange(this, claim));
        assertSame(duplicate(Claims.duplicateOf(claim)), erased);
        assertThat(claim(Claims.fingerprint(Claims.duplicateOf(claim), "v1:other")))
                .isInstanceOf(ClaimResult.OtherArguments.class);
    }

    @ParameterizedTest
    @EnumSource(names = {"COMPLETED", "FAILED", "LEASE_OVER", "DOUBTED"})
    void erasingTwiceIsHarmlessAndOnRecord(Situation situation) {
        StoredRecord erased = erased(situation.arrange(this, Claims.fresh()));
        assertApplied(store().erase(erased.id(), new AuditNote("again", RETENTION)));
        assertUnchanged(erased);
        assertThat(store().audit(erased.id())).containsExactly(WISH.text(), "again");
    }

    @Test
    void ownerOfAnErasedDoubtStillSettlesIt() {
        Ownership ownership = Situation.DOUBTED.arrange(this, Claims.fresh());
        erased(ownership);
        assertApplied(complete(ownership));
        assertThat(find(ownership.id()).result()).isEqualTo(RESULT);
    }

    @Test
    void claimWhoseLeaseStandsIsLeftAlone() {
        Ownership ownership = acquire(Claims.fresh());
        assertStaleAndUnchanged(store().erase(ownership.id(), WISH), find(ownership.id()));
        assertThat(store().audit(ownership.id())).isEmpty();
    }

    @Test
    void absentRecordCannotBeErased() {
        RecordId id = Claims.fresh().id();
        assertThat(stale(store().erase(id, WISH))).isNull();
        assertAbsent(id);
        assertThat(store().audit(id)).isEmpty();
    }

    @Test
    void recordThatIsKeptForEverIsErased() {
        Ownership ownership = acquire(Claims.fresh());
        store().complete(ownership, RESULT, IdempotencyStore.FOREVER);
        assertThat(erased(ownership).expiresAt()).isNull();
    }

    /** Everything but the data is as it was. */
    private StoredRecord erased(Ownership ownership) {
        StoredRecord before = find(ownership.id());
        assertApplied(store().erase(ownership.id(), WISH));
        StoredRecord after = find(ownership.id());
        assertThat(after).usingRecursiveComparison().ignoringFields(DATA).isEqualTo(before);
        assertThat(store().audit(ownership.id())).containsExactly(WISH.text());
        return after;
    }
}
