package io.idempotency.redis;

import io.idempotency.redis.RedisDurability.Server;
import io.idempotency.redis.connection.Answers;
import io.idempotency.redis.connection.RedisConnection;
import io.lettuce.core.RedisCommandExecutionException;
import io.lettuce.core.cluster.api.async.RedisClusterAsyncCommands;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.Stream;
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
    private final Map<String, Server> replicas = new ConcurrentHashMap<>();

    /** INFO and CONFIG; the one is empty, the other null, where it is not permitted. */
    private record Said(
            String name, Map<String, String> info, @Nullable Map<String, String> config) {

        /** Sentinel makes no master of a replica without priority; a cluster does not look at it. */
        boolean mayBeMaster() {
            return !"0".equals(info.get("slave_priority")) || "1".equals(info.get("cluster_enabled"));
        }

        /** Like {@code slave0:ip=10.0.0.7,port=6379,state=online,...}. */
        Stream<Map<String, String>> replicas() {
            return info.entrySet().stream()
                    .filter(line -> line.getKey().matches("slave\\d+"))
                    .map(line -> pairs(Arrays.stream(line.getValue().split(",", -1)), "="));
        }
    }

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
        List<CompletableFuture<Said>> asked = link.masters().entrySet().stream()
                .sorted(Map.Entry.comparingByKey())
                .map(master -> ask(master.getKey(), master.getValue()))
                .toList();
        List<Said> masters = asked.stream()
                .map(answer -> Answers.await(answer, configuration.getCommandTimeout()))
                .toList();
        return new RedisDurability(
                configuration.getRequiredDurability(),
                configuration.getReplicaAcknowledgements(),
                masters.stream().map(this::judge).toList(),
                required() ? replicasOf(masters) : List.of());
    }

    private Server judge(Said said) {
        return Server.of(said.name(), said.info(), said.config(), assumed);
    }

    private List<Server> replicasOf(List<Said> masters) {
        List<CompletableFuture<Optional<Server>>> asked =
                masters.stream().flatMap(Said::replicas).map(this::replica).toList();
        List<Server> listed = asked.stream()
                .map(CompletableFuture::join)
                .flatMap(Optional::stream)
                .toList();
        replicas.keySet().retainAll(listed.stream().map(Server::server).toList());
        return listed;
    }

    /** Empty for one that never becomes a master. */
    private CompletableFuture<Optional<Server>> replica(Map<String, String> said) {
        String host = String.valueOf(said.get("ip"));
        int port = Integer.parseInt(said.getOrDefault("port", "0"));
        String name = host + ":" + port;
        return CompletableFuture.completedFuture(name)
                .thenCompose(now -> link.asking(host, port, server -> ask(name, server)))
                .orTimeout(configuration.getCommandTimeout().toMillis(), TimeUnit.MILLISECONDS)
                .thenApply(answer -> {
                    Server judged = judge(answer);
                    replicas.put(name, judged);
                    return answer.mayBeMaster() ? Optional.of(judged) : Optional.<Server>empty();
                })
                .exceptionally(failure ->
                        Optional.of(replicas.getOrDefault(name, Server.unreachable(name, assumed, cause(failure)))));
    }

    private static Throwable cause(Throwable failure) {
        return failure instanceof CompletionException && failure.getCause() != null ? failure.getCause() : failure;
    }

    private static CompletableFuture<Said> ask(String name, RedisClusterAsyncCommands<String, byte[]> server) {
        return permitted(server.info().thenApply(info -> pairs(info.lines(), ":")))
                .thenCombine(
                        permitted(server.configGet("*append*")
                                .thenCombine(server.configGet("save"), DurabilityProbe::together)),
                        (info, config) -> new Said(name, info == null ? Map.of() : info, config))
                .toCompletableFuture();
    }

    private static Map<String, String> together(Map<String, String> one, Map<String, String> other) {
        Map<String, String> all = new HashMap<>(one);
        all.putAll(other);
        return all;
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

    private static Map<String, String> pairs(Stream<String> lines, String separator) {
        return lines.map(line -> line.split(separator, 2))
                .filter(pair -> pair.length == 2)
                .collect(Collectors.toMap(pair -> pair[0], pair -> pair[1].trim(), (first, again) -> first));
    }
}
