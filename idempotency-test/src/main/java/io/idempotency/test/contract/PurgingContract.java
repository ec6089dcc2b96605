package io.idempotency.test.contract;

import static org.assertj.core.api.Assertions.assertThat;

import io.idempotency.runtime.store.Claim;
import io.idempotency.runtime.store.ClaimResult;
import io.idempotency.runtime.store.IdempotencyStore;
import io.idempotency.runtime.store.Ownership;
import io.idempotency.runtime.store.StoredRecord;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.ResourceLock;

/** Purging removes expired records. It locks the store: a lock of single tests would hold up all of their class. */
@ResourceLock(StoreContract.STORE)
abstract class PurgingContract extends ContractPart {

    /** A purge that finds expired records and then removes them by their keys would remove another call's claim. */
    @Test
    void keyThatIsClaimedWhileItIsPurgedIsGrantedOnce() {
        List<Claim> keys = Stream.generate(ContractPart::fresh).limit(24).toList();
        keys.forEach(key -> apply(Verb.COMPLETE, ofLongAgo(acquire(key)), SHORT));
        theyExpire();
        List<Long> granted = Together.run(8, node -> {
            if (node % 2 == 1) {
                return (long) store().purge(1000);
            }
            return keys.stream()
                    .filter(key -> claim(duplicateOf(key)) instanceof ClaimResult.Acquired)
                    .count();
        });
        long claims = IntStream.of(0, 2, 4, 6).mapToLong(granted::get).sum();
        assertThat(claims).isEqualTo(keys.size());
        keys.forEach(key -> duplicate(duplicateOf(key)));
    }

    /** Counts no records, since records of other tests are purged as well. */
    @Test
    void expiredRecordsGoInBatches() {
        for (int i = 0; i < 5; i++) {
            apply(Verb.COMPLETE, ofLongAgo(acquire(fresh())), SHORT); // its fence first: then it may expire at any time
        }
        theyExpire();
        assertThat(Stream.generate(() -> store().purge(2)).takeWhile(removed -> removed > 0))
                .allMatch(removed -> removed <= 2);
    }

    /** Uses old fences, which are no reason to keep a record. */
    @Test
    void liveRecordsStayWhicheverNodesPurgeAndExpiredKeysAreClaimedAgain() {
        List<Claim> expired = Stream.generate(ContractPart::fresh).limit(20).toList();
        List<Ownership> former = expired.stream().map(this::acquire).toList();
        former.forEach(ownership -> apply(Verb.COMPLETE, ownership, SHORT));
        List<Ownership> alive = Stream.of(Situation.values())
                .flatMap(situation -> Stream.of(RETENTION, IdempotencyStore.FOREVER)
                        .map(retention -> ofLongAgo(arrange(situation, withRetention(fresh(), retention)))))
                .toList();
        theyExpire();
        List<StoredRecord> before =
                alive.stream().map(ownership -> find(ownership.id())).toList();
        assertThat(Together.run(8, node -> store().purge(3))).allMatch(removed -> removed >= 0 && removed <= 3);
        store().purge(10_000);
        before.forEach(this::assertUnchanged);
        for (int i = 0; i < expired.size(); i++) {
            assertAbsent(expired.get(i).id());
            assertThat(acquired(duplicateOf(expired.get(i))).fence())
                    .isGreaterThan(former.get(i).fence());
        }
    }
}
