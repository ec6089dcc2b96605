package io.idempotency.test.servers;

import static org.awaitility.Awaitility.await;

import io.lettuce.core.RedisClient;
import io.lettuce.core.RedisURI;
import io.lettuce.core.api.sync.RedisCommands;
import java.util.stream.Stream;

/** A master and one replica. */
public final class ReplicatedRedis implements AutoCloseable {

    private final RedisServer master;
    private final RedisServer replica;
    private final RedisClient client = RedisClient.create();

    /** With settings of both, for instance {@code "--appendonly", "yes"}. */
    public ReplicatedRedis(String... settings) {
        master = RedisServer.onHost(with(settings, "--repl-diskless-sync-delay", "0"));
        replica = RedisServer.onHost(with(settings, "--replicaof", master.host(), Integer.toString(master.port())));
        await().until(() -> onMaster().info("replication").contains("state=online"));
    }

    private static String[] with(String[] settings, String... more) {
        return Stream.concat(Stream.of(settings), Stream.of(more)).toArray(String[]::new);
    }

    public RedisServer master() {
        return master;
    }

    public RedisServer replica() {
        return replica;
    }

    public RedisCommands<String, String> onMaster() {
        return client.connect(RedisURI.create(master.uri())).sync();
    }

    public RedisCommands<String, String> onReplica() {
        return client.connect(RedisURI.create(replica.uri())).sync();
    }

    @Override
    public void close() {
        client.shutdown();
        replica.close();
        master.close();
    }
}
