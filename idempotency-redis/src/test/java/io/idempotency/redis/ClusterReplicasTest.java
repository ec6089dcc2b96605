package io.idempotency.redis;

import static io.idempotency.redis.Calls.RETENTION;
import static io.idempotency.redis.Calls.acquired;
import static io.idempotency.redis.Calls.claim;
import static io.idempotency.redis.Calls.get;
import static io.idempotency.redis.Calls.result;
import static io.idempotency.redis.ClusterTest.keyWhere;
import static io.idempotency.redis.ClusterTest.slot;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.idempotency.runtime.store.ClaimResult;
import io.idempotency.runtime.store.Ownership;
import io.idempotency.runtime.store.Settled;
import io.idempotency.test.servers.RedisCluster;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Three masters with a replica each, which has to acknowledge. */
@Tag("thorough")
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

    /** The replica was durable enough when it was asked, and nobody looks at intervals. */
    @Test
    void noClaimIsMadeOnANewMasterThatIsLessDurable() {
        cluster.masters().forEach(node -> node.redis().configSet("save", "3600 1"));
        try (RedisApplication application = requiring()) {
            StartUpTest.assertRefused(application.context(), "the replica", "has none");
        }
        cluster.replicas().forEach(node -> node.redis().configSet("save", "3600 1"));
        try (RedisApplication application = requiring()) {
            RedisIdempotencyStore store = application.store();
            Ownership open = acquired(store, claim("k"));
            await().until(() -> cluster.replicas().stream()
                    .anyMatch(node -> !node.redis().keys("*").isEmpty()));
            cluster.replicas().forEach(node -> node.redis().configSet("save", ""));
            cluster.masterOf(slot("k")).server().kill();

            await().atMost(Duration.ofSeconds(30))
                    .ignoreExceptions()
                    .until(() -> get(store.complete(open, result("done"), RETENTION)) instanceof Settled.Applied);
            RedisCluster.Node master = cluster.masterOf(slot("k"));
            String another = keyWhere(slot -> cluster.masterOf(slot) == master);
            assertThatThrownBy(() -> get(store.claim(claim(another)))).hasMessageContaining("was not claimed");
        }
    }

    private RedisApplication requiring() {
        return RedisApplication.onCluster(
                cluster,
                "idempotency.redis.required-durability",
                "snapshot",
                "idempotency.redis.durability-check-interval",
                "1h");
    }
}
