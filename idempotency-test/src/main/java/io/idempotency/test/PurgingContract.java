package io.idempotency.test;

import static org.assertj.core.api.Assertions.assertThat;

import io.idempotency.runtime.store.Claim;
import io.idempotency.runtime.store.Ownership;
import io.idempotency.runtime.store.StoredRecord;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.ResourceLock;

/** What is expired goes, in batches; what is alive stays. A store that forgets by itself removes nothing here. */
@ResourceLock(IdempotencyStoreTck.STORE)
abstract class PurgingContract extends StoreContract {

    PurgingContract(IdempotencyStoreTck kit) {
        super(kit);
    }

    /** How many there are is not said: what other tests left goes as well, and a store may forget expired records by itself. */
    @Test
    void expiredRecordsGoInBatches() {
        for (int i = 0; i < 5; i++) {
            Ownership ownership = acquire(Claims.fresh());
            store().complete(ownership, RESULT, SHORT);
            fenceIsOld(ownership);
        }
        shortPasses();
        assertThat(Stream.generate(() -> store().purge(2)).takeWhile(removed -> removed > 0))
                .allMatch(removed -> removed <= 2);
    }

    @Test
    void liveRecordsStay() {
        List<StoredRecord> alive = alive();
        shortPasses();
        List<StoredRecord> before =
                alive.stream().map(record -> find(record.id())).toList();
        store().purge(10_000);
        before.forEach(this::assertUnchanged);
    }

    @Test
    void purgingOnManyNodesAtOnceHarmsNothing() {
        List<Claim> expired = new ArrayList<>();
        for (int i = 0; i < 20; i++) {
            Claim claim = Claims.fresh();
            store().complete(acquire(claim), RESULT, SHORT);
            expired.add(claim);
        }
        List<StoredRecord> alive = alive();
        shortPasses();
        List<StoredRecord> before =
                alive.stream().map(record -> find(record.id())).toList();
        assertThat(Together.run(8, node -> store().purge(3))).allMatch(removed -> removed >= 0 && removed <= 3);
        before.forEach(this::assertUnchanged);
        expired.forEach(claim -> assertAbsent(claim.id()));
    }

    @Test
    void keyIsClaimedAfterItsRecordWasPurged() {
        Claim claim = Claims.fresh();
        Ownership ownership = acquire(claim);
        store().complete(ownership, RESULT, SHORT);
        shortPasses();
        store().purge(10_000);
        assertThat(acquired(Claims.duplicateOf(claim)).fence()).isGreaterThan(ownership.fence());
    }

    /** Old ones: a store that remembers fences might leave young records alone for that reason only. */
    private List<StoredRecord> alive() {
        return Stream.of(Situation.values())
                .map(situation -> {
                    Ownership ownership = situation.arrange(this, Claims.fresh());
                    fenceIsOld(ownership);
                    return find(ownership.id());
                })
                .toList();
    }
}
