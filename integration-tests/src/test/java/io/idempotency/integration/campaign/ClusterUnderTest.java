package io.idempotency.integration.campaign;

import io.idempotency.test.servers.RedisCluster;
import io.idempotency.test.servers.RedisServer;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/** A Redis Cluster of three masters that keep each acknowledged write. One of them dies or stands still. */
final class ClusterUnderTest implements StoreUnderTest {

    private final RedisCluster cluster = new RedisCluster(RedisUnderTest.DURABLE);
    private final Random random;

    ClusterUnderTest(Random random) {
        this.random = random;
    }

    @Override
    public Map<String, Object> properties() {
        Map<String, Object> properties = new HashMap<>();
        properties.put("idempotency.store", "redis");
        properties.put("redis.uris", cluster.uris());
        return properties;
    }

    @Override
    public Map<String, Object> undisturbed() {
        return properties();
    }

    @Override
    public Set<Fault> faults() {
        return Set.of(Fault.STORE_KILLED, Fault.STORE_STOPPED);
    }

    @Override
    public void happen(Fault fault) {
        RedisServer server = cluster.masters().get(random.nextInt(3)).server();
        if (fault == Fault.STORE_KILLED) {
            server.kill();
        } else {
            server.pause();
        }
        LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(random.nextInt(5_000)));
        if (fault == Fault.STORE_KILLED) {
            server.restart();
        } else {
            server.resume();
        }
    }

    @Override
    public List<Event.Effect> bookings() {
        return List.of();
    }

    @Override
    public void close() {
        cluster.close();
    }

    @Override
    public String toString() {
        return "Redis Cluster";
    }
}
