package io.idempotency.integration.campaign;

import static org.awaitility.Awaitility.await;

import io.idempotency.test.servers.RedisSentinel;
import io.idempotency.test.servers.RedisServer;
import io.idempotency.test.servers.ReplicatedRedis;
import io.lettuce.core.KillArgs;
import io.lettuce.core.RedisClient;
import io.lettuce.core.RedisURI;
import io.lettuce.core.api.sync.RedisCommands;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** A Redis master with a replica, and a Sentinel that promotes it. Masters die. */
final class SentinelUnderTest implements StoreUnderTest {

    /** A Sentinel begins no other fail-over for twice its time-out. */
    private static final Duration SOON = Duration.ofMinutes(3);

    /** How long the master is answered although its replica receives nothing. */
    private static final Duration UNSEEN = Duration.ofMillis(800);

    private static final String MASTER = "role:master";
    private static final String REPLICAS_PASSWORD = "masterauth";

    private final ReplicatedRedis servers = new ReplicatedRedis(RedisUnderTest.DURABLE);
    private final RedisSentinel sentinel = new RedisSentinel(servers);
    private final boolean acknowledged;

    private SentinelUnderTest(boolean acknowledged) {
        this.acknowledged = acknowledged;
    }

    /** Each write is acknowledged by the replica. */
    static StoreUnderTest acknowledged() {
        return new SentinelUnderTest(true);
    }

    /** The replica's connection breaks before the master dies, and what it has not received counts all the same. */
    static StoreUnderTest unacknowledged() {
        return new SentinelUnderTest(false);
    }

    @Override
    public Map<String, Object> properties() {
        Map<String, Object> properties = new HashMap<>();
        properties.put("idempotency.store", "redis");
        if (acknowledged) {
            properties.put("idempotency.redis.replica-acknowledgements", 1);
        }
        properties.put("redis.uri", sentinel.uri());
        return properties;
    }

    /** A node refuses to start while its master has too few replicas. */
    @Override
    public Map<String, Object> undisturbed() {
        await().ignoreExceptions().atMost(SOON).until(() -> complete() != null);
        return properties();
    }

    @Override
    public Set<Fault> faults() {
        return Set.of(Fault.FAIL_OVER);
    }

    /** The dead master comes back as a replica of the promoted one, and has caught up when this returns. */
    @Override
    public void happen(Fault fault) {
        RedisServer master = await().ignoreExceptions().atMost(SOON).until(this::complete, Objects::nonNull);
        RedisServer next = master == servers.master() ? servers.replica() : servers.master();
        if (!acknowledged) {
            // a master without a password refuses a replica that has one, which would else be connected again at once
            asked(next, commands -> commands.configSet(REPLICAS_PASSWORD, "another"));
            asked(master, commands -> commands.clientKill(KillArgs.Builder.typeSlave()));
            LockSupport.parkNanos(UNSEEN.toNanos());
        }
        master.kill();
        asked(next, commands -> commands.configSet(REPLICAS_PASSWORD, ""));
        // one that came back sooner than Sentinel names the new master could make that one follow it again
        await().ignoreExceptions().atMost(SOON).until(() -> says(next, MASTER) && sentinel.names(next));
        master.restart();
        // Sentinel does that only after eight seconds without a late answer, which a busy machine may never give
        asked(master, commands -> commands.replicaof(next.host(), next.port()));
        await().ignoreExceptions().atMost(SOON).until(() -> complete() != null);
    }

    /**
     * Returns the master that Sentinel names, once its replica is connected: either server, because Sentinel also
     * replaces one that answers late on a busy machine.
     */
    private @Nullable RedisServer complete() {
        RedisServer named = sentinel.names(servers.master()) ? servers.master() : servers.replica();
        return says(named, MASTER) && says(named, "state=online") ? named : null;
    }

    private static boolean says(RedisServer server, String text) {
        return asked(server, commands -> commands.info("replication").contains(text));
    }

    private static <T> T asked(RedisServer server, Function<RedisCommands<String, String>, T> question) {
        RedisClient client = RedisClient.create(RedisURI.create(server.uri()));
        try {
            return question.apply(client.connect().sync());
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
        return acknowledged ? "Redis with Sentinel" : "Redis with Sentinel, without acknowledgements";
    }
}
