package io.idempotency.redis;

import io.lettuce.core.RedisChannelHandler;
import io.lettuce.core.RedisClient;
import io.lettuce.core.RedisConnectionStateListener;
import io.lettuce.core.RedisURI;
import io.lettuce.core.api.StatefulRedisConnection;
import io.lettuce.core.cluster.api.async.RedisClusterAsyncCommands;
import io.lettuce.core.pubsub.StatefulRedisPubSubConnection;
import java.net.SocketAddress;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** The connection to one server, or to the master that Sentinel names. */
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
    public RedisClusterAsyncCommands<String, byte[]> commands() {
        return connection.async();
    }

    @Override
    public String serverOf(String key) {
        return name;
    }

    @Override
    public Map<String, RedisClusterAsyncCommands<String, byte[]>> masters() {
        return Map.of(name, connection.async());
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
    public <T> T asking(
            String host, int port, Duration timeout, Function<RedisClusterAsyncCommands<String, byte[]>, T> question) {
        RedisURI server = RedisURI.Builder.redis(host, port)
                .withAuthentication(uri)
                .withSsl(uri)
                .withTimeout(timeout)
                .build();
        try (StatefulRedisConnection<String, byte[]> opened = client.connect(CODEC, server)) {
            return question.apply(opened.async());
        }
    }

    @Override
    public void onReconnect(Runnable task) {
        reconnected = task;
    }

    @Override
    public void onRedisConnected(RedisChannelHandler<?, ?> again, SocketAddress address) {
        reconnected.run();
    }

    @Override
    public StatefulRedisPubSubConnection<String, byte[]> subscriber() {
        return client.connectPubSub(CODEC, uri);
    }

    @Override
    public Exclusive exclusive() {
        StatefulRedisConnection<String, byte[]> opened = client.connect(CODEC, uri);
        return new Exclusive(opened, (key, address) -> {
            if (address != null) {
                throw new IllegalStateException(
                        "Redis sends us on to " + address
                                + ", so it is a node of a cluster: list the cluster's nodes in redis.uris instead of redis.uri");
            }
            return opened;
        });
    }

    @Override
    public void close() {
        connection.close();
        client.shutdown();
    }
}
