package io.idempotency.redis.connection;

import io.lettuce.core.api.StatefulConnection;
import io.lettuce.core.api.StatefulRedisConnection;
import io.lettuce.core.cluster.api.async.RedisClusterAsyncCommands;
import io.lettuce.core.codec.ByteArrayCodec;
import io.lettuce.core.codec.RedisCodec;
import io.lettuce.core.codec.StringCodec;
import io.lettuce.core.pubsub.StatefulRedisPubSubConnection;
import java.util.Map;
import java.util.concurrent.CompletionStage;
import java.util.function.BiFunction;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** The connection that all callers share. Thread-safe. */
public sealed interface RedisConnection extends AutoCloseable permits StandaloneConnection, ClusterConnection {

    /** Keys are text, everything else is bytes. */
    RedisCodec<String, byte[]> CODEC = RedisCodec.of(StringCodec.UTF8, ByteArrayCodec.INSTANCE);

    /** Commands that go where their key is. */
    RedisClusterAsyncCommands<String, byte[]> commands();

    /** A name for the server whose clock decides about a key. */
    String serverOf(String key);

    /** The servers that hold records, by name. */
    Map<String, RedisClusterAsyncCommands<String, byte[]>> masters();

    /**
     * Says that a command was not answered in time. The server may be gone without a word, and TCP notices that after
     * a quarter of an hour: so a new connection is opened, to the new master where there is one.
     */
    void unanswered();

    /** Runs a question on a server that is named by its address, such as a replica. */
    <T> CompletionStage<T> asking(
            String host, int port, Function<RedisClusterAsyncCommands<String, byte[]>, CompletionStage<T>> question);

    /** Runs the task whenever another process may hold the records from now on. The task must not block. */
    void onReconnect(Runnable task);

    /** Opens a connection that can subscribe. */
    StatefulRedisPubSubConnection<String, byte[]> subscriber();

    /** Opens a connection for one caller at a time; blocks until it is there. */
    Exclusive exclusive();

    @Override
    void close();

    /**
     * A connection for one caller at a time, or those to the nodes of a cluster.
     *
     * @param opened all of it
     * @param node the connection to the node that a redirection names as {@code host:port}; where that is null, to the master that
     *     holds the key, as far as is known
     */
    record Exclusive(
            StatefulConnection<String, byte[]> opened,
            BiFunction<String, @Nullable String, StatefulRedisConnection<String, byte[]>> node) {

        /** What it is told to send goes out when it is flushed. */
        public Exclusive {
            opened.setAutoFlushCommands(false);
        }

        /** Does not wait until it is closed. */
        public void close() {
            opened.closeAsync();
        }
    }
}
