package io.idempotency.redis;

import io.lettuce.core.RedisClient;
import io.lettuce.core.api.StatefulRedisConnection;
import io.lettuce.core.cluster.api.async.RedisClusterAsyncCommands;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/** One server, or the one that Sentinel names as the master. */
record StandaloneLink(String name, RedisClient client, StatefulRedisConnection<String, byte[]> connection)
        implements RedisLink {

    @Override
    public RedisClusterAsyncCommands<String, byte[]> commands() {
        return connection.async();
    }

    @Override
    public String serverOf(String key) {
        return name;
    }

    @Override
    public CompletionStage<StatefulRedisConnection<String, byte[]>> connectionFor(String key) {
        return CompletableFuture.completedFuture(connection);
    }

    @Override
    public CompletionStage<StatefulRedisConnection<String, byte[]>> connectionTo(String address) {
        return CompletableFuture.failedFuture(new IllegalStateException("Redis sends us on to " + address
                + ", so it is a node of a cluster: list the cluster's nodes in redis.uris instead of redis.uri"));
    }

    @Override
    public CompletionStage<Map<String, RedisClusterAsyncCommands<String, byte[]>>> masters() {
        return CompletableFuture.completedFuture(Map.of(name, connection.async()));
    }

    @Override
    public void close() {
        connection.close();
        client.shutdown();
    }
}
