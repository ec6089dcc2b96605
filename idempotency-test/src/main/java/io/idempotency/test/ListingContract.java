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
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
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
                assertApplied(store().doubt(ownership, "timed out", IdempotencyStore.FOREVER));
                yield RecordState.IN_DOUBT;
            }
            case COMPLETED -> {
                assertApplied(store().complete(ownership, RESULT, IdempotencyStore.FOREVER));
                yield RecordState.COMPLETED;
            }
            case FAILED -> {
                assertApplied(store().fail(ownership, FAILURE, IdempotencyStore.FOREVER));
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
        OptionalLong told = store().approximateSize();
        assertThat(told.isEmpty() || told.getAsLong() >= 0).isTrue();
    }

    @Test
    void longestClaimedComesFirst() {
        List<RecordId> own = new ArrayList<>();
        for (Situation situation : List.of(Situation.DOUBTED, Situation.LEASE_OVER, Situation.DOUBTED)) {
            own.add(situation.arrange(this, Claims.fresh()).id());
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
        store().fail(acquire(claim), FAILURE, SHORT);
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
    @EnumSource(names = {"IN_PROGRESS", "LEASE_OVER", "DOUBTED", "COMPLETED"})
    void onlyTheOperationAskedForIsListed(Situation situation) {
        Claim other = Claims.operation(Claims.fresh(), "refund-" + UUID.randomUUID());
        RecordId charge = situation.arrange(this, Claims.fresh()).id();
        RecordId refund = situation.arrange(this, other).id();
        RecordState state = find(refund).state();
        assertThat(page(state, other.operation(), null, ALL))
                .extracting(StoredRecord::id)
                .containsExactly(refund)
                .doesNotContain(charge);
    }

    /** Their ids run against their ages, two of which may be the same, so that neither of them alone says what a page begins with. */
    @ParameterizedTest
    @EnumSource(names = {"IN_PROGRESS", "LEASE_OVER", "DOUBTED", "COMPLETED"})
    void pagesGoOnBehindTheLastRecordSeen(Situation situation) {
        String operation = "page-" + UUID.randomUUID();
        List<Claim> claims = Stream.generate(() -> Claims.operation(Claims.fresh(), operation))
                .limit(5)
                .sorted(Comparator.comparing((Claim claim) -> claim.id().value())
                        .reversed())
                .toList();
        for (int i = 0; i < claims.size(); i++) {
            situation.arrange(this, claims.get(i));
            passes(Duration.ofMillis(i == 3 ? 0 : 3));
        }
        List<RecordId> seen = new ArrayList<>();
        RecordState state = find(claims.get(0).id()).state();
        RecordQuery.Position after = null;
        for (int page = 0; page < 4; page++) {
            List<StoredRecord> listed = page(state, operation, after, 2);
            assertThat(listed).hasSize(page < 2 ? 2 : page == 2 ? 1 : 0);
            for (StoredRecord record : listed) {
                seen.add(record.id());
                after = RecordQuery.Position.of(record);
            }
        }
        assertThat(seen)
                .containsExactlyInAnyOrderElementsOf(
                        claims.stream().map(Claim::id).toList());
    }

    @Test
    void recordsOfOtherStatesTakeNoRoomOnAPage() {
        String operation = "states-" + UUID.randomUUID();
        for (Situation situation : Situation.values()) {
            situation.arrange(this, Claims.operation(Claims.fresh(), operation));
        }
        for (Situation asked : Situation.values()) {
            Claim claim = Claims.operation(Claims.fresh(), operation);
            asked.arrange(this, claim);
            RecordState state = find(claim.id()).state();
            List<StoredRecord> all = page(state, operation, null, ALL);
            assertThat(all).extracting(StoredRecord::id).contains(claim.id());
            assertThat(page(state, operation, null, all.size())).hasSameSizeAs(all);
        }
    }

    @Test
    void storeThatAnswersIsUsable() {
        assertThat(store().health().usable()).isTrue();
    }

    private List<StoredRecord> page(
            RecordState state, String operation, RecordQuery.@Nullable Position after, int limit) {
        return store().list(new RecordQuery(state, operation, Duration.ZERO, after, limit));
    }

    private List<StoredRecord> list(RecordState state, Duration olderThan, int limit) {
        return store().list(state, olderThan, limit);
    }
}
