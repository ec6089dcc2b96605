package io.idempotency.redis;

import static io.idempotency.redis.Calls.RETENTION;
import static io.idempotency.redis.Calls.acquired;
import static io.idempotency.redis.Calls.claim;
import static io.idempotency.redis.Calls.get;
import static io.idempotency.redis.Calls.result;
import static io.idempotency.redis.ClusterTest.slot;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.idempotency.runtime.store.ClaimResult;
import io.idempotency.runtime.store.Ownership;
import io.idempotency.runtime.store.Settled;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Three masters with a replica each, which has to acknowledge. */
class ClusterReplicasTest {

    private final RedisCluster cluster = new RedisCluster();
    private RedisApplication acknowledged;

    @BeforeEach
    void start() {
        cluster.addReplicaToEach();
        acknowledged = RedisApplication.onCluster(cluster, RedisApplication.ACKNOWLEDGED);
        acknowledged.store();
    }

    @AfterEach
    void stop() {
        acknowledged.close();
        cluster.close();
    }

    @Test
    void acknowledgedClaimFollowsASlotThatMoved() {
        cluster.move(slot("k"));
        Ownership owner = acquired(acknowledged.store(), claim("k"));
        assertThat(get(acknowledged.store().complete(owner, result("done"), RETENTION)))
                .isInstanceOf(Settled.Applied.class);
    }

    @Test
    void acknowledgedClaimFollowsASlotThatIsMoving() {
        cluster.beginToMove(slot("k"));
        acquired(acknowledged.store(), claim("k"));
    }

    @Test
    void acknowledgedClaimSurvivesTheLossOfItsMaster() {
        acquired(acknowledged.store(), claim("k"));
        try (RedisApplication plain = RedisApplication.onCluster(cluster)) {
            RedisIdempotencyStore store = plain.store();
            cluster.masterOf(slot("k")).server().kill();
            await().atMost(Duration.ofSeconds(30))
                    .ignoreExceptions()
                    .until(() -> get(store.claim(claim("k"))) instanceof ClaimResult.Duplicate);
        }
    }
}
