package io.idempotency.redis;

import io.idempotency.runtime.store.RecordId;
import io.idempotency.runtime.store.SettlementSignals;
import io.lettuce.core.RedisChannelHandler;
import io.lettuce.core.RedisConnectionStateListener;
import io.lettuce.core.pubsub.RedisPubSubAdapter;
import io.lettuce.core.pubsub.RedisPubSubListener;
import io.lettuce.core.pubsub.StatefulRedisPubSubConnection;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Notifies waiting callers of settled records, over a Redis channel. One connection serves all callers; it is opened in
 * the background for the first. Without it callers poll. The driver reconnects and subscribes again. Thread-safe.
 */
final class SettledChannel extends RedisPubSubAdapter<String, byte[]>
        implements SettlementSignals, RedisConnectionStateListener {

    private static final Logger LOG = LoggerFactory.getLogger(SettledChannel.class);
    private static final Duration AGAIN = Duration.ofSeconds(5);

    private final RedisConnection<?> link;
    private final ScheduledExecutorService background;
    private final String channel;
    private final Listeners listeners = new Listeners();
    private final AtomicBoolean opened;

    /** Confined to the background thread, like the next field. */
    private @Nullable StatefulRedisPubSubConnection<String, byte[]> connection;

    private boolean warned;

    SettledChannel(
            RedisConnection<?> link, RedisIdempotencyConfiguration configuration, ScheduledExecutorService background) {
        this.link = link;
        this.background = background;
        this.channel = configuration.getKeyPrefix() + "settled";
        this.opened = new AtomicBoolean(!configuration.isNotifications());
        link.silent = () -> background.execute(this::reopen);
    }

    /** Tells whether a caller listens to the record over a live channel. */
    boolean heard(RecordId id) {
        return listeners.hear(id);
    }

    @Override
    public Subscription listen(RecordId id, Runnable look) {
        Subscription listening = listeners.add(id, look);
        if (opened.compareAndSet(false, true)) {
            background.execute(this::open);
        }
        return listening;
    }

    private void open() {
        try {
            connection = link.subscriber();
            connection.addListener((RedisConnectionStateListener) this);
            connection.addListener((RedisPubSubListener<String, byte[]>) this);
            link.await(connection.async().subscribe(channel));
            warned = false;
        } catch (RuntimeException e) {
            drop();
            if (!warned) {
                warned = true;
                LOG.warn(
                        "Redis does not let this application subscribe to '{}' ({}), so callers that wait for a duplicate"
                                + " of another node ask about five times a second; trying again every {}. With ACLs the user"
                                + " needs +subscribe and &{}.",
                        channel,
                        e.getMessage(),
                        AGAIN,
                        channel);
            }
            background.schedule(this::open, AGAIN.toMillis(), TimeUnit.MILLISECONDS);
        }
    }

    /** Replaces the connection after another fell silent: it may be dead as well, which TCP does not notice. */
    private void reopen() {
        if (connection != null) {
            drop();
            open();
        }
    }

    private void drop() {
        if (connection != null) {
            connection.removeListener((RedisConnectionStateListener) this);
            connection.removeListener((RedisPubSubListener<String, byte[]>) this);
            connection.closeAsync();
            connection = null;
        }
        listeners.live(false);
    }

    @Override
    public void subscribed(String name, long count) {
        listeners.live(true);
    }

    @Override
    public void onRedisDisconnected(RedisChannelHandler<?, ?> broken) {
        listeners.live(false);
    }

    @Override
    public void message(String name, byte[] message) {
        listeners.heard(new String(message, StandardCharsets.US_ASCII));
    }
}
