package io.idempotency.redis;

import io.lettuce.core.RedisClient;
import io.lettuce.core.RedisURI;
import io.lettuce.core.api.StatefulRedisConnection;
import io.lettuce.core.cluster.api.async.RedisClusterAsyncCommands;
import io.lettuce.core.pubsub.StatefulRedisPubSubConnection;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;

/** The connection to one server, or to the master that Sentinel names. */
final class StandaloneConnection extends RedisConnection<StatefulRedisConnection<String, byte[]>> {

    private final String name;
    private final RedisClient client;
    private final RedisURI uri;

    StandaloneConnection(String name, RedisClient client, RedisURI uri, Duration patience) {
        super(client, client.connect(CODEC, uri), patience);
        this.name = name;
        this.client = client;
        this.uri = uri;
    }

    @Override
    CompletionStage<StatefulRedisConnection<String, byte[]>> connect() {
        return client.connectAsync(CODEC, uri);
    }

    @Override
    RedisClusterAsyncCommands<String, byte[]> commands() {
        return current.async();
    }

    @Override
    String serverOf(String key) {
        return name;
    }

    @Override
    Map<String, Master> masters() {
        return Map.of(name, this::commands);
    }

    @Override
    <T> T asking(String host, int port, Function<RedisClusterAsyncCommands<String, byte[]>, T> question) {
        RedisURI server = RedisURI.Builder.redis(host, port)
                .withAuthentication(uri)
                .withSsl(uri)
                .withTimeout(patience)
                .build();
        try (StatefulRedisConnection<String, byte[]> opened = client.connect(CODEC, server)) {
            return question.apply(opened.async());
        }
    }

    @Override
    StatefulRedisPubSubConnection<String, byte[]> subscriber() {
        return client.connectPubSub(CODEC, uri);
    }

    @Override
    Exclusive exclusive() {
        int before = silences;
        StatefulRedisConnection<String, byte[]> opened = client.connect(CODEC, uri);
        return new Exclusive(opened, before, (key, address) -> {
            if (address != null) {
                throw new IllegalStateException("Redis sends us on to " + address
                        + ", so list the nodes of its cluster in redis.uris instead of redis.uri");
            }
            return opened;
        });
    }
}
