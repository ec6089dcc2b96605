package io.idempotency.redis.script;

import io.idempotency.redis.connection.RedisConnection;
import io.lettuce.core.RedisCommandExecutionException;
import io.lettuce.core.RedisNoScriptException;
import io.lettuce.core.ScriptOutputType;
import io.lettuce.core.api.async.RedisScriptingAsyncCommands;
import java.util.List;
import java.util.concurrent.Future;
import org.jspecify.annotations.Nullable;

/** Sends scripts to where their keys are. */
interface Sender {

    /**
     * One script to be run.
     *
     * @param script which one
     * @param keys all of one slot
     * @param arguments its ARGV
     */
    record Call(Script script, String[] keys, byte[][] arguments) {

        Future<List<?>> byDigest(RedisScriptingAsyncCommands<String, byte[]> redis) {
            return redis.evalsha(script.digest(), ScriptOutputType.MULTI, keys, arguments);
        }

        Future<List<?>> inFull(RedisScriptingAsyncCommands<String, byte[]> redis) {
            return redis.eval(script.source(), ScriptOutputType.MULTI, keys, arguments);
        }
    }

    /**
     * A script on its way.
     *
     * @param reply what the script returns; of a single number, that number
     * @param received how many replicas have what it wrote, null where none has to
     */
    record Sent(Future<List<?>> reply, @Nullable Future<Long> received) {}

    /** Sends a script by its digest. */
    Sent send(Call call);

    /** Sends a script once more that was refused without effect, for a reason that will not come again; null for others. */
    @Nullable
    Sent again(Call call, RedisCommandExecutionException refused);

    /** Sends over the connection that all callers share. The master's word is enough. */
    record Direct(RedisConnection link) implements Sender {

        @Override
        public Sent send(Call call) {
            return new Sent(call.byDigest(link.commands()), null);
        }

        /** After a restart or SCRIPT FLUSH. */
        @Override
        public @Nullable Sent again(Call call, RedisCommandExecutionException refused) {
            return refused instanceof RedisNoScriptException ? new Sent(call.inFull(link.commands()), null) : null;
        }
    }
}
