package io.idempotency.test;

import static org.assertj.core.api.Assertions.assertThat;

import io.idempotency.runtime.store.Claim;
import io.idempotency.runtime.store.IdempotencyStore;
import io.idempotency.runtime.store.Ownership;
import io.idempotency.runtime.store.RecordId;
import io.idempotency.runtime.store.RecordQuery;
import io.idempotency.runtime.store.RecordState;
import io.idempotency.runtime.store.StoredRecord;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.OptionalLong;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** For operators. Records of other tests may be listed as well. */
abstract class ListingContract extends StoreContract {

    private static final int ALL = 10_000;

    ListingContract(IdempotencyStoreTck kit) {
        super(kit);
    }

    @ParameterizedTest
    @EnumSource
    void recordIsListedUnderItsStateOnly(Situation situation) {
        Ownership ownership = situation.arrange(this, Claims.fresh());
        StoredRecord record = find(ownership.id());
        for (RecordState state : RecordState.values()) {
            List<StoredRecord> own = list(state, Duration.ZERO, ALL).stream()
                    .filter(listed -> listed.id().equals(record.id()))
                    .toList();
            if (state == record.state()) {
                assertThat(own).hasSize(1);
                assertSame(own.get(0), record);
            } else {
                assertThat(own).isEmpty();
            }
        }
    }

    @ParameterizedTest
    @EnumSource(names = {"IN_PROGRESS", "LEASE_OVER", "DOUBTED", "COMPLETED", "FAILED"})
    void recordThatIsKeptForEverIsListed(Situation situation) {
        Claim claim = Claims.retention(Claims.fresh(), IdempotencyStore.FOREVER);
        Ownership ownership =
                acquire(situation == Situation.LEASE_OVER ? Claims.lease(claim, SHORT) : Claims.lease(claim, LONG));
        RecordState state = switch (situation) {
            case DOUBTED -> {
                assertApplied(join(store().doubt(ownership, "timed out", IdempotencyStore.FOREVER)));
                yield RecordState.IN_DOUBT;
            }
            case COMPLETED -> {
                assertApplied(join(store().complete(ownership, RESULT, IdempotencyStore.FOREVER)));
                yield RecordState.COMPLETED;
            }
            case FAILED -> {
                assertApplied(join(store().fail(ownership, FAILURE, IdempotencyStore.FOREVER)));
                yield RecordState.FAILED;
            }
            case LEASE_OVER -> {
                shortPasses();
                yield RecordState.IN_DOUBT;
            }
            default -> RecordState.IN_PROGRESS;
        };
        assertThat(list(state, Duration.ZERO, ALL)).extracting(StoredRecord::id).contains(ownership.id());
    }

    @Test
    void theNumberOfRecordsIsToldWhereTheStoreKnowsIt() {
        acquire(Claims.fresh());
        OptionalLong told = join(store().approximateSize());
        assertThat(told.isEmpty() || told.getAsLong() >= 0).isTrue();
    }

    @Test
    void longestClaimedComesFirst() {
        List<RecordId> own = new ArrayList<>();
        for (int i = 0; i < 3; i++) {
            own.add(Situation.DOUBTED.arrange(this, Claims.fresh()).id());
            passes(Duration.ofMillis(3));
        }
        List<StoredRecord> listed = list(RecordState.IN_DOUBT, Duration.ZERO, ALL);
        assertThat(listed).isSortedAccordingTo(Comparator.comparing(StoredRecord::claimedAt));
        assertThat(listed.stream().map(StoredRecord::id).filter(own::contains)).containsExactlyElementsOf(own);
    }

    @Test
    void onlyThoseClaimedLongEnoughAgoAreListed() {
        RecordId old = Situation.COMPLETED.arrange(this, Claims.fresh()).id();
        shortPasses();
        RecordId young = Situation.COMPLETED.arrange(this, Claims.fresh()).id();
        List<StoredRecord> listed = list(RecordState.COMPLETED, SHORT, ALL);
        assertThat(listed).extracting(StoredRecord::id).contains(old);
        assertThat(listed)
                .allSatisfy(record -> assertThat(Duration.between(record.claimedAt(), record.readAt()))
                        .isGreaterThanOrEqualTo(SHORT));
        assertThat(list(RecordState.COMPLETED, Duration.ofHours(1), ALL))
                .extracting(StoredRecord::id)
                .doesNotContain(old, young);
    }

    @Test
    void ageIsThatOfTheLastClaim() {
        Claim first = Claims.fresh();
        doubt(acquire(first));
        shortPasses();
        acquire(Claims.takingOver(Claims.duplicateOf(first)));
        StoredRecord record = find(first.id());
        assertThat(Duration.between(record.claimedAt(), record.readAt())).isLessThan(LONG);
        assertThat(list(RecordState.IN_PROGRESS, Duration.ofHours(1), ALL))
                .extracting(StoredRecord::id)
                .doesNotContain(first.id());
    }

    @Test
    void noMoreThanTheLimitAreListedAndTheyAreTheOldest() {
        List<StoredRecord> own = new ArrayList<>();
        for (int i = 0; i < 3; i++) {
            own.add(find(Situation.FAILED.arrange(this, Claims.fresh()).id()));
            passes(Duration.ofMillis(3));
        }
        List<StoredRecord> listed = list(RecordState.FAILED, Duration.ZERO, 2);
        assertThat(listed).hasSize(2);
        assertThat(listed)
                .allMatch(record -> !record.claimedAt().isAfter(own.get(1).claimedAt()));
    }

    @Test
    void expiredRecordIsNotListed() {
        Claim claim = Claims.fresh();
        join(store().fail(acquire(claim), FAILURE, SHORT));
        shortPasses();
        assertThat(list(RecordState.FAILED, Duration.ZERO, ALL))
                .extracting(StoredRecord::id)
                .doesNotContain(claim.id());
    }

    @Test
    void releasedRecordIsNotListed() {
        Claim claim = Claims.fresh();
        release(acquire(claim));
        assertThat(list(RecordState.IN_PROGRESS, Duration.ZERO, ALL))
                .extracting(StoredRecord::id)
                .doesNotContain(claim.id());
    }

    @ParameterizedTest
    @EnumSource(names = {"IN_PROGRESS", "LEASE_OVER", "COMPLETED"})
    void onlyTheOperationAskedForIsListed(Situation situation) {
        Claim other = Claims.operation(Claims.fresh(), "refund-" + UUID.randomUUID());
        RecordId charge = situation.arrange(this, Claims.fresh()).id();
        RecordId refund = situation.arrange(this, other).id();
        RecordState state = find(refund).state();
        assertThat(join(store().list(new RecordQuery(state, other.operation(), Duration.ZERO, null, ALL))))
                .extracting(StoredRecord::id)
                .containsExactly(refund)
                .doesNotContain(charge);
    }

    @ParameterizedTest
    @EnumSource(names = {"IN_PROGRESS", "LEASE_OVER", "COMPLETED"})
    void pagesGoOnBehindTheLastRecordSeen(Situation situation) {
        String operation = "page-" + UUID.randomUUID();
        List<RecordId> own = new ArrayList<>();
        for (int i = 0; i < 5; i++) {
            own.add(situation
                    .arrange(this, Claims.operation(Claims.fresh(), operation))
                    .id());
        }
        List<RecordId> seen = new ArrayList<>();
        RecordState state = find(own.get(0)).state();
        RecordQuery.Position after = null;
        for (int page = 0; page < 4; page++) {
            List<StoredRecord> listed = join(store().list(new RecordQuery(state, operation, Duration.ZERO, after, 2)));
            assertThat(listed).hasSize(page < 2 ? 2 : page == 2 ? 1 : 0);
            for (StoredRecord record : listed) {
                seen.add(record.id());
                after = RecordQuery.Position.of(record);
            }
        }
        assertThat(seen).containsExactlyInAnyOrderElementsOf(own);
    }

    @Test
    void storeThatAnswersIsUsable() {
        assertThat(join(store().health()).usable()).isTrue();
    }

    private List<StoredRecord> list(RecordState state, Duration olderThan, int limit) {
        return join(store().list(state, olderThan, limit));
    }
}
