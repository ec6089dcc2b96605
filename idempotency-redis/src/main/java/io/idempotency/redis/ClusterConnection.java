package io.idempotency.redis;

import io.lettuce.core.RedisException;
import io.lettuce.core.api.StatefulRedisConnection;
import io.lettuce.core.cluster.RedisClusterClient;
import io.lettuce.core.cluster.SlotHash;
import io.lettuce.core.cluster.api.StatefulRedisClusterConnection;
import io.lettuce.core.cluster.api.async.RedisClusterAsyncCommands;
import io.lettuce.core.cluster.event.ClusterTopologyChangedEvent;
import io.lettuce.core.cluster.models.partitions.RedisClusterNode;
import io.lettuce.core.pubsub.StatefulRedisPubSubConnection;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** The connection to a cluster, in which every record is on the master of its key's slot. */
final class ClusterConnection extends RedisConnection<StatefulRedisClusterConnection<String, byte[]>> {

    private final RedisClusterClient client;

    ClusterConnection(RedisClusterClient client, Duration patience) {
        super(client, client.connect(CODEC), patience);
        this.client = client;
        client.addListener(this);
        client.getResources()
                .eventBus()
                .get()
                .takeWhile(event -> !closed)
                .filter(ClusterTopologyChangedEvent.class::isInstance)
                .subscribe(changed -> reconnected.run());
    }

    /** Also looks for new masters: the same ones are no reason for the driver to connect to one of them again. */
    @Override
    CompletionStage<StatefulRedisClusterConnection<String, byte[]>> connect() {
        client.refreshPartitionsAsync();
        return client.connectAsync(CODEC);
    }

    @Override
    RedisClusterAsyncCommands<String, byte[]> commands() {
        return current.async();
    }

    @Override
    String serverOf(String key) {
        RedisClusterNode master = masterOf(current, key);
        return master == null ? "unknown" : addressOf(master);
    }

    private static @Nullable RedisClusterNode masterOf(
            StatefulRedisClusterConnection<String, byte[]> connection, String key) {
        return connection.getPartitions().getPartitionBySlot(SlotHash.getSlot(key));
    }

    private static String addressOf(RedisClusterNode node) {
        return node.getUri().getHost() + ':' + node.getUri().getPort();
    }

    @Override
    Map<String, Master> masters() {
        StatefulRedisClusterConnection<String, byte[]> shared = current;
        return shared.getPartitions().stream()
                .filter(node -> node.getRole().isUpstream() && !node.hasNoSlots())
                .collect(Collectors.toMap(
                        ClusterConnection::addressOf,
                        node -> () -> shared.getConnection(node.getNodeId()).async(),
                        (one, same) -> same));
    }

    @Override
    <T> T asking(String host, int port, Function<RedisClusterAsyncCommands<String, byte[]>, T> question) {
        return question.apply(
                await(current.getConnectionAsync(host, port).copy()).async());
    }

    /** Connects to any node, because a published message reaches all nodes. */
    @Override
    StatefulRedisPubSubConnection<String, byte[]> subscriber() {
        return client.connectPubSub(CODEC);
    }

    @Override
    Exclusive exclusive() {
        int before = silences;
        StatefulRedisClusterConnection<String, byte[]> opened = client.connect(CODEC);
        return new Exclusive(
                opened, before, (key, address) -> address == null ? owner(opened, key) : node(opened, address));
    }

    private StatefulRedisConnection<String, byte[]> owner(
            StatefulRedisClusterConnection<String, byte[]> opened, String key) {
        if (masterOf(opened, key) == null) {
            client.refreshPartitions(); // while a slot moves, a node may not know its owner yet
        }
        RedisClusterNode master = masterOf(opened, key);
        if (master == null) {
            throw new RedisException("No master of the Redis cluster holds the slot of " + key);
        }
        return opened.getConnection(master.getNodeId());
    }

    private StatefulRedisConnection<String, byte[]> node(
            StatefulRedisClusterConnection<String, byte[]> opened, String address) {
        client.refreshPartitionsAsync(); // the driver learns from redirections of its own commands only
        int colon = address.lastIndexOf(':');
        return opened.getConnection(address.substring(0, colon), Integer.parseInt(address.substring(colon + 1)));
    }
}
