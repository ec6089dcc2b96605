package io.idempotency.redis;

import static io.idempotency.redis.Calls.acquired;
import static io.idempotency.redis.Calls.claim;
import static io.idempotency.redis.Calls.get;
import static io.idempotency.redis.Calls.id;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.idempotency.runtime.store.ClaimResult;
import io.idempotency.runtime.store.IdempotencyStore;
import io.idempotency.runtime.store.SettlementSignals.Subscription;
import io.idempotency.test.servers.RedisSentinel;
import io.idempotency.test.servers.ReplicatedRedis;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** A master, its replica, and a Sentinel that replaces the one by the other. */
@Tag("thorough")
class SentinelTest {

    private final ReplicatedRedis redis = new ReplicatedRedis();
    private final RedisSentinel sentinel = new RedisSentinel(redis);

    @AfterEach
    void stop() {
        sentinel.close();
        redis.close();
    }

    @Test
    void acknowledgedClaimSurvivesTheFailOverThatTheStoreFollows() {
        try (RedisApplication acknowledged = RedisApplication.on(sentinel.uri(), RedisApplication.ACKNOWLEDGED);
                RedisApplication plain = RedisApplication.on(sentinel.uri())) {
            IdempotencyStore store = plain.store();
            acquired(acknowledged.store(), claim("k"));
            redis.master().kill();
            await().atMost(Duration.ofSeconds(30))
                    .ignoreExceptions()
                    .until(() -> get(store.claim(claim("k"))) instanceof ClaimResult.Duplicate);
            assertThat(redis.onReplica().info("replication")).contains("role:master");
        }
    }

    @Test
    void waitersHearAgainAfterAFailOver() {
        try (RedisApplication application = RedisApplication.on(sentinel.uri());
                Subscription listening =
                        application.store().signals().orElseThrow().listen(id("k"), () -> {})) {
            await().until(listening::live);
            redis.master().kill();
            await().until(() -> !listening.live());
            await().atMost(Duration.ofSeconds(30)).until(listening::live);
            assertThat(redis.onReplica().pubsubNumsub("idempotency:settled")).containsValue(1L);
        }
    }

    /** Nothing tells the store that its connection leads nowhere any more. */
    @Test
    void storeLeavesAMasterThatFellSilent() {
        try (RedisApplication application = RedisApplication.on(sentinel.uri())) {
            IdempotencyStore store = application.store();
            acquired(store, claim("before"));
            redis.master().pause();
            await().atMost(Duration.ofSeconds(30))
                    .ignoreExceptions()
                    .until(() -> get(store.claim(claim("after"))) instanceof ClaimResult.Acquired);
            assertThat(redis.onReplica().info("replication")).contains("role:master");
        }
    }

    @Test
    void replicaInPlaceOfTheMasterStopsTheStart() {
        try (RedisApplication application = RedisApplication.on(redis.replica().uri())) {
            StartUpTest.assertRefused(application.context(), "is a replica", "redis-sentinel://");
        }
    }
}
