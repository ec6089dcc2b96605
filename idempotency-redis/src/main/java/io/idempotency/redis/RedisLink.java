package io.idempotency.redis;

import io.lettuce.core.cluster.api.async.RedisClusterAsyncCommands;
import java.util.Map;
import java.util.concurrent.CompletionStage;

/** An open connection of the store's own, to one server, the master that Sentinel names, or a cluster. */
sealed interface RedisLink extends AutoCloseable permits StandaloneLink, ClusterLink {

    /** Commands that go where their key is. */
    RedisClusterAsyncCommands<String, byte[]> commands();

    /** A name for the server whose clock decides about a key. */
    String serverOf(String key);

    /** The servers that hold records, by name. */
    CompletionStage<Map<String, RedisClusterAsyncCommands<String, byte[]>>> masters();

    @Override
    void close();
}
