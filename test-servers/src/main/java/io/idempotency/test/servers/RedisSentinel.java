package io.idempotency.test.servers;

import static org.awaitility.Awaitility.await;

import io.lettuce.core.RedisClient;
import io.lettuce.core.RedisURI;
import io.lettuce.core.sentinel.api.sync.RedisSentinelCommands;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.function.Function;

/** One Sentinel that watches a master and replaces it half a second after it is gone. */
public final class RedisSentinel implements AutoCloseable {

    /** The shell ends the server when this JVM, at the other end of its standard input, ends. */
    private static final String WRAPPER = "\"$@\" >\"$0.log\" 2>&1 & p=$!; cat >/dev/null; kill -9 $p; rm -rf \"$0\"*";

    private static final String NAME = "payments";

    private final int port = FreePort.next();
    private final Process process;

    public RedisSentinel(ReplicatedRedis watched) {
        try {
            Path directory = Files.createTempDirectory("idempotency-sentinel");
            Path configuration = directory.resolve("sentinel.conf");
            Files.writeString(configuration, """
                    port %d
                    bind 127.0.0.1
                    dir %s
                    sentinel monitor %s 127.0.0.1 %d 1
                    sentinel down-after-milliseconds %3$s 500
                    sentinel failover-timeout %3$s 5000
                    """.formatted(
                            port, directory, NAME, watched.master().port()));
            process = new ProcessBuilder(
                            "sh",
                            "-c",
                            WRAPPER,
                            directory.toString(),
                            RedisServer.program(),
                            configuration.toString(),
                            "--sentinel")
                    .start();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        await().ignoreExceptions().until(this::knowsTheReplica);
    }

    private boolean knowsTheReplica() {
        return asked(sentinel -> sentinel.replicas(NAME)).toString().contains("master-link-status=ok");
    }

    /**
     * Tells whether the Sentinel names this server as the master.
     *
     * @param server the server
     * @return whether clients that ask now are sent to it
     */
    public boolean names(RedisServer server) {
        return asked(sentinel -> sentinel.getMasterAddrByName(NAME)).toString().endsWith(":" + server.port());
    }

    private <T> T asked(Function<RedisSentinelCommands<String, String>, T> question) {
        RedisClient client = RedisClient.create();
        try {
            return question.apply(
                    client.connectSentinel(RedisURI.create("127.0.0.1", port)).sync());
        } finally {
            client.shutdown();
        }
    }

    public String uri() {
        return "redis-sentinel://127.0.0.1:" + port + "/0#" + NAME;
    }

    @Override
    public void close() {
        try {
            process.getOutputStream().close();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        process.onExit().join();
    }
}
