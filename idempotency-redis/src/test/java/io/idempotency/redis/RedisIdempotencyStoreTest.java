package io.idempotency.redis;

import static io.idempotency.redis.Calls.RETENTION;
import static io.idempotency.redis.Calls.acquired;
import static io.idempotency.redis.Calls.claim;
import static io.idempotency.redis.Calls.get;
import static io.idempotency.redis.Calls.id;
import static io.idempotency.redis.Calls.result;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.idempotency.runtime.store.AuditNote;
import io.idempotency.runtime.store.Claim;
import io.idempotency.runtime.store.ClaimResult;
import io.idempotency.runtime.store.IdempotencyStore;
import io.idempotency.runtime.store.Ownership;
import io.idempotency.runtime.store.RecordState;
import io.idempotency.runtime.store.Resolution;
import io.idempotency.runtime.store.Settled;
import io.idempotency.runtime.store.StoredFailure;
import io.idempotency.runtime.store.StoredRecord;
import io.idempotency.runtime.store.StoredResult;
import io.idempotency.runtime.store.UnreadableRecordException;
import io.idempotency.test.servers.RedisServer;
import io.lettuce.core.api.sync.RedisCommands;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletionStage;
import java.util.function.Supplier;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;

@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class RedisIdempotencyStoreTest {

    private RedisApplication application;
    private IdempotencyStore store;
    private RedisCommands<String, String> redis;

    @BeforeAll
    void start() {
        application = RedisApplication.on(RedisServer.shared().uri());
        store = application.store();
        redis = application.redis();
    }

    @AfterAll
    void stop() {
        application.close();
    }

    @BeforeEach
    void empty() {
        redis.flushall();
    }

    @Test
    void firstCallTakesTwoCommandsAndReplayOne() {
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
                .doesNotContainKeys("eval", "hset", "pexpireat");
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
        assertThat(redis.hget("idempotency:" + id("k"), "fence")).isEqualTo(Long.toString(fence));
    }

    private static long micros(List<String> time) {
        return Long.parseLong(time.get(0)) * 1_000_000 + Long.parseLong(time.get(1));
    }

    @Test
    void retentionIsTheKeysTimeToLive() {
        acquired(store, claim("k"));
        assertThat(redis.pttl("idempotency:" + id("k"))).isBetween(RETENTION.toMillis() - 5000, RETENTION.toMillis());
    }

    @Test
    void forEverIsAKeyWithoutTimeToLive() {
        Ownership owner = acquired(store, claim("k"));
        get(store.complete(owner, result("done"), IdempotencyStore.FOREVER));
        assertThat(redis.pttl("idempotency:" + id("k"))).isEqualTo(-1);
        assertThat(get(store.find(id("k"))).orElseThrow().expiresAt()).isNull();
    }

    @Test
    void recordOfANewerFormatIsLeftAloneByEveryVerb() {
        Ownership owner = acquired(store, claim("k"));
        String key = "idempotency:" + id("k");
        redis.hset(key, "format", "2");
        Map<String, String> before = redis.hgetall(key);

        List<Supplier<CompletionStage<?>>> verbs = List.of(
                () -> store.claim(claim("k")),
                () -> store.complete(owner, result("x"), RETENTION),
                () -> store.fail(owner, new StoredFailure("T", null, null), RETENTION),
                () -> store.release(owner),
                () -> store.doubt(owner, "lost", RETENTION),
                () -> store.renew(owner, Duration.ofSeconds(1), RETENTION),
                () -> store.find(owner.id()),
                () -> store.resolve(
                        owner.id(),
                        owner.fence(),
                        new Resolution.Forget(),
                        new AuditNote("anna: looked it up", Duration.ofDays(1))));
        assertThat(verbs)
                .allSatisfy(verb -> assertThatThrownBy(() -> get(verb.get()))
                        .isInstanceOf(UnreadableRecordException.class)
                        .hasMessageContaining("format is 2"));
        assertThat(redis.hgetall(key)).isEqualTo(before);
    }

    @Test
    void keyOfAnotherKindIsUnreadable() {
        redis.set("idempotency:" + id("k"), "not a hash");
        assertThatThrownBy(() -> get(store.claim(claim("k")))).isInstanceOf(UnreadableRecordException.class);
        assertThat(redis.get("idempotency:" + id("k"))).isEqualTo("not a hash");
    }

    @Test
    void listFindsTheOldestAmongManyAndSkipsWhatIsNoRecord() {
        for (int i = 0; i < 1000; i++) {
            acquired(store, claim("k" + i));
        }
        redis.set("idempotency:something-else", "x");
        redis.hset("idempotency:" + id("broken"), "format", "9");

        List<StoredRecord> oldest = get(store.list(RecordState.IN_PROGRESS, Duration.ZERO, 3));
        Instant third = get(store.find(id("k2"))).orElseThrow().claimedAt();
        assertThat(oldest)
                .hasSize(3)
                .allSatisfy(record -> assertThat(record.claimedAt())
                        .isBeforeOrEqualTo(third)); // claims of one millisecond are listed by their ids
        assertThat(get(store.list(RecordState.IN_PROGRESS, Duration.ZERO, 5000)))
                .hasSize(1000);
        assertThat(get(store.list(RecordState.COMPLETED, Duration.ZERO, 10))).isEmpty();
    }
}
