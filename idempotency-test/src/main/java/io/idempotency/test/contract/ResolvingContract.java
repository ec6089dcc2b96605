package io.idempotency.test.contract;

import static org.assertj.core.api.Assertions.assertThat;

import io.idempotency.runtime.store.AuditNote;
import io.idempotency.runtime.store.Claim;
import io.idempotency.runtime.store.ClaimResult;
import io.idempotency.runtime.store.IdempotencyStore;
import io.idempotency.runtime.store.Ownership;
import io.idempotency.runtime.store.RecordState;
import io.idempotency.runtime.store.Resolution;
import io.idempotency.runtime.store.Settled;
import io.idempotency.runtime.store.StoredRecord;
import io.idempotency.runtime.store.StoredResult;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** An operator or a reconciler decides, and the record's audit trail keeps who decided, and why. */
abstract class ResolvingContract extends ContractPart {

    private static final Duration OWN = RETENTION.multipliedBy(2);
    private static final Resolution COMPLETE = new Resolution.Complete(RESULT, OWN);
    private static final Resolution FAIL = new Resolution.Fail(FAILURE, OWN);
    private static final Resolution FORGET = new Resolution.Forget();
    private static final List<Resolution> ALL = List.of(COMPLETE, FAIL, FORGET);

    @ParameterizedTest
    @EnumSource(names = {"LEASE_OVER", "DOUBTED"})
    void recordInDoubtIsCompletedOrFailed(Situation situation) {
        StoredResult omitted = new StoredResult.Omitted("settled by hand", -1);
        for (Resolution resolution : List.of(COMPLETE, new Resolution.Complete(omitted, OWN), FAIL)) {
            Ownership ownership = arrange(situation, fresh());
            assertApplied(resolve(ownership, resolution));
            StoredRecord record = find(ownership.id());
            if (resolution instanceof Resolution.Complete completed) {
                assertThat(record.state()).isEqualTo(RecordState.COMPLETED);
                assertThat(record.result()).isEqualTo(completed.result());
            } else {
                assertThat(record.state()).isEqualTo(RecordState.FAILED);
                assertThat(record.failure()).isEqualTo(FAILURE);
            }
            assertThat(record.doubt()).isNull();
            assertSpan(record.settledAt(), record.expiresAt(), OWN);
        }
    }

    @ParameterizedTest
    @EnumSource(names = {"LEASE_OVER", "DOUBTED"})
    void recordInDoubtIsForgotten(Situation situation) {
        Claim claim = fresh();
        Ownership ownership = arrange(situation, claim);
        assertApplied(resolve(ownership, FORGET));
        assertAbsent(claim.id());
        assertThat(stale(complete(ownership))).isNull();
        assertAbsent(claim.id());
        ClaimResult.Acquired next = acquired(duplicateOf(claim));
        assertThat(next.attempt()).isEqualTo(1);
        assertThat(next.fence()).isGreaterThan(ownership.fence());
    }

    @Test
    void formerOwnerIsStaleAfterwardsAndItsClaimADuplicate() {
        for (Resolution resolution : List.of(COMPLETE, FAIL)) {
            Claim claim = fresh();
            Ownership former = aheadOfTheClock(arrange(Situation.DOUBTED, claim));
            assertApplied(resolve(former, resolution));
            StoredRecord resolved = find(claim.id());
            assertThat(resolved.fence()).isGreaterThan(former.fence());
            for (Verb verb : Verb.values()) {
                assertStaleAndUnchanged(apply(verb, former), resolved);
            }
            assertSame(duplicate(claim), resolved);
        }
    }

    @Test
    void otherFenceThanTheOperatorSawIsStaleAndNotOnRecord() {
        for (Resolution resolution : ALL) {
            Ownership seen = arrange(Situation.DOUBTED, fresh());
            StoredRecord before = find(seen.id());
            for (long fence : new long[] {seen.fence() - 1, seen.fence() + 1}) {
                Ownership other = new Ownership(seen.id(), seen.owner(), fence);
                assertStaleAndUnchanged(resolve(other, resolution), before);
            }
            assertThat(store().audit(seen.id())).isEmpty();
        }
    }

    @ParameterizedTest
    @EnumSource(
            mode = EnumSource.Mode.EXCLUDE,
            names = {"LEASE_OVER", "DOUBTED"})
    void recordThatIsNotInDoubtIsLeftAlone(Situation situation) {
        for (Resolution resolution : ALL) {
            Ownership ownership = arrange(situation, fresh());
            assertStaleAndUnchanged(resolve(ownership, resolution), find(ownership.id()));
            assertThat(store().audit(ownership.id())).isEmpty();
        }
    }

    @Test
    void recordThatIsKeptForEverIsResolvedAndNoOtherOfTheSameFence() {
        for (Resolution resolution : ALL) {
            Claim kept = withRetention(fresh(), IdempotencyStore.FOREVER);
            Ownership first = ofLongAgo(arrange(Situation.DOUBTED, kept));
            Ownership second = ofLongAgo(arrange(Situation.DOUBTED, fresh()));
            StoredRecord other = find(second.id());
            assertApplied(resolve(first, resolution));
            assertUnchanged(other);
        }
    }

    @Test
    void absentRecordCannotBeResolved() {
        for (Resolution resolution : ALL) {
            Ownership absent = new Ownership(fresh().id(), "somebody", 1);
            assertThat(stale(resolve(absent, resolution))).isNull();
            assertAbsent(absent.id());
            assertThat(store().audit(absent.id())).isEmpty();
        }
    }

    @Test
    void noteIsKeptAsItIsAndForEverWithEveryKindOfResolution() {
        AuditNote longest = new AuditNote("\u20ac".repeat(AuditNote.MAX_LENGTH), IdempotencyStore.FOREVER);
        for (Resolution resolution : ALL) {
            Ownership ownership = arrange(Situation.DOUBTED, fresh());
            assertThat(store().audit(ownership.id())).isEmpty();
            assertApplied(resolve(ownership, resolution, longest));
            assertThat(store().audit(ownership.id())).containsExactly(longest.text());
        }
    }

    @Test
    void trailOutlivesTheRecordAndLaterClaimsOfItsKey() {
        Claim claim = fresh();
        String first = "first: nothing at the provider";
        String second = "second: \u00fcber Umwege gefunden";
        resolve(arrange(Situation.DOUBTED, claim), FORGET, note(first));
        assertAbsent(claim.id());
        Ownership again = ofLongAgo(arrange(Situation.DOUBTED, duplicateOf(claim)));
        assertThat(store().audit(claim.id())).containsExactly(first);
        resolve(again, new Resolution.Fail(FAILURE, SHORT), note(second));
        theyExpire();
        store().purge(10_000);
        assertAbsent(claim.id());
        release(acquire(duplicateOf(claim)));
        assertThat(store().audit(claim.id())).containsExactly(first, second);
    }

    /** A background search takes over, and settles its own claim as an operator would. */
    @Test
    void whatWasFoundOutAboutAnAbandonedRunIsInItsTrail() {
        for (Resolution resolution : List.of(COMPLETE, FORGET)) {
            Claim claim = fresh();
            Ownership abandoned = arrange(Situation.DOUBTED, claim);
            Ownership search = acquire(takeOver(claim));
            stale(resolve(search, resolution, note("its search is not over")));
            doubt(search);
            stale(resolve(abandoned, resolution, note("of the former fence")));
            assertApplied(resolve(search, resolution, note("the search found it")));
            assertThat(store().audit(claim.id())).containsExactly("the search found it");
        }
    }

    @Test
    void trailEndsWithTheRetentionOfItsLastNote() {
        for (Resolution later : ALL) {
            Claim claim = fresh();
            resolve(arrange(Situation.DOUBTED, claim), FORGET, new AuditNote("first", LONG));
            Ownership again = arrange(Situation.DOUBTED, duplicateOf(claim));
            resolve(again, later, new AuditNote("last", SHORT));
            shortPasses();
            assertThat(store().audit(claim.id())).isEmpty();
        }
    }

    @Test
    void noteAfterTheEndOfATrailBeginsANewOne() {
        Claim claim = fresh();
        resolve(arrange(Situation.DOUBTED, claim), FORGET, new AuditNote("over", SHORT));
        shortPasses();
        resolve(arrange(Situation.DOUBTED, duplicateOf(claim)), FORGET, note("new"));
        assertThat(store().audit(claim.id())).containsExactly("new");
    }

    private static AuditNote note(String text) {
        return new AuditNote(text, RETENTION);
    }

    private Settled resolve(Ownership ownership, Resolution resolution) {
        return resolve(ownership, resolution, NOTE);
    }

    private Settled resolve(Ownership ownership, Resolution resolution, AuditNote note) {
        return store().resolve(ownership.id(), ownership.fence(), resolution, note);
    }
}
