package io.idempotency.redis;

import static org.awaitility.Awaitility.await;

import io.idempotency.test.servers.RedisServer;
import io.lettuce.core.RedisClient;
import io.lettuce.core.RedisURI;
import io.lettuce.core.api.sync.RedisCommands;

/** A master and one replica. */
final class ReplicatedRedis implements AutoCloseable {

    private final RedisServer master;
    private final RedisServer replica;
    private final RedisClient client = RedisClient.create();

    ReplicatedRedis() {
        master = RedisServer.onHost("--repl-diskless-sync-delay", "0");
        replica = RedisServer.onHost("--replicaof", master.host(), Integer.toString(master.port()));
        await().until(() -> onMaster().info("replication").contains("state=online"));
    }

    RedisServer master() {
        return master;
    }

    RedisServer replica() {
        return replica;
    }

    RedisCommands<String, String> onMaster() {
        return client.connect(RedisURI.create(master.uri())).sync();
    }

    RedisCommands<String, String> onReplica() {
        return client.connect(RedisURI.create(replica.uri())).sync();
    }

    @Override
    public void close() {
        client.shutdown();
        replica.close();
        master.close();
    }
}
