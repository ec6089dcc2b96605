package io.idempotency.redis;

import io.lettuce.core.RedisClient;
import io.lettuce.core.api.StatefulRedisConnection;
import io.lettuce.core.cluster.api.async.RedisClusterAsyncCommands;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/** One server, or the one that Sentinel names as the master. */
record StandaloneLink(RedisClient client, StatefulRedisConnection<String, byte[]> connection) implements RedisLink {

    private static final String ONLY = "server";

    @Override
    public RedisClusterAsyncCommands<String, byte[]> commands() {
        return connection.async();
    }

    @Override
    public String serverOf(String key) {
        return ONLY;
    }

    @Override
    public CompletionStage<Map<String, RedisClusterAsyncCommands<String, byte[]>>> masters() {
        return CompletableFuture.completedFuture(Map.of(ONLY, connection.async()));
    }

    @Override
    public void close() {
        connection.close();
        client.shutdown();
    }
}
