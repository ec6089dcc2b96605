package io.idempotency.integration.campaign;

import io.idempotency.test.servers.RedisServer;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;

/** One Redis server. */
final class RedisUnderTest implements StoreUnderTest {

    /** Settings of a server that keeps each acknowledged write when it is killed. */
    static final String[] DURABLE = {
        "--appendonly", "yes", "--appendfsync", "always", "--maxmemory-policy", "noeviction"
    };

    private final RedisServer server;
    private final Network network;

    private RedisUnderTest(RedisServer server, Random random) {
        this.server = server;
        this.network = new Network(server, random);
    }

    /** One that keeps each acknowledged write. */
    static StoreUnderTest durable(Random random) {
        return new RedisUnderTest(
                RedisServer.onHost(
                        "--appendonly", "yes", "--appendfsync", "always", "--maxmemory-policy", "noeviction"),
                random);
    }

    /** One that forgets everything when it is killed. */
    static StoreUnderTest withoutPersistence(Random random) {
        return new RedisUnderTest(RedisServer.onHost(), random);
    }

    @Override
    public Map<String, Object> properties() {
        return properties("redis://127.0.0.1:" + network.port());
    }

    @Override
    public Map<String, Object> undisturbed() {
        return properties(server.uri());
    }

    private static Map<String, Object> properties(String uri) {
        Map<String, Object> properties = new HashMap<>();
        properties.put("idempotency.store", "redis");
        properties.put("redis.uri", uri);
        return properties;
    }

    @Override
    public Set<Fault> faults() {
        return Network.FAULTS;
    }

    @Override
    public void happen(Fault fault) {
        network.happen(fault);
    }

    @Override
    public List<Event.Effect> bookings() {
        return List.of();
    }

    @Override
    public void close() {
        network.close();
        server.close();
    }

    @Override
    public String toString() {
        return "Redis";
    }
}
