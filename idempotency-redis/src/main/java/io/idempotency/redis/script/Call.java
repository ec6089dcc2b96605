package io.idempotency.redis.script;

import io.lettuce.core.RedisCommandExecutionException;
import io.lettuce.core.ScriptOutputType;
import io.lettuce.core.cluster.api.async.RedisClusterAsyncCommands;
import java.util.List;
import java.util.concurrent.Future;
import org.jspecify.annotations.Nullable;

/**
 * One script to be run.
 *
 * @param script which one
 * @param keys all of one slot
 * @param arguments its ARGV
 * @param inFull whether its text is sent, rather than its name
 * @param node the node of a cluster to which it was redirected, as {@code host:port}; null for the one that has its keys
 * @param asking whether that node has to be told that its keys are moving there
 */
record Call(
        Script script,
        String[] keys,
        byte[][] arguments,
        boolean inFull,
        @Nullable String node,
        boolean asking) {

    Call(Script script, String[] keys, byte[][] arguments) {
        this(script, keys, arguments, false, null, false);
    }

    /**
     * A script on its way.
     *
     * @param reply what the script returns; of a single number, that number
     * @param received how many replicas have what it wrote, null where none has to
     */
    record Sent(Future<List<?>> reply, @Nullable Future<Long> received) {}

    Future<List<?>> on(RedisClusterAsyncCommands<String, byte[]> redis) {
        if (asking) {
            redis.asking();
        }
        return inFull
                ? redis.eval(script.source(), ScriptOutputType.MULTI, keys, arguments)
                : redis.evalsha(script.digest(), ScriptOutputType.MULTI, keys, arguments);
    }

    /** What to send next after a server executed nothing, because it does not know the script or have the keys; null for nothing. */
    @Nullable
    Call after(RedisCommandExecutionException refusal) {
        String[] words = String.valueOf(refusal.getMessage()).split(" ", -1);
        return switch (words[0]) {
            // after a restart or SCRIPT FLUSH
            case "NOSCRIPT" -> new Call(script, keys, arguments, true, node, asking);
            case "MOVED", "ASK" -> new Call(script, keys, arguments, true, words[2], words[0].equals("ASK"));
            // a slot moves, and one of the keys is here and one is there, or is nowhere yet: the record alone, then
            case "TRYAGAIN" ->
                keys.length == 2 ? new Call(script, new String[] {keys[0]}, arguments, inFull, node, asking) : null;
            default -> null;
        };
    }
}
