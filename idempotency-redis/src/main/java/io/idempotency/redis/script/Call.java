package io.idempotency.redis.script;

import io.lettuce.core.ScriptOutputType;
import io.lettuce.core.api.async.RedisScriptingAsyncCommands;
import java.util.List;
import java.util.concurrent.Future;
import org.jspecify.annotations.Nullable;

/**
 * One script to be run.
 *
 * @param script which one
 * @param keys all of one slot
 * @param arguments its ARGV
 */
record Call(Script script, String[] keys, byte[][] arguments) {

    /**
     * A script on its way.
     *
     * @param reply what the script returns; of a single number, that number
     * @param received how many replicas have what it wrote, null where none has to
     */
    record Sent(Future<List<?>> reply, @Nullable Future<Long> received) {}

    Future<List<?>> byDigest(RedisScriptingAsyncCommands<String, byte[]> redis) {
        return redis.evalsha(script.digest(), ScriptOutputType.MULTI, keys, arguments);
    }

    Future<List<?>> inFull(RedisScriptingAsyncCommands<String, byte[]> redis) {
        return redis.eval(script.source(), ScriptOutputType.MULTI, keys, arguments);
    }
}
