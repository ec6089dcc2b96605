package io.idempotency.integration.campaign;

import static org.awaitility.Awaitility.await;

import io.idempotency.test.servers.RedisSentinel;
import io.idempotency.test.servers.RedisServer;
import io.idempotency.test.servers.ReplicatedRedis;
import io.lettuce.core.RedisClient;
import io.lettuce.core.RedisURI;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** A Redis master with a replica that acknowledges each write, and a Sentinel that promotes it. Masters die. */
final class SentinelUnderTest implements StoreUnderTest {

    private static final Duration SOON = Duration.ofMinutes(1);
    private static final String MASTER = "role:master";

    private final ReplicatedRedis servers = new ReplicatedRedis(RedisUnderTest.DURABLE);
    private final RedisSentinel sentinel = new RedisSentinel(servers);
    private RedisServer master = servers.master();

    @Override
    public Map<String, Object> properties() {
        Map<String, Object> properties = new HashMap<>();
        properties.put("idempotency.store", "redis");
        properties.put("idempotency.redis.replica-acknowledgements", 1);
        properties.put("redis.uri", sentinel.uri());
        return properties;
    }

    @Override
    public Map<String, Object> undisturbed() {
        return properties();
    }

    @Override
    public Set<Fault> faults() {
        return Set.of(Fault.FAIL_OVER);
    }

    /** The dead master comes back as a replica of the promoted one, and has caught up when this returns. */
    @Override
    public void happen(Fault fault) {
        RedisServer next = master == servers.master() ? servers.replica() : servers.master();
        master.kill();
        await().atMost(SOON).until(() -> says(next, MASTER));
        master.restart();
        await().atMost(SOON).until(() -> says(next, "state=online"));
        master = next;
    }

    private static boolean says(RedisServer server, String text) {
        RedisClient client = RedisClient.create(RedisURI.create(server.uri()));
        try {
            return client.connect().sync().info("replication").contains(text);
        } finally {
            client.shutdown(Duration.ZERO, SOON);
        }
    }

    @Override
    public List<Event.Effect> bookings() {
        return List.of();
    }

    @Override
    public void close() {
        sentinel.close();
        servers.close();
    }

    @Override
    public String toString() {
        return "Redis with Sentinel";
    }
}
