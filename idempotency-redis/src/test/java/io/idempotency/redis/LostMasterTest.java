package io.idempotency.redis;

import static io.idempotency.redis.Calls.RETENTION;
import static io.idempotency.redis.Calls.acquired;
import static io.idempotency.redis.Calls.claim;
import static io.idempotency.redis.Calls.key;
import static io.idempotency.redis.ClusterTest.keyWhere;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.idempotency.runtime.store.ClaimResult;
import io.idempotency.runtime.store.Ownership;
import io.idempotency.runtime.store.Renewal;
import io.idempotency.runtime.store.Settled;
import io.idempotency.test.servers.FaultProxy;
import io.idempotency.test.servers.RedisCluster;
import io.lettuce.core.RedisClient;
import io.lettuce.core.RedisException;
import io.lettuce.core.api.sync.RedisCommands;
import io.lettuce.core.codec.StringCodec;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.UUID;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A master of a cluster is gone, and no replica takes its place: bodies whose records are elsewhere keep their leases. */
@Tag("thorough")
class LostMasterTest {

    private static final Duration LEASE = Duration.ofMinutes(1);

    @ParameterizedTest
    @ValueSource(strings = {"0", "1"})
    void leasesOnTheOtherMastersAreRenewed(String acknowledgements) {
        try (RedisCluster cluster =
                new RedisCluster("--cluster-require-full-coverage", "no", "--cluster-replica-no-failover", "yes")) {
            cluster.addReplicaToEach();
            try (RedisApplication application = RedisApplication.onCluster(
                    cluster,
                    "idempotency.redis.replica-acknowledgements",
                    acknowledgements,
                    "idempotency.redis.connect-timeout",
                    "2s")) {
                RedisIdempotencyStore store = application.store();
                RedisCluster.Node lost = cluster.masters().get(0);
                RedisCluster.Node other = cluster.masters().get(1);
                String key = keyWhere(slot -> cluster.masterOf(slot) == other);
                List<Renewal> renewals = List.of(
                        renewal(acquired(store, claim(keyWhere(slot -> cluster.masterOf(slot) == lost)))),
                        renewal(acquired(store, claim(key))));
                assertThat(store.renew(renewals)).containsOnly(new Settled.Applied());

                lost.server().kill();
                for (int sweep = 0; sweep < 3; sweep++) { // the first has its connections still
                    long before = leaseUntil(other, key);
                    List<Settled> answers = store.renew(renewals);
                    assertThat(answers.get(0)).isInstanceOf(Settled.Unanswered.class);
                    assertThat(answers.get(1)).isEqualTo(new Settled.Applied());
                    assertThat(leaseUntil(other, key)).isGreaterThan(before);
                }
            }
        }
    }

    /** Its last answer is old, and no reason to go by old answers of the others. */
    @Test
    void whatTheOtherMastersSayCountsAllTheSame() {
        try (RedisCluster cluster = new RedisCluster("--cluster-require-full-coverage", "no")) {
            cluster.addReplicaToEach();
            cluster.masters().forEach(node -> node.redis().configSet("save", "3600 1"));
            cluster.replicas().forEach(node -> node.redis().configSet("save", "3600 1"));
            cluster.replicas().get(0).redis().configSet("cluster-replica-no-failover", "yes");
            try (RedisApplication application = RedisApplication.onCluster(
                    cluster,
                    "idempotency.redis.required-durability",
                    "snapshot",
                    "idempotency.redis.durability-check-interval",
                    "100ms",
                    "idempotency.redis.connect-timeout",
                    "2s")) {
                RedisIdempotencyStore store = application.store();
                cluster.masters().get(0).server().kill();
                RedisCommands<String, String> promoted =
                        cluster.replicas().get(1).redis();
                promoted.clusterFailover(false);
                await().until(() -> promoted.info("replication").contains("role:master"));
                await().atMost(Duration.ofSeconds(30))
                        .ignoreExceptions()
                        .until(() -> claimed(store, cluster, cluster.masters().get(1)));
                await().until(() ->
                        !application.context().getBean(Alarms.class).heard().isEmpty());

                RedisCluster.Node weakened = cluster.masters().get(2);
                assertThat(claimed(store, cluster, weakened)).isTrue();
                weakened.redis().configSet("save", "");
                await().atMost(Duration.ofSeconds(30))
                        .untilAsserted(() -> assertThatThrownBy(() -> claimed(store, cluster, weakened))
                                .hasMessageContaining("has none"));
                assertThatThrownBy(store::health).isInstanceOf(RedisException.class);
            }
        }
    }

    /** Claims a new key whose slot the node had from the start. */
    private static boolean claimed(RedisIdempotencyStore store, RedisCluster cluster, RedisCluster.Node node) {
        String key = Stream.generate(() -> UUID.randomUUID().toString())
                .filter(any -> cluster.masterOf(ClusterTest.slot(any)) == node)
                .findFirst()
                .orElseThrow();
        return store.claim(claim(key)) instanceof ClaimResult.Acquired;
    }

    /** As where a firewall forgets a connection: the master is well, and the cluster as it was. */
    @Test
    void aConnectionThatFellSilentIsReplaced() {
        try (RedisCluster cluster = new RedisCluster()) {
            RedisCluster.Node behind = cluster.masters().get(1);
            try (FaultProxy proxy =
                    FaultProxy.to(behind.server().host(), behind.server().port())) {
                behind.redis().configSet("cluster-announce-port", Integer.toString(proxy.port()));
                cluster.masters()
                        .forEach(node ->
                                await().until(() -> node.redis().clusterNodes().contains(":" + proxy.port() + "@")));
                try (RedisApplication application =
                        RedisApplication.onCluster(cluster, "idempotency.redis.command-timeout", "1s")) {
                    RedisIdempotencyStore store = application.store();
                    acquired(store, claim(keyWhere(slot -> cluster.masterOf(slot) == behind)));
                    proxy.silence();
                    await().ignoreExceptions()
                            .until(
                                    () -> store.claim(claim(keyWhere(slot -> cluster.masterOf(slot) == behind))),
                                    Objects::nonNull);
                }
            }
        }
    }

    @Test
    void theApplicationStartsWhileANodeWithoutSlotsIsDown() {
        try (RedisCluster cluster = new RedisCluster()) {
            cluster.addReplicaToEach();
            cluster.replicas().get(0).server().kill();
            try (RedisApplication application = RedisApplication.onCluster(cluster)) {
                acquired(application.store(), claim("k"));
            }
        }
    }

    private static Renewal renewal(Ownership owner) {
        return new Renewal(owner, LEASE, RETENTION);
    }

    private static long leaseUntil(RedisCluster.Node node, String key) {
        try (RedisClient client = RedisClient.create(node.server().uri())) {
            String record = client.connect(new StringCodec(StandardCharsets.ISO_8859_1))
                    .sync()
                    .get(key(key));
            return Packed.of(record).get(Packed.Number.LEASE_UNTIL_MS);
        }
    }
}
