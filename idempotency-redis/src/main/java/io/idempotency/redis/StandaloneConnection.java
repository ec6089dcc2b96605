package io.idempotency.redis;

import io.lettuce.core.RedisChannelHandler;
import io.lettuce.core.RedisClient;
import io.lettuce.core.RedisConnectionStateListener;
import io.lettuce.core.RedisURI;
import io.lettuce.core.api.StatefulRedisConnection;
import io.lettuce.core.cluster.api.async.RedisClusterAsyncCommands;
import io.lettuce.core.pubsub.StatefulRedisPubSubConnection;
import io.lettuce.core.resource.ClientResources;
import java.net.SocketAddress;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** One server, or the one that Sentinel names as the master. Thread-safe. */
final class StandaloneConnection implements RedisConnection, RedisConnectionStateListener {

    private final String name;
    private final RedisClient client;
    private final RedisURI uri;
    private final AtomicBoolean replacing = new AtomicBoolean();
    private volatile StatefulRedisConnection<String, byte[]> connection;
    private volatile Runnable reconnected = () -> {};

    StandaloneConnection(String name, RedisClient client, RedisURI uri) {
        this.name = name;
        this.client = client;
        this.uri = uri;
        this.connection = client.connect(CODEC, uri);
        this.connection.addListener((RedisConnectionStateListener) this);
    }

    @Override
    public Runnable onReconnect(Runnable task) {
        reconnected = task;
        return () -> reconnected = () -> {};
    }

    @Override
    public void onRedisConnected(RedisChannelHandler<?, ?> again, SocketAddress address) {
        reconnected.run();
    }

    @Override
    public ClientResources resources() {
        return client.getResources();
    }

    @Override
    public <T> CompletionStage<T> asking(
            String host,
            int port,
            Function<RedisClusterAsyncCommands<String, byte[]>, ? extends CompletionStage<T>> question) {
        RedisURI server = RedisURI.Builder.redis(host, port)
                .withAuthentication(uri)
                .withSsl(uri)
                .withTimeout(uri.getTimeout())
                .build();
        return client.connectAsync(CODEC, server)
                .thenCompose(
                        opened -> question.apply(opened.async()).whenComplete((said, failure) -> opened.closeAsync()));
    }

    @Override
    public RedisClusterAsyncCommands<String, byte[]> commands() {
        return connection.async();
    }

    @Override
    public String serverOf(String key) {
        return name;
    }

    @Override
    public int slotOf(String key) {
        return 0;
    }

    @Override
    public boolean together() {
        return true;
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
    public void unanswered() {
        if (replacing.compareAndSet(false, true)) {
            client.connectAsync(CODEC, uri).whenComplete(this::replace);
        }
    }

    private void replace(@Nullable StatefulRedisConnection<String, byte[]> opened, @Nullable Throwable failure) {
        if (opened != null) {
            StatefulRedisConnection<String, byte[]> silent = connection;
            connection = opened;
            opened.addListener((RedisConnectionStateListener) this);
            reconnected.run();
            silent.closeAsync();
        }
        replacing.set(false);
    }

    @Override
    public CompletionStage<StatefulRedisPubSubConnection<String, byte[]>> subscriber() {
        return client.connectPubSubAsync(CODEC, uri);
    }

    @Override
    public void close() {
        connection.close();
        client.shutdown();
    }
}
