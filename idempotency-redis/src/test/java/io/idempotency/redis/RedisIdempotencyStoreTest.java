package io.idempotency.redis;

import static io.idempotency.redis.Calls.RETENTION;
import static io.idempotency.redis.Calls.acquired;
import static io.idempotency.redis.Calls.claim;
import static io.idempotency.redis.Calls.get;
import static io.idempotency.redis.Calls.id;
import static io.idempotency.redis.Calls.key;
import static io.idempotency.redis.Calls.result;
import static io.idempotency.redis.Packed.Number.CLAIMED_MS;
import static io.idempotency.redis.Packed.Number.EXPIRES_MS;
import static io.idempotency.redis.Packed.Number.LEASE_UNTIL_MS;
import static org.assertj.core.api.Assertions.assertThat;

import io.idempotency.runtime.store.AuditNote;
import io.idempotency.runtime.store.Claim;
import io.idempotency.runtime.store.ClaimResult;
import io.idempotency.runtime.store.IdempotencyStore;
import io.idempotency.runtime.store.Ownership;
import io.idempotency.runtime.store.RecordQuery;
import io.idempotency.runtime.store.RecordState;
import io.idempotency.runtime.store.Renewal;
import io.idempotency.runtime.store.Resolution;
import io.idempotency.runtime.store.Settled;
import io.idempotency.runtime.store.StoredRecord;
import io.idempotency.runtime.store.StoredResult;
import io.lettuce.core.SetArgs;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import org.junit.jupiter.api.Test;

class RedisIdempotencyStoreTest extends OnSharedRedis {

    private static final Duration LEASE = Duration.ofSeconds(30);

    @Test
    void firstCallTakesTwoCommandsAndReplayOne() {
        assertThat(get(store.find(id("k")))).isEmpty();
        redis.configResetstat();
        Claim claim = claim("k");
        get(store.complete(acquired(store, claim), result("done"), RETENTION));
        assertThat(RedisApplication.executed(redis))
                .containsEntry("evalsha", 2L)
                .doesNotContainKeys("eval", "script|load");

        redis.configResetstat();
        get(store.claim(claim("k")));
        assertThat(RedisApplication.executed(redis))
                .containsEntry("evalsha", 1L)
                .doesNotContainKeys("eval", "set", "zadd", "pttl");
    }

    /** Nothing of such a key need be remembered, so its record goes within a millisecond; until then it was called unreadable. */
    @Test
    void aKeyIsFreeAtOnceAfterTheReleaseOfABodyThatRanForMinutes() {
        for (int i = 0; i < 200; i++) {
            Ownership owner = claimedTwoMinutesAgo("k" + i);
            assertThat(store.release(owner)).isInstanceOf(Settled.Applied.class);
            assertThat(store.claim(claim("k" + i))).isInstanceOf(ClaimResult.Acquired.class);
        }
    }

    @Test
    void aKeyIsFreeAtOnceAfterAnOldDoubtIsForgotten() {
        for (int i = 0; i < 200; i++) {
            Ownership owner = claimedTwoMinutesAgo("k" + i);
            store.doubt(owner, "lost", RETENTION);
            AuditNote note = new AuditNote("anna: seen", RETENTION);
            assertThat(store.resolve(owner.id(), owner.fence(), new Resolution.Forget(), note))
                    .isInstanceOf(Settled.Applied.class);
            assertThat(store.find(owner.id())).isEmpty();
        }
    }

    private Ownership claimedTwoMinutesAgo(String key) {
        Ownership owner = acquired(store, claim(key));
        long fence = owner.fence() - TimeUnit.MINUTES.toMicros(2);
        redis.set(
                key(key),
                Packed.of(redis.get(key(key)))
                        .forged(Packed.Number.FENCE, fence)
                        .text(),
                SetArgs.Builder.px(RETENTION));
        return new Ownership(owner.id(), owner.owner(), fence);
    }

    /** Once the clock is right again, the record would be over, and its key run again. */
    @Test
    void whatIsWrittenAfterTheClockWasSetBackIsKeptForTheRetentionAfterTheClaim() {
        Map<String, Function<Ownership, Settled>> writes = Map.of(
                "settled", owner -> store.complete(owner, result("done"), RETENTION),
                "doubted", owner -> store.doubt(owner, "lost", RETENTION),
                "renewed",
                        owner -> store.renew(List.of(new Renewal(owner, LEASE, RETENTION)))
                                .get(0));
        writes.forEach((key, write) -> {
            assertThat(write.apply(claimedInTwoHours(key))).isInstanceOf(Settled.Applied.class);
            StoredRecord record = store.find(id(key)).orElseThrow();
            assertThat(record.expiresAt()).isEqualTo(record.claimedAt().plus(RETENTION));
        });
    }

    private Ownership claimedInTwoHours(String key) {
        Ownership owner = acquired(store, claim(key));
        Packed record = Packed.of(redis.get(key(key)));
        for (Packed.Number time : List.of(CLAIMED_MS, LEASE_UNTIL_MS, EXPIRES_MS)) {
            record = record.forged(time, record.get(time) + TimeUnit.HOURS.toMillis(2));
        }
        redis.set(key(key), record.text(), SetArgs.Builder.px(RETENTION.multipliedBy(4)));
        return owner;
    }

    /** 18-field hashes took 1,225 bytes. */
    @Test
    void smallRecordTakesLessThanHalfAKilobyte() {
        Claim claim = new Claim(
                id("k"),
                "charge-payment",
                "1:" + "0123456789abcdef".repeat(4),
                "0123456789abcdef0123456789abcdef",
                RETENTION,
                RETENTION,
                false);
        get(store.complete(acquired(store, claim), result("x".repeat(100)), RETENTION));
        assertThat(redis.memoryUsage(key("k"))).isLessThan(512);
    }

    @Test
    void replayReturnsTheBytesThatWereStored() {
        byte[] binary = new byte[256];
        for (int i = 0; i < binary.length; i++) {
            binary[i] = (byte) i;
        }
        var stored = new StoredResult.Present(binary);
        get(store.complete(acquired(store, claim("k")), stored, RETENTION));

        assertThat(get(store.claim(claim("k"))))
                .isInstanceOfSatisfying(
                        ClaimResult.Duplicate.class,
                        duplicate -> assertThat(duplicate.record().result()).isEqualTo(stored));
    }

    @Test
    void scriptsAreSentAgainAfterScriptFlush() {
        redis.scriptFlush();
        Ownership owner = acquired(store, claim("k"));
        redis.scriptFlush();
        assertThat(get(store.complete(owner, result("done"), RETENTION))).isInstanceOf(Settled.Applied.class);
        assertThat(get(store.find(id("k"))).orElseThrow().state()).isEqualTo(RecordState.COMPLETED);
    }

    @Test
    void fenceIsTheServersClockInMicrosecondsToTheLastDigit() {
        long before = micros(redis.time());
        long fence = acquired(store, claim("k")).fence();
        assertThat(fence).isBetween(before, micros(redis.time()));
        assertThat(Packed.of(redis.get(key("k"))).get(Packed.Number.FENCE)).isEqualTo(fence);
    }

    private static long micros(List<String> time) {
        return Long.parseLong(time.get(0)) * 1_000_000 + Long.parseLong(time.get(1));
    }

    @Test
    void retentionIsTheKeysTimeToLive() {
        acquired(store, claim("k"));
        assertThat(redis.pttl(key("k"))).isBetween(RETENTION.toMillis() - 5000, RETENTION.toMillis());
    }

    @Test
    void forEverIsAKeyWithoutTimeToLive() {
        Ownership owner = acquired(store, claim("k"));
        get(store.complete(owner, result("done"), IdempotencyStore.FOREVER));
        assertThat(redis.pttl(key("k"))).isEqualTo(-1);
        assertThat(get(store.find(id("k"))).orElseThrow().expiresAt()).isNull();
    }

    @Test
    void claimForEverIsAKeyWithoutTimeToLive() {
        acquired(store, keptFor("k", IdempotencyStore.FOREVER));
        assertThat(redis.pttl(key("k"))).isEqualTo(-1);
    }

    private static Claim keptFor(String key, Duration retention) {
        Claim claim = claim(key);
        return new Claim(
                claim.id(),
                claim.operation(),
                claim.fingerprint(),
                claim.owner(),
                Duration.ofSeconds(5),
                retention,
                false);
    }

    /** Longer than the record itself is there. */
    @Test
    void fenceIsRememberedForAMinuteAndUntilTheClockIsPastIt() {
        Duration brief = Duration.ofSeconds(5);
        Ownership owner = acquired(store, keptFor("k", brief));
        assertThat(redis.pttl(key("k"))).isBetween(55_000L, 60_000L);
        get(store.complete(owner, result("done"), brief));
        assertThat(redis.pttl(key("k"))).isBetween(55_000L, 60_000L);

        Ownership early = acquired(store, claim("ahead"));
        long ahead = early.fence() + Duration.ofDays(1).toNanos() / 1000;
        redis.set(
                key("ahead"),
                Packed.of(redis.get(key("ahead")))
                        .forged(Packed.Number.FENCE, ahead)
                        .text());
        get(store.complete(new Ownership(early.id(), early.owner(), ahead), result("done"), RETENTION));
        assertThat(redis.pttl(key("ahead"))).isGreaterThan(Duration.ofHours(23).toMillis());
    }

    @Test
    void duplicateWritesNothingUnlessItsCallerWaits() {
        acquired(store, claim("k"));
        String before = redis.get(key("k"));
        get(store.claim(claim("k")));
        assertThat(redis.get(key("k"))).isEqualTo(before);
    }

    @Test
    void listFindsTheOldestAmongManyAndSkipsWhatIsNoRecord() {
        for (int i = 0; i < 1000; i++) {
            acquired(store, claim("k" + i));
        }
        redis.set("idempotency:something-else", "x");
        redis.set(key("broken"), "9");
        redis.zadd(
                "idempotency:{" + id("broken").value().substring(0, 2) + "}open",
                1,
                key("broken").substring(16));
        redis.set(key("cut"), Packed.of(redis.get(key("k7"))).cut(60).text());
        redis.zadd(
                "idempotency:{" + id("cut").value().substring(0, 2) + "}open",
                1,
                key("cut").substring(16));
        redis.hset(key("hash"), "not", "a record");
        redis.zadd(
                "idempotency:{" + id("hash").value().substring(0, 2) + "}open",
                9e9,
                key("hash").substring(16));

        List<StoredRecord> oldest = get(store.list(RecordState.IN_PROGRESS, Duration.ZERO, 3));
        Instant third = get(store.find(id("k2"))).orElseThrow().claimedAt();
        assertThat(oldest)
                .hasSize(3)
                .allSatisfy(record -> assertThat(record.claimedAt())
                        .isBeforeOrEqualTo(third)); // claims of one millisecond are listed by their ids
        assertThat(get(store.list(RecordState.IN_PROGRESS, Duration.ZERO, 5000)))
                .hasSize(1000);
        assertThat(get(store.list(new RecordQuery(RecordState.IN_PROGRESS, "charge", Duration.ZERO, null, 5000))))
                .hasSize(1000);
        assertThat(get(store.list(RecordState.COMPLETED, Duration.ZERO, 10))).isEmpty();
    }
}
