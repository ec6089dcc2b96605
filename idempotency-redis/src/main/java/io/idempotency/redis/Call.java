package io.idempotency.redis;

import io.idempotency.runtime.store.RecordId;
import io.lettuce.core.ScriptOutputType;
import io.lettuce.core.cluster.api.async.RedisClusterAsyncCommands;
import java.util.List;
import java.util.concurrent.Future;
import org.jspecify.annotations.Nullable;

/**
 * A call of a script on a record.
 *
 * @param inFull whether the text of the script is sent, rather than its digest
 * @param node the cluster node, {@code host:port}, that a redirection named; null for the one that has the keys
 * @param asking whether ASKING is sent first, because the keys are moving to that node
 */
record Call(
        Script script,
        RecordId id,
        String[] keys,
        byte[][] arguments,
        boolean inFull,
        @Nullable String node,
        boolean asking) {

    /** A call that was sent, and how many replicas have received what it wrote; null where none has to. */
    record Sent(Call call, Future<List<?>> reply, @Nullable Future<Long> received) {}

    Future<List<?>> on(RedisClusterAsyncCommands<String, byte[]> redis) {
        if (asking) {
            redis.asking();
        }
        return inFull
                ? redis.eval(script.source, ScriptOutputType.MULTI, keys, arguments)
                : redis.evalsha(script.digest, ScriptOutputType.MULTI, keys, arguments);
    }

    /** Returns the call to send after one was refused for lack of the script or the keys; null after other failures. */
    @Nullable
    Call after(RuntimeException refusal) {
        String[] words = String.valueOf(refusal.getMessage()).split(" ", -1);
        return switch (words[0]) {
            // after a restart or SCRIPT FLUSH
            case "NOSCRIPT" -> new Call(script, id, keys, arguments, true, node, asking);
            case "MOVED", "ASK" -> new Call(script, id, keys, arguments, true, words[2], words[0].equals("ASK"));
            // a slot moves, its keys are on two nodes: sends the record's key alone, to the node that knows where it is
            case "TRYAGAIN" ->
                keys.length == 2 ? new Call(script, id, new String[] {keys[0]}, arguments, inFull, null, false) : null;
            default -> null;
        };
    }
}
