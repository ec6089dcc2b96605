package io.idempotency.redis;

import io.idempotency.runtime.store.RecordId;
import io.lettuce.core.RedisNoScriptException;
import io.lettuce.core.ScriptOutputType;
import io.lettuce.core.cluster.api.async.RedisClusterAsyncCommands;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;

/** Runs scripts on a record, one round trip each. Thread-safe. */
final class ScriptRunner {

    private final RedisLink link;
    private final String keyPrefix;
    private final ServerClocks clocks = new ServerClocks();

    ScriptRunner(RedisLink link, String keyPrefix) {
        this.link = link;
        this.keyPrefix = keyPrefix;
    }

    /** Makes the scripts known to all servers, so that the first call needs no second attempt. */
    CompletionStage<Void> load() {
        CompletableFuture<?>[] loading = new CompletableFuture<?>[Script.values().length];
        for (Script script : Script.values()) {
            loading[script.ordinal()] =
                    link.commands().scriptLoad(script.source()).toCompletableFuture();
        }
        return CompletableFuture.allOf(loading);
    }

    CompletionStage<Reply> run(Script script, RecordId id, List<byte[]> arguments) {
        String key = keyPrefix + id.value();
        RedisClusterAsyncCommands<String, byte[]> redis = link.commands();
        String[] keys = {key};
        byte[][] values = arguments.toArray(byte[][]::new);
        String server = link.serverOf(key);
        return redis.<List<?>>evalsha(script.digest(), ScriptOutputType.MULTI, keys, values)
                .exceptionallyCompose(failure -> {
                    if (cause(failure) instanceof RedisNoScriptException) {
                        // a restart or SCRIPT FLUSH; nothing was executed, so sending it again is safe
                        return redis.eval(script.source(), ScriptOutputType.MULTI, keys, values);
                    }
                    return CompletableFuture.failedFuture(failure);
                })
                .thenApply(answer -> {
                    Reply reply = Reply.of(id, answer);
                    clocks.observe(server, reply.serverMicros());
                    return reply;
                });
    }

    /** The text of the server's time when a wait begun now will be over; empty when its clock is not known yet. */
    byte[] afterWaiting(RecordId id, long waitMicros) {
        Long micros = clocks.afterWaiting(link.serverOf(keyPrefix + id.value()), waitMicros);
        return micros == null ? new byte[0] : RecordFields.bytes(micros.toString());
    }

    static Throwable cause(Throwable failure) {
        return failure instanceof CompletionException && failure.getCause() != null ? failure.getCause() : failure;
    }
}
