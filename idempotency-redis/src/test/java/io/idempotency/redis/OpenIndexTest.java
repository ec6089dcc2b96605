package io.idempotency.redis;

import static io.idempotency.redis.Calls.RETENTION;
import static io.idempotency.redis.Calls.acquired;
import static io.idempotency.redis.Calls.claim;
import static io.idempotency.redis.Calls.get;
import static io.idempotency.redis.Calls.id;
import static io.idempotency.redis.Calls.key;
import static io.idempotency.redis.Calls.result;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.params.provider.Arguments.arguments;

import io.idempotency.runtime.store.AuditNote;
import io.idempotency.runtime.store.Claim;
import io.idempotency.runtime.store.IdempotencyStore;
import io.idempotency.runtime.store.Ownership;
import io.idempotency.runtime.store.RecordQuery;
import io.idempotency.runtime.store.RecordState;
import io.idempotency.runtime.store.Renewal;
import io.idempotency.runtime.store.Resolution;
import io.idempotency.runtime.store.Settled;
import io.idempotency.runtime.store.StoredFailure;
import io.idempotency.runtime.store.StoredRecord;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.BiFunction;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What is open is found by an index: however many records there are, and without a script for each of them. */
@Tag("thorough")
class OpenIndexTest extends OnSharedRedis {

    private static final String NAMES = "idempotency:{*}open";

    private long indexed() {
        return redis.keys(NAMES).stream().mapToLong(redis::zcard).sum();
    }

    private static Arguments ending(String name, BiFunction<IdempotencyStore, Ownership, Settled> verb) {
        return arguments(name, verb);
    }

    private static Settled resolved(IdempotencyStore store, Ownership owner, Resolution resolution) {
        get(store.doubt(owner, "lost", RETENTION));
        return store.resolve(owner.id(), owner.fence(), resolution, new AuditNote("anna: seen", Duration.ofDays(1)));
    }

    private static Stream<Arguments> endings() {
        Duration day = Duration.ofDays(1);
        Duration brief = Duration.ofSeconds(5); // shorter than a fence is remembered
        StoredFailure declined = new StoredFailure("T", null, null);
        return Stream.of(
                ending("complete", (store, owner) -> store.complete(owner, result("done"), day)),
                ending("complete briefly", (store, owner) -> store.complete(owner, result("done"), brief)),
                ending(
                        "complete for ever",
                        (store, owner) -> store.complete(owner, result("done"), IdempotencyStore.FOREVER)),
                ending("fail", (store, owner) -> store.fail(owner, declined, day)),
                ending("release", IdempotencyStore::release),
                ending("forget", (store, owner) -> resolved(store, owner, new Resolution.Forget())),
                ending("settle", (store, owner) -> resolved(store, owner, new Resolution.Fail(declined, day))));
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("endings")
    void whatEndsIsIndexedNoMore(String name, BiFunction<IdempotencyStore, Ownership, Settled> verb) {
        Ownership owner = acquired(store, claim("k"));
        assertThat(indexed()).isOne();
        get(verb.apply(store, owner));
        assertThat(indexed()).isZero();
        acquired(store, claim("other"));
        assertThat(get(store.list(RecordState.IN_PROGRESS, Duration.ZERO, 9))).hasSize(1);
    }

    /** Shorter than a fence is remembered, as long, and for ever. */
    @ParameterizedTest
    @ValueSource(longs = {5, 60, Long.MAX_VALUE})
    void claimOfAnyRetentionIsListed(long seconds) {
        Claim claim = claim("k");
        Duration retention = seconds == Long.MAX_VALUE ? IdempotencyStore.FOREVER : Duration.ofSeconds(seconds);
        acquired(
                store,
                new Claim(
                        claim.id(),
                        claim.operation(),
                        claim.fingerprint(),
                        claim.owner(),
                        claim.lease(),
                        retention,
                        false));
        assertThat(get(store.list(RecordState.IN_PROGRESS, Duration.ZERO, 9))).hasSize(1);
    }

    /** While a slot moved, the index was elsewhere. */
    @Test
    void whoFindsARecordInDoubtIndexesItAgain() {
        Ownership owner = acquired(store, claim("k"));
        get(store.doubt(owner, "lost", RETENTION));
        redis.keys(NAMES).forEach(redis::del);
        assertThat(get(store.list(RecordState.IN_DOUBT, Duration.ZERO, 9))).isEmpty();
        get(store.claim(claim("k")));
        assertThat(get(store.list(RecordState.IN_DOUBT, Duration.ZERO, 9))).hasSize(1);
    }

    @Test
    void ownerWhoseRecordWasNotIndexedIndexesItWhenItPutsItInDoubtOrRenewsIt() {
        Ownership owner = acquired(store, claim("k"));
        redis.keys(NAMES).forEach(redis::del);
        get(store.renew(List.of(new Renewal(owner, Duration.ofMinutes(1), RETENTION)))
                .get(0));
        assertThat(get(store.list(RecordState.IN_PROGRESS, Duration.ZERO, 9))).hasSize(1);
        redis.keys(NAMES).forEach(redis::del);
        get(store.doubt(owner, "lost", RETENTION));
        assertThat(get(store.list(RecordState.IN_DOUBT, Duration.ZERO, 9))).hasSize(1);
    }

    @Test
    void takenOverRecordIsListedByItsLastClaim() {
        Ownership owner = acquired(store, claim("k"));
        get(store.doubt(owner, "lost", RETENTION));
        Claim other = claim("k");
        acquired(
                store,
                new Claim(
                        other.id(),
                        other.operation(),
                        other.fingerprint(),
                        other.owner(),
                        other.lease(),
                        RETENTION,
                        true));
        assertThat(indexed()).isOne();
        assertThat(get(store.list(RecordState.IN_PROGRESS, Duration.ZERO, 9))).hasSize(1);
        assertThat(get(store.list(RecordState.IN_DOUBT, Duration.ZERO, 9))).isEmpty();
    }

    @Test
    void recordsInDoubtAmongManyAreListedWithoutReadingAll() {
        for (int i = 0; i < 2000; i++) {
            get(store.complete(acquired(store, claim("done " + i)), result("done"), RETENTION));
        }
        for (int i = 0; i < 20; i++) {
            get(store.doubt(acquired(store, claim("k" + i)), "lost", RETENTION));
        }
        redis.configResetstat();
        assertThat(get(store.list(RecordState.IN_DOUBT, Duration.ZERO, 100))).hasSize(20);
        Map<String, Long> executed = RedisApplication.executed(redis);
        assertThat(executed).containsEntry("get", 20L).doesNotContainKeys("evalsha", "scan");
        assertThat(executed.get("zrangebyscore")).isEqualTo(256);
    }

    @Test
    void settledRecordsAreListedWithoutAScript() {
        for (int i = 0; i < 1500; i++) {
            get(store.complete(acquired(store, claim("done " + i)), result("done"), RETENTION));
        }
        redis.configResetstat();
        assertThat(get(store.list(RecordState.COMPLETED, Duration.ZERO, 5000))).hasSize(1500);
        assertThat(RedisApplication.executed(redis))
                .doesNotContainKey("evalsha")
                .containsEntry("get", 1500L);
    }

    private void claimed(int count) {
        IntStream.range(0, count).forEach(i -> acquired(store, lasting("k" + i)));
    }

    private static Claim lasting(String key) {
        return new Claim(id(key), "charge", "fingerprint", key, Duration.ofHours(1), RETENTION, false);
    }

    /** More records of one second and one neighbourhood than a first page has room for. */
    @Test
    void pagesOfAnIndexEndWithinASecond() {
        List<StoredRecord> all = new ArrayList<>();
        claimed(4000);
        RecordQuery.Position after = null;
        List<StoredRecord> page;
        do {
            page = get(store.list(new RecordQuery(RecordState.IN_PROGRESS, null, Duration.ZERO, after, 700)));
            all.addAll(page);
            after = page.isEmpty() ? after : RecordQuery.Position.of(page.get(page.size() - 1));
        } while (!page.isEmpty());
        assertThat(all).hasSize(4000).doesNotHaveDuplicates();
        assertThat(all.stream().map(RecordQuery.Position::of)).isSorted();
    }

    @Test
    void whatEndedBehindTheScriptsBackIsSweptInBoundedSteps() {
        claimed(3000);
        Ownership open = acquired(store, claim("open"));
        redis.keys("idempotency:{*}??????????*").stream()
                .filter(key -> !key.equals(key("open")))
                .forEach(redis::del);
        assertThat(get(store.list(RecordState.IN_PROGRESS, Duration.ZERO, 9)))
                .extracting(StoredRecord::id)
                .containsExactly(open.id());
        assertThat(get(store.purge(3))).isEqualTo(3);
        redis.configResetstat();
        int first = get(store.purge(512));
        assertThat(first).isBetween(1, 512);
        assertThat(RedisApplication.executed(redis).get("get")).isLessThanOrEqualTo(512);
        int removed = 3 + first;
        for (int i = 0; i < 40 && removed < 3000; i++) {
            removed += get(store.purge(512));
        }
        assertThat(removed).isEqualTo(3000);
        assertThat(indexed()).isOne();
        assertThat(get(store.purge(512))).isZero();
        assertThat(get(store.find(id("open")))).isPresent();
    }

    /** An index that was not written together with its record, while a slot moved. */
    @Test
    void whatIsIndexedAndSettledIsSweptAndWhatNobodyUnderstandsStays() {
        get(store.complete(acquired(store, claim("done")), result("done"), RETENTION));
        acquired(store, lasting("open"));
        get(store.doubt(acquired(store, claim("doubted")), "lost", RETENTION));
        redis.hset(key("hash"), "not", "a record");
        redis.set(key("cut"), "1-C");
        redis.set(
                key("newer"),
                Packed.of(redis.get(key("done"))).with(0, (byte) '3').text());
        for (String key : List.of("done", "hash", "cut", "newer")) {
            redis.zadd("idempotency:{" + id(key).value().substring(0, 2) + "}open", 1, key(key).substring(16));
        }
        int removed = 0;
        for (int i = 0; i < 300; i++) {
            removed += get(store.purge(512));
        }
        assertThat(removed).isOne();
        assertThat(redis.zscore(
                        "idempotency:{" + id("done").value().substring(0, 2) + "}open",
                        key("done").substring(16)))
                .isNull();
        assertThat(indexed()).isEqualTo(5);
        assertThat(get(store.list(RecordState.IN_DOUBT, Duration.ZERO, 9))).hasSize(1);
        assertThat(get(store.list(RecordState.IN_PROGRESS, Duration.ZERO, 9))).hasSize(1);
    }
}
