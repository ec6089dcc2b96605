package io.idempotency.redis;

import io.lettuce.core.RedisChannelHandler;
import io.lettuce.core.RedisConnectionStateListener;
import io.lettuce.core.api.StatefulRedisConnection;
import io.lettuce.core.cluster.RedisClusterClient;
import io.lettuce.core.cluster.SlotHash;
import io.lettuce.core.cluster.api.StatefulRedisClusterConnection;
import io.lettuce.core.cluster.api.async.RedisClusterAsyncCommands;
import io.lettuce.core.cluster.event.ClusterTopologyChangedEvent;
import io.lettuce.core.cluster.models.partitions.RedisClusterNode;
import io.lettuce.core.pubsub.StatefulRedisPubSubConnection;
import io.lettuce.core.resource.ClientResources;
import java.net.SocketAddress;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import reactor.core.Disposable;

/** A cluster: every record lives on the master of its key's slot. */
record ClusterConnection(RedisClusterClient client, StatefulRedisClusterConnection<String, byte[]> connection)
        implements RedisConnection {

    private static final int LOOKS = 6;
    private static final long MILLIS_BETWEEN_LOOKS = 50;

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
    public int slotOf(String key) {
        return SlotHash.getSlot(key);
    }

    @Override
    public boolean together() {
        return false;
    }

    @Override
    public CompletionStage<StatefulRedisConnection<String, byte[]>> connectionFor(String key) {
        return connectionFor(key, LOOKS);
    }

    /** While a slot moves, a node may know of no owner until its neighbours have told it. */
    private CompletionStage<StatefulRedisConnection<String, byte[]>> connectionFor(String key, int looks) {
        RedisClusterNode master = masterOf(key);
        if (master != null) {
            return connection.getConnectionAsync(master.getNodeId());
        } else if (looks == 0) {
            return CompletableFuture.failedFuture(
                    new IllegalStateException("No master of the Redis cluster holds the slot of " + key));
        }
        Executor later = CompletableFuture.delayedExecutor(
                looks == LOOKS ? 0 : MILLIS_BETWEEN_LOOKS,
                TimeUnit.MILLISECONDS,
                client.getResources().eventExecutorGroup());
        return CompletableFuture.supplyAsync(client::refreshPartitionsAsync, later)
                .thenCompose(Function.identity())
                .thenCompose(refreshed -> connectionFor(key, looks - 1));
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
    public <T> CompletionStage<T> asking(
            String host,
            int port,
            Function<RedisClusterAsyncCommands<String, byte[]>, ? extends CompletionStage<T>> question) {
        return connection.getConnectionAsync(host, port).thenCompose(node -> question.apply(node.async()));
    }

    /** Every connection to a node counts, and so does what the driver learns of the nodes. */
    @Override
    public Runnable onReconnect(Runnable task) {
        RedisConnectionStateListener connected = new RedisConnectionStateListener() {
            @Override
            public void onRedisConnected(RedisChannelHandler<?, ?> again, SocketAddress address) {
                task.run();
            }
        };
        client.addListener(connected);
        Disposable topology = client.getResources()
                .eventBus()
                .get()
                .filter(ClusterTopologyChangedEvent.class::isInstance)
                .subscribe(changed -> task.run());
        return () -> {
            client.removeListener(connected);
            topology.dispose();
        };
    }

    @Override
    public ClientResources resources() {
        return client.getResources();
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
