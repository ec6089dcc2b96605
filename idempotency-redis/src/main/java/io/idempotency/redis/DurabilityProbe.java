package io.idempotency.redis;

import io.lettuce.core.RedisCommandExecutionException;
import io.lettuce.core.cluster.api.async.RedisClusterAsyncCommands;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Asks every server that holds records what it does with them. Managed servers often forbid CONFIG, some INFO too. */
final class DurabilityProbe {

    private final RedisLink link;
    private final RedisIdempotencyConfiguration configuration;

    DurabilityProbe(RedisLink link, RedisIdempotencyConfiguration configuration) {
        this.link = link;
        this.configuration = configuration;
    }

    CompletionStage<RedisDurability> ask() {
        return link.masters().thenCompose(masters -> {
            List<CompletableFuture<ServerDurability>> asked = masters.entrySet().stream()
                    .sorted(Map.Entry.comparingByKey())
                    .map(master -> ask(master.getKey(), master.getValue()))
                    .toList();
            return CompletableFuture.allOf(asked.toArray(CompletableFuture[]::new))
                    .thenApply(all -> new RedisDurability(
                            configuration.getRequiredDurability(),
                            configuration.getReplicaAcknowledgements(),
                            asked.stream().map(CompletableFuture::join).toList()));
        });
    }

    private CompletableFuture<ServerDurability> ask(String name, RedisClusterAsyncCommands<String, byte[]> server) {
        CompletableFuture<Map<String, String>> info = permitted(server.info().thenApply(DurabilityProbe::lines));
        CompletableFuture<Map<String, String>> config = permitted(
                server.configGet("*append*").thenCombine(server.configGet("save"), DurabilityProbe::together));
        return info.thenCombine(
                config,
                (said, set) -> ServerDurability.of(
                        name,
                        said == null ? Map.of() : said,
                        set,
                        configuration.getAssumeDurability().orElse(null)));
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
                    if (ScriptRunner.cause(failure) instanceof RedisCommandExecutionException) {
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
