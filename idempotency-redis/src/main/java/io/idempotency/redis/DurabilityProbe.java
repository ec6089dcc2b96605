package io.idempotency.redis;

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
 * Asks every server that holds records what it does with them, and the replicas that may take its place. Managed servers
 * often forbid CONFIG, some INFO too.
 */
final class DurabilityProbe {

    private final RedisConnection link;
    private final RedisIdempotencyConfiguration configuration;

    /** What each replica said last: one that hangs cannot take a master's place, and must not stop everything. */
    private final Map<String, RedisDurability.Server> replicas = new ConcurrentHashMap<>();

    /** INFO and CONFIG; the one is empty, the other null, where it is not permitted. */
    private record Said(
            String name, Map<String, String> info, @Nullable Map<String, String> config) {

        RedisDurability.Server durability(@Nullable DurabilityLevel assumed) {
            return RedisDurability.Server.of(name, info, config, assumed);
        }

        /** Sentinel makes no master of a replica without priority; a cluster does not look at it. */
        boolean mayBeMaster() {
            return !"0".equals(info.get("slave_priority")) || "1".equals(info.get("cluster_enabled"));
        }

        /** Like {@code slave0:ip=10.0.0.7,port=6379,state=online,...}. */
        Stream<Map<String, String>> replicas() {
            return info.entrySet().stream()
                    .filter(line -> line.getKey().matches("slave\\d+"))
                    .map(line -> Arrays.stream(line.getValue().split(",", -1))
                            .map(field -> field.split("=", 2))
                            .filter(field -> field.length == 2)
                            .collect(Collectors.toMap(field -> field[0], field -> field[1])));
        }
    }

    DurabilityProbe(RedisConnection link, RedisIdempotencyConfiguration configuration) {
        this.link = link;
        this.configuration = configuration;
    }

    /** Whether something is required that a server can fall short of. */
    static boolean required(RedisIdempotencyConfiguration configuration) {
        return configuration
                .getRequiredDurability()
                .filter(level -> level != DurabilityLevel.NONE)
                .isPresent();
    }

    RedisDurability ask() {
        List<CompletableFuture<Said>> asked = link.masters().entrySet().stream()
                .sorted(Map.Entry.comparingByKey())
                .map(master -> ask(master.getKey(), master.getValue()))
                .toList();
        List<Said> masters = asked.stream().map(this::await).toList();
        return new RedisDurability(
                configuration.getRequiredDurability(),
                configuration.getReplicaAcknowledgements(),
                masters.stream().map(said -> said.durability(assumed())).toList(),
                required(configuration) ? replicasOf(masters) : List.of());
    }

    private <T> T await(CompletableFuture<T> answer) {
        return Answers.await(answer, configuration.getCommandTimeout());
    }

    private @Nullable DurabilityLevel assumed() {
        return configuration.getAssumeDurability().orElse(null);
    }

    private List<RedisDurability.Server> replicasOf(List<Said> masters) {
        List<CompletableFuture<Optional<RedisDurability.Server>>> asked = masters.stream()
                .flatMap(Said::replicas)
                .map(replica -> replica(replica.get("ip"), replica.get("port")))
                .toList();
        List<RedisDurability.Server> listed = asked.stream()
                .map(CompletableFuture::join)
                .flatMap(Optional::stream)
                .toList();
        replicas.keySet()
                .retainAll(listed.stream().map(RedisDurability.Server::server).toList());
        return listed;
    }

    /** Empty for one that never becomes a master. */
    private CompletableFuture<Optional<RedisDurability.Server>> replica(@Nullable String host, @Nullable String port) {
        String name = host + ":" + port;
        return CompletableFuture.completedFuture(name)
                .thenCompose(now -> link.asking(
                        String.valueOf(host), Integer.parseInt(String.valueOf(port)), server -> ask(name, server)))
                .orTimeout(configuration.getCommandTimeout().toMillis(), TimeUnit.MILLISECONDS)
                .thenApply(said -> {
                    RedisDurability.Server durability = said.durability(assumed());
                    replicas.put(name, durability);
                    return said.mayBeMaster() ? Optional.of(durability) : Optional.<RedisDurability.Server>empty();
                })
                .exceptionally(failure -> Optional.of(replicas.getOrDefault(
                        name, RedisDurability.Server.unreachable(name, assumed(), cause(failure)))));
    }

    private static Throwable cause(Throwable failure) {
        return failure instanceof CompletionException && failure.getCause() != null ? failure.getCause() : failure;
    }

    private CompletableFuture<Said> ask(String name, RedisClusterAsyncCommands<String, byte[]> server) {
        CompletableFuture<Map<String, String>> info = permitted(server.info().thenApply(DurabilityProbe::lines));
        CompletableFuture<Map<String, String>> config = permitted(
                server.configGet("*append*").thenCombine(server.configGet("save"), DurabilityProbe::together));
        return info.thenCombine(config, (said, set) -> new Said(name, said == null ? Map.of() : said, set));
    }

    private static Map<String, String> together(Map<String, String> one, Map<String, String> other) {
        Map<String, String> all = new HashMap<>(one);
        all.putAll(other);
        return all;
    }

    /** Null when the server understands the command but does not execute it for us; other failures stay failures. */
    private static CompletableFuture<@Nullable Map<String, String>> permitted(
            CompletionStage<Map<String, String>> answer) {
        return answer.<@Nullable Map<String, String>>handle((found, failure) -> {
                    if (failure == null) {
                        return found;
                    }
                    if (cause(failure) instanceof RedisCommandExecutionException) {
                        return null;
                    }
                    throw new CompletionException(failure);
                })
                .toCompletableFuture();
    }

    private static Map<String, String> lines(String info) {
        return info.lines()
                .filter(line -> line.indexOf(':') > 0)
                .collect(Collectors.toMap(
                        line -> line.substring(0, line.indexOf(':')),
                        line -> line.substring(line.indexOf(':') + 1).trim(),
                        (first, again) -> first));
    }
}
