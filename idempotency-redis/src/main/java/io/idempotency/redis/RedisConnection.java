package io.idempotency.redis;

import io.lettuce.core.api.StatefulConnection;
import io.lettuce.core.api.StatefulRedisConnection;
import io.lettuce.core.cluster.api.async.RedisClusterAsyncCommands;
import io.lettuce.core.codec.ByteArrayCodec;
import io.lettuce.core.codec.RedisCodec;
import io.lettuce.core.codec.StringCodec;
import io.lettuce.core.pubsub.StatefulRedisPubSubConnection;
import java.time.Duration;
import java.util.Map;
import java.util.function.BiFunction;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** The connection that all callers share. Thread-safe. */
sealed interface RedisConnection extends AutoCloseable permits StandaloneConnection, ClusterConnection {

    RedisCodec<String, byte[]> CODEC = RedisCodec.of(StringCodec.UTF8, ByteArrayCodec.INSTANCE);

    RedisClusterAsyncCommands<String, byte[]> commands();

    /** Returns a name for the server whose clock decides about a key. */
    String serverOf(String key);

    /** Returns the servers that hold records, by name. */
    Map<String, RedisClusterAsyncCommands<String, byte[]>> masters();

    /** Connects or looks for masters anew: TCP may take a quarter of an hour to notice the loss of a server. */
    void unanswered();

    /** Asks the server at an address, such as a replica. */
    <T> T asking(
            String host, int port, Duration timeout, Function<RedisClusterAsyncCommands<String, byte[]>, T> question);

    /** Runs the task, which must not block, whenever another process may hold the records from now on. */
    void onReconnect(Runnable task);

    StatefulRedisPubSubConnection<String, byte[]> subscriber();

    Exclusive exclusive();

    @Override
    void close();

    /**
     * A connection for one caller at a time; in a cluster, one connection to each node.
     *
     * @param node returns the connection to a key's master, or to the node {@code host:port} that a redirection names
     */
    record Exclusive(
            StatefulConnection<String, byte[]> opened,
            BiFunction<String, @Nullable String, StatefulRedisConnection<String, byte[]>> node) {

        /** Switches off automatic flushing: commands are sent when they are flushed. */
        public Exclusive {
            opened.setAutoFlushCommands(false);
        }

        public void close() {
            opened.closeAsync();
        }
    }
}
