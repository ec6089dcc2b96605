package io.idempotency.redis;

import io.lettuce.core.AbstractRedisClient;
import io.lettuce.core.RedisChannelHandler;
import io.lettuce.core.RedisCommandTimeoutException;
import io.lettuce.core.RedisConnectionStateListener;
import io.lettuce.core.RedisException;
import io.lettuce.core.api.StatefulConnection;
import io.lettuce.core.api.StatefulRedisConnection;
import io.lettuce.core.cluster.api.async.RedisClusterAsyncCommands;
import io.lettuce.core.codec.ByteArrayCodec;
import io.lettuce.core.codec.RedisCodec;
import io.lettuce.core.codec.StringCodec;
import io.lettuce.core.pubsub.StatefulRedisPubSubConnection;
import java.net.SocketAddress;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.BiFunction;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** The connection that all callers share, which is replaced when it falls silent. Thread-safe. */
abstract sealed class RedisConnection<C extends StatefulConnection<String, byte[]>>
        implements RedisConnectionStateListener permits StandaloneConnection, ClusterConnection {

    static final RedisCodec<String, byte[]> CODEC = RedisCodec.of(StringCodec.UTF8, ByteArrayCodec.INSTANCE);

    /** The time for an answer, and for commands that are under way on a connection that is replaced. */
    final Duration patience;

    private final AbstractRedisClient client;
    private final AtomicBoolean replacing = new AtomicBoolean();
    volatile int silences;
    volatile boolean closed;
    volatile C current;

    /** Runs, and must not block, whenever another process may hold the records from now on. */
    volatile Runnable reconnected = () -> {};

    /** Runs, and must not block, when a connection has fallen silent. */
    volatile Runnable silent = () -> {};

    RedisConnection(AbstractRedisClient client, C first, Duration patience) {
        this.client = client;
        this.current = first;
        this.patience = patience;
        first.addListener(this);
    }

    /** Opens another connection to take this one's place. */
    abstract CompletionStage<C> connect();

    abstract RedisClusterAsyncCommands<String, byte[]> commands();

    /** Returns the answer, or throws the driver's failure or {@link RedisCommandTimeoutException}. */
    <T> T await(Future<T> answer) {
        try {
            return uninterrupted(patience, nanos -> get(answer, nanos));
        } catch (TimeoutException e) {
            answer.cancel(false);
            throw late();
        }
    }

    RedisCommandTimeoutException late() {
        return new RedisCommandTimeoutException("Redis did not answer within " + patience);
    }

    private static <T> T get(Future<T> answer, long nanos) throws InterruptedException, TimeoutException {
        try {
            return answer.get(nanos, TimeUnit.NANOSECONDS);
        } catch (ExecutionException e) {
            throw e.getCause() instanceof RuntimeException known ? known : new RedisException(e);
        }
    }

    interface Wait<T> {
        T of(long nanos) throws InterruptedException, TimeoutException;
    }

    /** Waits on after an interrupt, because the command was sent already; interrupts the thread again afterwards. */
    static <T> T uninterrupted(Duration timeout, Wait<T> wait) throws TimeoutException {
        long deadline = System.nanoTime() + timeout.toNanos();
        boolean interrupted = false;
        try {
            while (true) {
                try {
                    return wait.of(deadline - System.nanoTime());
                } catch (InterruptedException e) {
                    interrupted = true;
                }
            }
        } finally {
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }

    /** Returns a name for the server whose clock decides about a key. */
    abstract String serverOf(String key);

    /** A server that holds records. To connect to it may take time, and fail. */
    interface Master {
        RedisClusterAsyncCommands<String, byte[]> commands();
    }

    /** Returns the servers that hold records, by name. */
    abstract Map<String, Master> masters();

    /** Connects or looks for masters anew, unless that is under way: TCP notices a lost server after minutes. */
    void unanswered() {
        if (!closed && replacing.compareAndSet(false, true)) {
            silences++; // by one thread at a time
            silent.run();
            CompletableFuture.completedStage(null)
                    .thenCompose(ignored -> connect())
                    .whenComplete(this::replace);
        }
    }

    private void replace(@Nullable C opened, @Nullable Throwable failure) {
        if (opened == null) {
            replacing.set(false);
            return;
        }
        C silent = current;
        current = opened;
        if (closed) { // meanwhile
            opened.closeAsync();
            return;
        }
        CompletableFuture.delayedExecutor(patience.toMillis(), TimeUnit.MILLISECONDS)
                .execute(() -> {
                    replacing.set(false);
                    silent.closeAsync();
                });
        opened.addListener(this);
        reconnected.run();
    }

    @Override
    public void onRedisConnected(RedisChannelHandler<?, ?> again, SocketAddress address) {
        reconnected.run();
    }

    /** Asks the server at an address, such as a replica. */
    abstract <T> T asking(String host, int port, Function<RedisClusterAsyncCommands<String, byte[]>, T> question);

    abstract StatefulRedisPubSubConnection<String, byte[]> subscriber();

    abstract Exclusive exclusive();

    void close() {
        closed = true;
        client.shutdown();
        client.getResources().shutdown();
    }

    /**
     * A connection for one caller at a time; in a cluster, one connection to each node.
     *
     * @param node returns the connection to a key's master, or to the node {@code host:port} that a redirection names
     * @param silences how many connections had fallen silent before
     */
    record Exclusive(
            StatefulConnection<String, byte[]> opened,
            int silences,
            BiFunction<String, @Nullable String, StatefulRedisConnection<String, byte[]>> node) {}
}
