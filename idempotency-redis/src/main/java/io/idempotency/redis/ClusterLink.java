package io.idempotency.redis;

import io.lettuce.core.api.StatefulRedisConnection;
import io.lettuce.core.cluster.RedisClusterClient;
import io.lettuce.core.cluster.SlotHash;
import io.lettuce.core.cluster.api.StatefulRedisClusterConnection;
import io.lettuce.core.cluster.api.async.RedisClusterAsyncCommands;
import io.lettuce.core.cluster.models.partitions.RedisClusterNode;
import io.lettuce.core.pubsub.StatefulRedisPubSubConnection;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/** A cluster: every record lives on the master of its key's slot. */
record ClusterLink(RedisClusterClient client, StatefulRedisClusterConnection<String, byte[]> connection)
        implements RedisLink {

    @Override
    public RedisClusterAsyncCommands<String, byte[]> commands() {
        return connection.async();
    }

    @Override
    public String serverOf(String key) {
        RedisClusterNode master = masterOf(key);
        return master == null ? "unknown" : addressOf(master);
    }

    @Override
    public CompletionStage<StatefulRedisConnection<String, byte[]>> connectionFor(String key) {
        RedisClusterNode master = masterOf(key);
        return master == null
                ? client.refreshPartitionsAsync().thenCompose(refreshed -> connectionFor(key, masterOf(key)))
                : connectionFor(key, master);
    }

    private CompletionStage<StatefulRedisConnection<String, byte[]>> connectionFor(
            String key, @Nullable RedisClusterNode master) {
        return master == null
                ? CompletableFuture.failedFuture(
                        new IllegalStateException("No master of the Redis cluster holds the slot of " + key))
                : connection.getConnectionAsync(master.getNodeId());
    }

    @Override
    public CompletionStage<StatefulRedisConnection<String, byte[]>> connectionTo(String address) {
        // the driver learns from redirections of its own commands only
        client.refreshPartitionsAsync();
        int colon = address.lastIndexOf(':');
        return connection.getConnectionAsync(
                address.substring(0, colon), Integer.parseInt(address.substring(colon + 1)));
    }

    private static String addressOf(RedisClusterNode node) {
        return node.getUri().getHost() + ':' + node.getUri().getPort();
    }

    private @Nullable RedisClusterNode masterOf(String key) {
        return connection.getPartitions().getPartitionBySlot(SlotHash.getSlot(key));
    }

    @Override
    public CompletionStage<Map<String, RedisClusterAsyncCommands<String, byte[]>>> masters() {
        Map<String, CompletableFuture<StatefulRedisConnection<String, byte[]>>> opening = new HashMap<>();
        for (RedisClusterNode node : connection.getPartitions()) {
            if (node.getRole().isUpstream() && !node.hasNoSlots()) {
                opening.put(addressOf(node), connection.getConnectionAsync(node.getNodeId()));
            }
        }
        return CompletableFuture.allOf(opening.values().toArray(CompletableFuture[]::new))
                .thenApply(all -> {
                    Map<String, RedisClusterAsyncCommands<String, byte[]>> masters = new HashMap<>();
                    opening.forEach(
                            (name, node) -> masters.put(name, node.join().async()));
                    return masters;
                });
    }

    @Override
    public void unanswered() {
        client.refreshPartitionsAsync();
    }

    /** To any node: a message reaches all of them. */
    @Override
    public CompletionStage<? extends StatefulRedisPubSubConnection<String, byte[]>> subscriber() {
        return client.connectPubSubAsync(CODEC);
    }

    @Override
    public void close() {
        connection.close();
        client.shutdown();
    }
}
