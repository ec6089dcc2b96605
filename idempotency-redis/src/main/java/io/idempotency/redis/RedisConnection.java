package io.idempotency.redis;

import io.lettuce.core.api.StatefulRedisConnection;
import io.lettuce.core.cluster.api.async.RedisClusterAsyncCommands;
import io.lettuce.core.codec.ByteArrayCodec;
import io.lettuce.core.codec.RedisCodec;
import io.lettuce.core.codec.StringCodec;
import io.lettuce.core.pubsub.StatefulRedisPubSubConnection;
import io.lettuce.core.resource.ClientResources;
import java.util.Map;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;

/** An open connection of the store's own, to one server, the master that Sentinel names, or a cluster. */
sealed interface RedisConnection extends AutoCloseable permits StandaloneConnection, ClusterConnection {

    /** Keys are text, everything else is bytes. */
    RedisCodec<String, byte[]> CODEC = RedisCodec.of(StringCodec.UTF8, ByteArrayCodec.INSTANCE);

    /** Commands that go where their key is. */
    RedisClusterAsyncCommands<String, byte[]> commands();

    /** A name for the server whose clock decides about a key. */
    String serverOf(String key);

    /** Keys with the same answer can be in one command. */
    int slotOf(String key);

    /** Whether any keys can be in one command. */
    boolean together();

    /** The connection to the master that holds a key, as far as is known. */
    CompletionStage<StatefulRedisConnection<String, byte[]>> connectionFor(String key);

    /** The connection to the node that a redirection names as {@code host:port}. */
    CompletionStage<StatefulRedisConnection<String, byte[]>> connectionTo(String address);

    /** The servers that hold records, by name. */
    CompletionStage<Map<String, RedisClusterAsyncCommands<String, byte[]>>> masters();

    /**
     * Says that a command was not answered in time. The server may be gone without a word, and TCP notices that after
     * a quarter of an hour: so a new connection is opened, to the new master where there is one.
     */
    void unanswered();

    /** Runs a question on a server that is named by its address, such as a replica. */
    <T> CompletionStage<T> asking(
            String host,
            int port,
            Function<RedisClusterAsyncCommands<String, byte[]>, ? extends CompletionStage<T>> question);

    /** Runs the task whenever another process may hold the records from now on, until what it returns is run. */
    Runnable onReconnect(Runnable task);

    /** The driver's threads. */
    ClientResources resources();

    /** Opens a connection that can subscribe. */
    CompletionStage<? extends StatefulRedisPubSubConnection<String, byte[]>> subscriber();

    @Override
    void close();
}
