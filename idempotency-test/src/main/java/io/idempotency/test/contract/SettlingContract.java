package io.idempotency.test.contract;

import static org.assertj.core.api.Assertions.assertThat;

import io.idempotency.runtime.store.Claim;
import io.idempotency.runtime.store.ClaimResult;
import io.idempotency.runtime.store.Ownership;
import io.idempotency.runtime.store.RecordState;
import io.idempotency.runtime.store.Settled;
import io.idempotency.runtime.store.StoredFailure;
import io.idempotency.runtime.store.StoredRecord;
import io.idempotency.runtime.store.StoredResult;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.function.Function;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * The owner records a result, a final failure or an unknown outcome, or releases a key whose body had no effect. Once a
 * caller may have heard that the outcome is unknown and that the body is not run again, that stays true.
 */
abstract class SettlingContract extends ContractPart {

    @ParameterizedTest
    @EnumSource(names = {"COMPLETE", "FAIL", "DOUBT"})
    void duplicatesGetTheOutcomeAndTheClaimIsKept(Verb verb) {
        Claim claim = fresh();
        Ownership ownership = acquire(claim);
        StoredRecord before = find(claim.id());
        assertApplied(apply(verb, ownership));
        StoredRecord seen = duplicate(duplicateOf(claim));
        assertOutcome(verb, seen);
        assertThat(seen.settledAt()).isNotNull();
        String end = verb == Verb.DOUBT ? "leaseUntil" : "state";
        assertSame(seen, before, "state", "settledAt", "expiresAt", "result", "failure", "doubt", end);
        assertUnchanged(seen);
    }

    private static void assertOutcome(Verb verb, StoredRecord record) {
        assertThat(record.state())
                .isEqualTo(
                        switch (verb) {
                            case COMPLETE -> RecordState.COMPLETED;
                            case FAIL -> RecordState.FAILED;
                            default -> RecordState.IN_DOUBT;
                        });
        assertThat(record.result()).isEqualTo(verb == Verb.COMPLETE ? RESULT : null);
        assertThat(record.failure()).isEqualTo(verb == Verb.FAIL ? FAILURE : null);
        assertThat(record.doubt()).isEqualTo(verb == Verb.DOUBT ? REASON : null);
    }

    @ParameterizedTest
    @EnumSource(names = {"COMPLETE", "FAIL", "DOUBT"})
    void outcomeIsKeptFromNowOnForItsOwnRetention(Verb verb) {
        for (Duration own : List.of(RETENTION, RETENTION.multipliedBy(60))) {
            Claim claim = withRetention(fresh(), RETENTION.multipliedBy(30));
            apply(verb, acquire(claim), own);
            StoredRecord record = find(claim.id());
            assertSpan(record.settledAt(), record.expiresAt(), own);
        }
    }

    @ParameterizedTest
    @EnumSource(names = {"COMPLETE", "FAIL", "DOUBT"})
    void lateOutcomeIsRecordedAndClearsADoubt(Verb verb) {
        for (Situation situation : List.of(Situation.LEASE_OVER, Situation.DOUBTED)) {
            Ownership ownership = arrange(situation, fresh());
            assertApplied(apply(verb, ownership));
            assertOutcome(verb, find(ownership.id()));
        }
    }

    @ParameterizedTest
    @EnumSource(names = {"COMPLETE", "FAIL"})
    void secondOutcomeDoesNotReplaceTheFirst(Verb verb) {
        Ownership ownership = acquire(fresh());
        apply(verb, ownership);
        StoredRecord before = find(ownership.id());
        Duration longer = RETENTION.multipliedBy(2);
        Settled second = verb == Verb.COMPLETE
                ? store().complete(ownership, new StoredResult.Present(new byte[] {1, 2, 3}), longer)
                : store().fail(ownership, new StoredFailure("com.acme.Other", null, null), longer);
        assertStaleAndUnchanged(second, before);
    }

    @Test
    void doubtDoesNotPassWithTimeAndASecondOneChangesNothing() {
        Ownership ownership = acquire(fresh());
        assertApplied(store().doubt(ownership, "timed out", RETENTION));
        StoredRecord before = find(ownership.id());
        passes(SHORT);
        assertApplied(store().doubt(ownership, REASON, RETENTION.multipliedBy(2)));
        assertUnchanged(before);
    }

    @Test
    void releasedKeyIsNewButForItsFenceAndSafeFromALateRelease() {
        Claim claim = fresh();
        Ownership ownership = acquire(claim);
        assertApplied(release(ownership));
        assertAbsent(claim.id());
        store().purge(100); // forgets no fence
        ClaimResult.Acquired next =
                acquired(withOperation(duplicateOf(claim), OTHER_OPERATION).with(OTHER_FINGERPRINT));
        assertThat(next.attempt()).isEqualTo(1);
        assertThat(next.fence()).isGreaterThan(ownership.fence());
        assertThat(find(claim.id()).operation()).isEqualTo(OTHER_OPERATION);
        assertThat(find(claim.id()).fingerprint()).isEqualTo(OTHER_FINGERPRINT);
        assertStaleAndUnchanged(release(ownership), find(claim.id()));
    }

    @ParameterizedTest
    @EnumSource(names = {"LEASE_OVER", "DOUBTED"})
    void recordInDoubtIsNotReleased(Situation situation) {
        Claim claim = fresh();
        Ownership ownership = arrange(situation, claim);
        assertStaleAndUnchanged(release(ownership), find(claim.id()));
        assertThat(duplicate(duplicateOf(claim)).state()).isEqualTo(RecordState.IN_DOUBT);
        assertApplied(complete(ownership));
    }

    @Test
    void recordThatWasInDoubtIsNotReleasedAfterItsLeaseWasRenewed() {
        Claim claim = fresh();
        Ownership ownership = arrange(Situation.LEASE_OVER, claim);
        assertApplied(renew(ownership, LONG));
        assertApplied(renew(ownership, LONG));
        assertThat(find(claim.id()).doubt()).isNotNull();
        assertStaleAndUnchanged(release(ownership), find(claim.id()));
        assertThat(duplicate(duplicateOf(claim)).state()).isEqualTo(RecordState.IN_PROGRESS);
        assertApplied(complete(ownership));
        assertThat(find(claim.id()).doubt()).isNull();
    }

    /** The caller that saw the record in doubt has answered that the body is not run again. */
    @Test
    void recordThatWasSeenInDoubtIsNotReleasedWhenTheClockIsSetBack() {
        List<Function<Claim, StoredRecord>> readings = List.of(
                claim -> duplicate(duplicateOf(claim)),
                claim -> find(claim.id()),
                claim -> Objects.requireNonNull(stale(release(new Ownership(claim.id(), "somebody", 1)))));
        for (Function<Claim, StoredRecord> reading : readings) {
            Claim claim = fresh();
            Ownership ownership = arrange(Situation.LEASE_OVER, claim);
            assertThat(reading.apply(claim).state()).isEqualTo(RecordState.IN_DOUBT);
            contract.moveLease(claim.id(), LONG);
            assertStaleAndUnchanged(release(ownership), find(claim.id()));
            assertThat(find(claim.id()).owner()).isEqualTo(claim.owner());
            assertApplied(complete(ownership));
            assertThat(find(claim.id()).doubt()).isNull();
        }
    }

    @Test
    void recordsOfOtherKeysAreNotInDoubtWithIt() {
        Ownership running = acquire(fresh());
        Ownership past = acquire(withLease(fresh(), SHORT));
        complete(past);
        StoredRecord former = find(past.id());
        Claim abandoned = fresh();
        arrange(Situation.LEASE_OVER, abandoned);
        assertThat(duplicate(duplicateOf(abandoned)).state()).isEqualTo(RecordState.IN_DOUBT);
        assertUnchanged(former);
        assertApplied(release(running));
    }

    @Test
    void recordThatWasTakenOverIsReleasedByItsNewOwner() {
        Claim claim = fresh();
        renew(arrange(Situation.LEASE_OVER, claim), SHORT);
        shortPasses();
        assertApplied(release(acquire(takeOver(claim))));
        assertAbsent(claim.id());
    }
}
