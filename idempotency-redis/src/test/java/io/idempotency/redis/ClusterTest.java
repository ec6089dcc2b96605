package io.idempotency.redis;

import static io.idempotency.redis.Calls.acquired;
import static io.idempotency.redis.Calls.claim;
import static io.idempotency.redis.Calls.get;
import static io.idempotency.redis.Calls.id;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.idempotency.runtime.store.ClaimResult;
import io.idempotency.runtime.store.Ownership;
import io.idempotency.runtime.store.RecordState;
import io.idempotency.runtime.store.Renewal;
import io.idempotency.runtime.store.Settled;
import io.idempotency.runtime.store.SettlementSignals.Subscription;
import io.idempotency.test.servers.FreePort;
import io.idempotency.test.servers.RedisCluster;
import io.idempotency.test.servers.RedisCluster.Node;
import io.idempotency.test.servers.RedisServer;
import io.lettuce.core.Range;
import io.lettuce.core.RedisClient;
import io.lettuce.core.RedisCommandExecutionException;
import io.lettuce.core.api.sync.RedisCommands;
import io.lettuce.core.cluster.SlotHash;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.IntPredicate;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;

/** Three masters, each with a third of the keys. */
@Tag("any-jdk")
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class ClusterTest {

    private RedisCluster cluster;
    private RedisApplication application;
    private RedisIdempotencyStore store;

    @BeforeAll
    void start() {
        cluster = new RedisCluster();
        application = RedisApplication.onCluster(cluster);
        store = application.store();
    }

    @AfterAll
    void stop() {
        application.close();
        cluster.close();
    }

    static int slot(String key) {
        return SlotHash.getSlot(Calls.key(key));
    }

    /** A key whose record has such a slot. */
    static String keyWhere(IntPredicate fits) {
        return IntStream.iterate(0, i -> i + 1)
                .mapToObj(i -> "key" + i)
                .filter(key -> fits.test(slot(key)))
                .findFirst()
                .orElseThrow();
    }

    @Test
    void recordsAreOnAllMastersAndAreListedFromAll() {
        cluster.masters().forEach(node -> node.redis().flushall());
        IntStream.range(0, 60).forEach(i -> acquired(store, claim("k" + i)));
        assertThat(cluster.masters())
                .allSatisfy(node -> assertThat(node.redis().dbsize()).isPositive());
        assertThat(get(store.list(RecordState.IN_PROGRESS, Duration.ZERO, 1000)))
                .hasSize(60);
    }

    /** Redis before 7.0.5 answers ASK while the record is at its old place, and the index of its slot is at the new one. */
    @Test
    void recordWhoseIndexHasMovedIsLookedForWithoutItAtItsOldPlace() {
        Call call =
                new Call(Script.CLAIM, id("k"), new String[] {"record", "index"}, new byte[0][], false, null, false);
        Call alone = call.after(new RedisCommandExecutionException("ASK 1 127.0.0.1:7001"))
                .after(new RedisCommandExecutionException("TRYAGAIN Multiple keys request during rehashing of slot"));
        assertThat(alone.keys()).containsExactly("record");
        assertThat(alone.node()).isNull();
        assertThat(alone.asking()).isFalse();
    }

    @Test
    void durabilityIsThatOfTheWeakestMaster() {
        List<Node> masters = cluster.masters();
        masters.forEach(node -> {
            node.redis().configSet("appendonly", "yes");
            node.redis().configSet("appendfsync", "always");
        });
        assertThat(store.durability.ask().actual()).isEqualTo(DurabilityLevel.ALWAYS);

        masters.get(1).redis().configSet("appendfsync", "everysec");
        assertThat(store.durability.ask().actual()).isEqualTo(DurabilityLevel.EVERY_SECOND);
        assertThat(store.durability.ask().servers()).hasSize(3);
    }

    /** The message goes to all nodes; the listener is connected to one. */
    @Test
    void waitersHearFromEveryMaster() {
        try (RedisApplication other = RedisApplication.onCluster(cluster)) {
            for (int i = 0; i < 12; i++) {
                String key = "waited for " + i;
                AtomicInteger looks = new AtomicInteger();
                try (Subscription listening =
                        other.store().signals().orElseThrow().listen(id(key), looks::incrementAndGet)) {
                    await().until(listening::live);
                    Ownership owner = acquired(store, claim(key));
                    get(other.store().claim(claim(key)));
                    int before = looks.get();
                    get(store.release(owner));
                    await().until(() -> looks.get() > before);
                }
            }
        }
    }

    /** Such as the one node that a small cluster has, or a proxy before one. */
    @Test
    void oneNodeThatHasAllSlotsIsUsedAsAServer() {
        try (RedisServer node = RedisServer.onHost("--cluster-enabled", "yes", "--cluster-port", "" + FreePort.next());
                RedisClient client = RedisClient.create(node.uri())) {
            RedisCommands<String, String> direct = client.connect().sync();
            direct.clusterAddSlotsRange(Range.create(0, 16383));
            await().until(() -> direct.clusterInfo().contains("cluster_state:ok"));
            try (RedisApplication plain = RedisApplication.on(node.uri())) {
                Ownership owner = acquired(plain.store(), claim("k"));
                acquired(plain.store(), claim("of another slot"));
                assertThat(plain.store().list(RecordState.IN_PROGRESS, Duration.ZERO, 9))
                        .hasSize(2);
                assertThat(plain.store().complete(owner, Calls.result("done"), Calls.RETENTION))
                        .isInstanceOf(Settled.Applied.class);
            }
        }
    }

    private void empty() {
        cluster.masters().forEach(node -> node.redis().flushall());
    }

    @Test
    void claimFollowsASlotThatMoved() {
        empty();
        cluster.move(slot("moved"));
        acquired(store, claim("moved"));
        assertThat(get(store.list(RecordState.IN_PROGRESS, Duration.ZERO, 9))).hasSize(1);
    }

    /** The record and its index can be on two nodes then, and no script reaches both. */
    @Test
    void recordsOfASlotThatIsMovingAreClaimedSettledAndListed() {
        empty();
        String neighbour = keyWhere(slot -> slot == slot("moving"));
        Ownership before = acquired(store, claim(neighbour));
        cluster.beginToMove(slot("moving"));
        Ownership owner = acquired(store, claim("moving"));
        assertThat(get(store.complete(before, Calls.result("done"), Calls.RETENTION)))
                .isInstanceOf(Settled.Applied.class);
        assertThat(get(store.renew(List.of(new Renewal(owner, Duration.ofMinutes(1), Calls.RETENTION)))
                        .get(0)))
                .isInstanceOf(Settled.Applied.class);
        assertThat(get(store.list(RecordState.COMPLETED, Duration.ZERO, 9))).hasSize(1);
        assertThat(get(store.claim(claim(neighbour)))).isInstanceOf(ClaimResult.Duplicate.class);

        empty();
        cluster.move(slot("moving"));
        owner = acquired(store, claim("moving"));
        get(store.renew(List.of(new Renewal(owner, Duration.ofMinutes(1), Calls.RETENTION)))
                .get(0));
        assertThat(get(store.list(RecordState.IN_PROGRESS, Duration.ZERO, 9))).hasSize(1);
    }
}
