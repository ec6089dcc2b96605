package io.idempotency.test.contract;

import static org.assertj.core.api.Assertions.assertThat;

import io.idempotency.runtime.store.Claim;
import io.idempotency.runtime.store.Ownership;
import io.idempotency.runtime.store.RecordState;
import io.idempotency.runtime.store.Settled;
import io.idempotency.runtime.store.StoredFailure;
import io.idempotency.runtime.store.StoredRecord;
import io.idempotency.runtime.store.StoredResult;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The owner records a result, a final failure, or that it does not know the outcome. */
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
    @EnumSource(names = {"COMPLETE", "FAIL"})
    void outcomeAfterADoubtClearsIt(Verb verb) {
        Ownership ownership = arrange(Situation.DOUBTED, fresh());
        assertApplied(apply(verb, ownership));
        assertOutcome(verb, find(ownership.id()));
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
    void reasonOfADoubtCanBeAddedAfterTheLease() {
        Ownership ownership = arrange(Situation.LEASE_OVER, fresh());
        assertApplied(doubt(ownership));
        assertThat(find(ownership.id()).doubt()).isEqualTo(REASON);
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
}
