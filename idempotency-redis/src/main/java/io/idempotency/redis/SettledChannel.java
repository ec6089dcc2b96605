package io.idempotency.redis;

import io.idempotency.runtime.store.RecordId;
import io.idempotency.runtime.store.SettlementListeners;
import io.idempotency.runtime.store.SettlementSignals.Subscription;
import io.lettuce.core.RedisChannelHandler;
import io.lettuce.core.RedisConnectionStateListener;
import io.lettuce.core.pubsub.RedisPubSubAdapter;
import io.lettuce.core.pubsub.RedisPubSubListener;
import io.lettuce.core.pubsub.StatefulRedisPubSubConnection;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Over which callers that wait hear of settlements: one connection for all of them, opened when the first waits and
 * closed when none has for a while. Without it they poll. Thread-safe; nothing here blocks.
 */
final class SettledChannel implements AutoCloseable {

    private static final Logger LOG = LoggerFactory.getLogger(SettledChannel.class);
    /** How long the connection is kept for the next who waits. */
    static final Duration IDLE = Duration.ofMinutes(1);

    private static final Duration AGAIN = Duration.ofSeconds(5);

    /** Many calls time out together when a server falls silent, and all of them say so. */
    private static final Duration YOUNG = Duration.ofSeconds(1);

    private final RedisConnection link;
    private final String channel;
    private final Duration idle;
    private final SettlementListeners listeners = new SettlementListeners();
    private @Nullable Subscriber subscriber;
    private boolean idleCheckDue;
    private boolean closed;
    private boolean warned;

    SettledChannel(RedisConnection link, RedisIdempotencyConfiguration configuration, Duration idle) {
        this.link = link;
        this.idle = idle;
        this.channel = configuration.getKeyPrefix() + "settled";
        this.closed = !configuration.isNotifications();
    }

    boolean heard(RecordId id) {
        return listeners.hear(id);
    }

    Subscription listen(RecordId id, Runnable look) {
        Subscription listening = listeners.add(id, look);
        open();
        return new Subscription() {
            @Override
            public boolean live() {
                return listening.live();
            }

            @Override
            public void close() {
                listening.close();
                if (listeners.isEmpty()) {
                    checkLater();
                }
            }
        };
    }

    private void open() {
        Subscriber opening;
        synchronized (this) {
            if (closed || subscriber != null) {
                return;
            }
            opening = new Subscriber(this, channel);
            subscriber = opening;
        }
        try {
            link.subscriber().whenComplete((connection, failure) -> opened(opening, connection, failure));
        } catch (Throwable e) {
            opened(opening, null, e); // the driver was shut down, or has no thread left
        }
    }

    private void opened(
            Subscriber opening,
            @Nullable StatefulRedisPubSubConnection<String, byte[]> connection,
            @Nullable Throwable failure) {
        if (connection == null) {
            failed(opening, String.valueOf(failure));
        } else {
            opening.over(connection);
        }
    }

    /** Only the connection in use has a say. */
    void live(Subscriber one, boolean live) {
        Runnable look;
        synchronized (this) {
            if (subscriber != one) {
                return;
            }
            warned = warned && !live;
            look = listeners.switched(live);
        }
        look.run();
    }

    void settled(String id) {
        listeners.heard(id);
    }

    /** Those who wait poll meanwhile. */
    void failed(Subscriber one, String reason) {
        if (drop(one)) {
            report(reason);
            later(AGAIN, this::openIfNeeded);
        }
    }

    /** Once, until it worked again. */
    private synchronized void report(String reason) {
        if (!warned && !closed) {
            warned = true;
            LOG.warn(
                    "Redis does not let this application subscribe to '{}' ({}), so callers that wait for a duplicate of"
                            + " another node ask about five times a second; trying again every {}. With ACLs the user needs"
                            + " +subscribe and &{}.",
                    channel,
                    reason,
                    AGAIN,
                    channel);
        }
    }

    /** A call was not answered in time: perhaps nothing comes over this connection either, and TCP does not notice. */
    void unanswered() {
        Subscriber one;
        synchronized (this) {
            one = subscriber;
        }
        if (one != null && one.olderThan(YOUNG) && drop(one)) {
            openIfNeeded();
        }
    }

    /** Somebody may have begun to wait while the connection was given up. */
    private void openIfNeeded() {
        if (!listeners.isEmpty()) {
            open();
        }
    }

    private boolean drop(Subscriber one) {
        Runnable look;
        synchronized (this) {
            if (subscriber != one) {
                return false;
            }
            subscriber = null;
            look = listeners.switched(false);
        }
        look.run();
        one.close();
        return true;
    }

    private void checkLater() {
        synchronized (this) {
            if (closed || idleCheckDue || subscriber == null) {
                return;
            }
            idleCheckDue = true;
        }
        later(idle, this::closeIfIdle);
    }

    private void closeIfIdle() {
        Subscriber one;
        synchronized (this) {
            idleCheckDue = false;
            one = subscriber;
        }
        if (one != null && listeners.isEmpty() && drop(one)) {
            openIfNeeded();
        }
    }

    private static void later(Duration delay, Runnable task) {
        CompletableFuture.delayedExecutor(delay.toMillis(), TimeUnit.MILLISECONDS)
                .execute(task);
    }

    @Override
    public void close() {
        Subscriber one;
        synchronized (this) {
            closed = true;
            one = subscriber;
        }
        if (one != null) {
            drop(one);
        }
    }

    /** One connection's subscription. The driver opens it again when it breaks, and subscribes again. */
    private static final class Subscriber extends RedisPubSubAdapter<String, byte[]>
            implements RedisConnectionStateListener {

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
}
