package io.idempotency.redis;

import io.lettuce.core.api.StatefulRedisConnection;
import io.lettuce.core.cluster.RedisClusterClient;
import io.lettuce.core.cluster.SlotHash;
import io.lettuce.core.cluster.api.StatefulRedisClusterConnection;
import io.lettuce.core.cluster.api.async.RedisClusterAsyncCommands;
import io.lettuce.core.cluster.models.partitions.RedisClusterNode;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/** A cluster: every record lives on the master of its key's slot. */
record ClusterLink(RedisClusterClient client, StatefulRedisClusterConnection<String, byte[]> connection)
        implements RedisLink {

    @Override
    public RedisClusterAsyncCommands<String, byte[]> commands() {
        return connection.async();
    }

    @Override
    public String serverOf(String key) {
        RedisClusterNode master = connection.getPartitions().getPartitionBySlot(SlotHash.getSlot(key));
        return master == null ? "unknown" : master.getNodeId();
    }

    @Override
    public CompletionStage<Map<String, RedisClusterAsyncCommands<String, byte[]>>> masters() {
        Map<String, CompletableFuture<StatefulRedisConnection<String, byte[]>>> opening = new HashMap<>();
        for (RedisClusterNode node : connection.getPartitions()) {
            if (node.getRole().isUpstream() && !node.hasNoSlots()) {
                opening.put(
                        node.getUri().getHost() + ":" + node.getUri().getPort(),
                        connection.getConnectionAsync(node.getNodeId()));
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
    public void close() {
        connection.close();
        client.shutdown();
    }
}
