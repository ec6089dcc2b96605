package io.idempotency.redis;

import io.idempotency.redis.connection.Answers;
import io.idempotency.redis.connection.RedisConnection;
import io.lettuce.core.RedisCommandExecutionException;
import io.lettuce.core.cluster.api.async.RedisClusterAsyncCommands;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Asks every server that holds records what it does with them, and the replicas that may take its place, all at once. Managed
 * servers often forbid CONFIG, some INFO too.
 */
final class DurabilityProbe {

    private final RedisConnection link;
    private final RedisIdempotencyConfiguration configuration;
    private final @Nullable DurabilityLevel assumed;

    /** What each replica said last: one that hangs cannot take a master's place, and must not stop everything. */
    private final Map<String, AskedServer> replicas = new ConcurrentHashMap<>();

    DurabilityProbe(RedisConnection link, RedisIdempotencyConfiguration configuration) {
        this.link = link;
        this.configuration = configuration;
        this.assumed = configuration.getAssumeDurability().orElse(null);
    }

    /** Whether something is required that a server can fall short of. */
    boolean required() {
        return configuration.getRequiredDurability().orElse(DurabilityLevel.NONE) != DurabilityLevel.NONE;
    }

    RedisDurability ask() {
        List<CompletableFuture<AskedServer>> asked = link.masters().entrySet().stream()
                .sorted(Map.Entry.comparingByKey())
                .map(master -> ask(master.getKey(), master.getValue()))
                .toList();
        List<AskedServer> masters = asked.stream()
                .map(answer -> Answers.await(answer, configuration.getCommandTimeout()))
                .toList();
        return new RedisDurability(configuration, masters, required() ? replicasOf(masters) : List.of());
    }

    private List<AskedServer> replicasOf(List<AskedServer> masters) {
        List<CompletableFuture<AskedServer>> asked = masters.stream()
                .flatMap(AskedServer::listedReplicas)
                .map(this::replica)
                .toList();
        List<AskedServer> listed = asked.stream().map(CompletableFuture::join).toList();
        replicas.keySet().retainAll(listed.stream().map(AskedServer::name).toList());
        return listed.stream().filter(AskedServer::mayBeMaster).toList();
    }

    private CompletableFuture<AskedServer> replica(Map<String, String> listed) {
        String host = String.valueOf(listed.get("ip"));
        int port = Integer.parseInt(listed.getOrDefault("port", "0"));
        String name = host + ":" + port;
        return CompletableFuture.completedFuture(name)
                .thenCompose(now -> link.asking(host, port, server -> ask(name, server)))
                .orTimeout(configuration.getCommandTimeout().toMillis(), TimeUnit.MILLISECONDS)
                .whenComplete((answer, failure) -> {
                    if (answer != null) {
                        replicas.put(name, answer);
                    }
                })
                .exceptionally(
                        failure -> replicas.getOrDefault(name, AskedServer.unreachable(name, assumed, cause(failure))));
    }

    private static Throwable cause(Throwable failure) {
        return failure instanceof CompletionException && failure.getCause() != null ? failure.getCause() : failure;
    }

    private CompletableFuture<AskedServer> ask(String name, RedisClusterAsyncCommands<String, byte[]> server) {
        CompletionStage<Map<String, String>> config = server.configGet("*append*")
                .thenCombine(server.configGet("save"), (appending, saving) -> {
                    Map<String, String> all = new HashMap<>(appending);
                    all.putAll(saving);
                    return all;
                });
        return permitted(server.info().thenApply(info -> AskedServer.pairs(info.lines(), ":")))
                .thenCombine(
                        permitted(config),
                        (info, settings) -> new AskedServer(name, info == null ? Map.of() : info, settings, assumed))
                .toCompletableFuture();
    }

    /** Null when the server understands the command but does not execute it for us; other failures stay failures. */
    private static CompletionStage<@Nullable Map<String, String>> permitted(
            CompletionStage<Map<String, String>> answer) {
        return answer.<@Nullable Map<String, String>>thenApply(found -> found).exceptionally(failure -> {
            if (cause(failure) instanceof RedisCommandExecutionException) {
                return null;
            }
            throw new CompletionException(cause(failure));
        });
    }
}
