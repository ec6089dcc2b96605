package io.idempotency.test.contract;

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
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Operators list records, possibly with those of other tests. */
abstract class ListingContract extends ContractPart {

    private static final int ALL = 10_000;

    @ParameterizedTest
    @EnumSource
    void recordIsListedUnderItsStateOnlyAlsoWhenItIsKeptForEver(Situation situation) {
        for (Duration retention : List.of(RETENTION, IdempotencyStore.FOREVER)) {
            StoredRecord record =
                    find(arrange(situation, withRetention(fresh(), retention)).id());
            for (RecordState state : RecordState.values()) {
                List<StoredRecord> own = list(state, Duration.ZERO).stream()
                        .filter(listed -> listed.id().equals(record.id()))
                        .toList();
                assertThat(own).hasSize(state == record.state() ? 1 : 0);
                own.forEach(listed -> assertSame(listed, record));
            }
        }
    }

    @Test
    void longestClaimedComesFirst() {
        List<RecordId> own = new ArrayList<>();
        for (Situation situation : List.of(Situation.DOUBTED, Situation.LEASE_OVER, Situation.DOUBTED)) {
            own.add(arrange(situation, fresh()).id());
            passes(Duration.ofMillis(3));
        }
        List<StoredRecord> listed = list(RecordState.IN_DOUBT, Duration.ZERO);
        assertThat(listed).isSortedAccordingTo(Comparator.comparing(StoredRecord::claimedAt));
        assertThat(listed.stream().map(StoredRecord::id).filter(own::contains)).containsExactlyElementsOf(own);
    }

    @ParameterizedTest
    @EnumSource(names = {"IN_PROGRESS", "LEASE_OVER", "DOUBTED", "COMPLETED"})
    void onlyThoseClaimedLongEnoughAgoAreListed(Situation situation) {
        RecordId old = arrange(situation, fresh()).id();
        shortPasses();
        RecordId young = arrange(situation, fresh()).id();
        RecordState state = find(young).state();
        List<StoredRecord> listed = list(state, SHORT);
        assertThat(listed).extracting(StoredRecord::id).contains(old);
        assertThat(listed)
                .allSatisfy(record -> assertThat(Duration.between(record.claimedAt(), record.readAt()))
                        .isGreaterThanOrEqualTo(SHORT));
        assertThat(list(state, Duration.ofHours(1)))
                .extracting(StoredRecord::id)
                .doesNotContain(old, young);
    }

    /** Whatever an operator types: some databases have characters that they do not take. */
    @Test
    void anOperationOfNoNamesCharactersHasNoRecords() {
        assertThat(store().list(new RecordQuery(RecordState.IN_DOUBT, "\0", Duration.ZERO, null, 2)))
                .isEmpty();
    }

    @Test
    void noMoreThanTheLimitAreListedAndTheyAreTheOldest() {
        List<StoredRecord> own = new ArrayList<>();
        for (int i = 0; i < 3; i++) {
            own.add(find(arrange(Situation.FAILED, fresh()).id()));
            passes(Duration.ofMillis(3));
        }
        assertThat(store().list(RecordState.FAILED, Duration.ZERO, 2))
                .hasSize(2)
                .allMatch(record -> !record.claimedAt().isAfter(own.get(1).claimedAt()));
    }

    @Test
    void expiredAndReleasedRecordsAreNotListed() {
        Ownership expired = acquire(fresh());
        apply(Verb.FAIL, expired, SHORT);
        Ownership released = acquire(fresh());
        release(released);
        shortPasses();
        for (RecordState state : RecordState.values()) {
            assertThat(list(state, Duration.ZERO))
                    .extracting(StoredRecord::id)
                    .doesNotContain(expired.id(), released.id());
        }
    }

    /** Arranges ids against ages, and equal ages: neither alone tells where a page begins. */
    @ParameterizedTest
    @EnumSource(names = {"IN_PROGRESS", "LEASE_OVER", "DOUBTED", "COMPLETED"})
    void pagesOfOneOperationGoOnBehindTheLastRecordSeen(Situation situation) {
        arrange(situation, fresh());
        String operation = "page-" + token();
        List<Claim> claims = Stream.generate(() -> withOperation(fresh(), operation))
                .limit(5)
                .sorted(Comparator.comparing((Claim claim) -> claim.id().value())
                        .reversed())
                .toList();
        for (int i = 0; i < claims.size(); i++) {
            arrange(situation, claims.get(i));
            passes(Duration.ofMillis(i == 3 ? 0 : 3));
        }
        List<RecordId> seen = new ArrayList<>();
        RecordState state = find(claims.get(0).id()).state();
        RecordQuery.Position after = null;
        for (int size : new int[] {2, 2, 1, 0}) {
            List<StoredRecord> listed = page(state, operation, after, 2);
            assertThat(listed).hasSize(size);
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
        String operation = "states-" + token();
        for (Situation situation : Situation.values()) {
            arrange(situation, withOperation(fresh(), operation));
        }
        for (Situation asked : Situation.values()) {
            RecordId id = arrange(asked, withOperation(fresh(), operation)).id();
            RecordState state = find(id).state();
            List<StoredRecord> all = page(state, operation, null, ALL);
            assertThat(all).extracting(StoredRecord::id).contains(id);
            assertThat(page(state, operation, null, all.size())).hasSameSizeAs(all);
        }
    }

    @Test
    void storeThatAnswersIsUsableAndTellsTheNumberOfRecordsWhereItKnowsIt() {
        acquire(fresh());
        assertThat(store().health().usable()).isTrue();
        assertThat(store().approximateSize().orElse(0)).isNotNegative();
    }

    private List<StoredRecord> page(
            RecordState state, String operation, RecordQuery.@Nullable Position after, int limit) {
        return store().list(new RecordQuery(state, operation, Duration.ZERO, after, limit));
    }

    private List<StoredRecord> list(RecordState state, Duration olderThan) {
        return store().list(state, olderThan, ALL);
    }
}
