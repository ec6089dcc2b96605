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
import java.net.SocketAddress;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** The connection to a cluster, in which every record is on the master of its key's slot. */
final class ClusterConnection implements RedisConnection {

    private final RedisClusterClient client;
    private final Duration patience;
    private final AtomicBoolean replacing = new AtomicBoolean();
    private volatile boolean closed;
    private volatile StatefulRedisClusterConnection<String, byte[]> connection;

    /** Connects. Commands that are under way are given {@code patience} when a silent connection is replaced. */
    ClusterConnection(RedisClusterClient client, Duration patience) {
        this.client = client;
        this.patience = patience;
        this.connection = client.connect(CODEC);
    }

    @Override
    public RedisClusterAsyncCommands<String, byte[]> commands() {
        return connection.async();
    }

    @Override
    public String serverOf(String key) {
        RedisClusterNode master = masterOf(connection, key);
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
    public Map<String, RedisClusterAsyncCommands<String, byte[]>> masters() {
        return connection.getPartitions().stream()
                .filter(node -> node.getRole().isUpstream() && !node.hasNoSlots())
                .collect(Collectors.toMap(
                        ClusterConnection::addressOf,
                        node -> connection.getConnection(node.getNodeId()).async(),
                        (one, same) -> same));
    }

    @Override
    public void unanswered() {
        client.refreshPartitionsAsync();
        // the same nodes are no reason for the driver to connect to one of them again
        if (replacing.compareAndSet(false, true)) {
            client.connectAsync(CODEC).whenComplete((opened, failure) -> replace(opened));
        }
    }

    private void replace(@Nullable StatefulRedisClusterConnection<String, byte[]> opened) {
        if (opened == null) {
            replacing.set(false);
            return;
        }
        StatefulRedisClusterConnection<String, byte[]> silent = connection;
        connection = opened;
        if (closed) { // meanwhile
            opened.closeAsync();
        }
        CompletableFuture.delayedExecutor(patience.toMillis(), TimeUnit.MILLISECONDS)
                .execute(() -> {
                    silent.closeAsync();
                    replacing.set(false);
                });
    }

    @Override
    public <T> T asking(
            String host, int port, Duration timeout, Function<RedisClusterAsyncCommands<String, byte[]>, T> question) {
        return question.apply(
                Answers.await(connection.getConnectionAsync(host, port).copy(), timeout)
                        .async());
    }

    @Override
    public void onReconnect(Runnable task) {
        client.addListener(new RedisConnectionStateListener() {
            @Override
            public void onRedisConnected(RedisChannelHandler<?, ?> again, SocketAddress address) {
                task.run();
            }
        });
        client.getResources()
                .eventBus()
                .get()
                .takeWhile(event -> !closed)
                .filter(ClusterTopologyChangedEvent.class::isInstance)
                .subscribe(changed -> task.run());
    }

    /** Connects to any node, because a published message reaches all nodes. */
    @Override
    public StatefulRedisPubSubConnection<String, byte[]> subscriber() {
        return client.connectPubSub(CODEC);
    }

    @Override
    public Exclusive exclusive() {
        StatefulRedisClusterConnection<String, byte[]> opened = client.connect(CODEC);
        return new Exclusive(opened, (key, address) -> address == null ? owner(opened, key) : node(opened, address));
    }

    private StatefulRedisConnection<String, byte[]> owner(
            StatefulRedisClusterConnection<String, byte[]> opened, String key) {
        if (masterOf(opened, key) == null) {
            // while a slot moves, a node may not know its owner yet
            client.refreshPartitions();
        }
        RedisClusterNode master = masterOf(opened, key);
        if (master == null) {
            throw new IllegalStateException("No master of the Redis cluster holds the slot of " + key);
        }
        return opened.getConnection(master.getNodeId());
    }

    private StatefulRedisConnection<String, byte[]> node(
            StatefulRedisClusterConnection<String, byte[]> opened, String address) {
        // the driver learns from redirections of its own commands only
        client.refreshPartitionsAsync();
        int colon = address.lastIndexOf(':');
        return opened.getConnection(address.substring(0, colon), Integer.parseInt(address.substring(colon + 1)));
    }

    @Override
    public void close() {
        closed = true;
        connection.close();
        client.shutdown();
    }
}
