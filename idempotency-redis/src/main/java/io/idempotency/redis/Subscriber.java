package io.idempotency.redis;

import io.lettuce.core.RedisChannelHandler;
import io.lettuce.core.RedisConnectionStateListener;
import io.lettuce.core.pubsub.RedisPubSubAdapter;
import io.lettuce.core.pubsub.RedisPubSubListener;
import io.lettuce.core.pubsub.StatefulRedisPubSubConnection;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** One connection's subscription. The driver opens it again when it breaks, and subscribes again. */
final class Subscriber extends RedisPubSubAdapter<String, byte[]> implements RedisConnectionStateListener {

    private final SettledChannel owner;
    private final String channel;
    private final long sinceNanos = System.nanoTime();
    private @Nullable StatefulRedisPubSubConnection<String, byte[]> connection;
    private boolean closed;

    Subscriber(SettledChannel owner, String channel) {
        this.owner = owner;
        this.channel = channel;
    }

    boolean olderThan(Duration age) {
        return System.nanoTime() - sinceNanos > age.toNanos();
    }

    void over(StatefulRedisPubSubConnection<String, byte[]> opened) {
        synchronized (this) {
            if (closed) {
                opened.closeAsync();
                return;
            }
            connection = opened;
        }
        opened.addListener((RedisConnectionStateListener) this);
        opened.addListener((RedisPubSubListener<String, byte[]>) this);
        opened.async().subscribe(channel).exceptionally(failure -> {
            owner.failed(this, String.valueOf(failure.getMessage()));
            return null;
        });
    }

    @Override
    public void subscribed(String name, long count) {
        owner.live(this, true);
    }

    @Override
    public void onRedisDisconnected(RedisChannelHandler<?, ?> broken) {
        owner.live(this, false);
    }

    @Override
    public void message(String name, byte[] message) {
        owner.settled(new String(message, StandardCharsets.US_ASCII));
    }

    synchronized void close() {
        closed = true;
        if (connection != null) {
            connection.closeAsync();
        }
    }
}
