package io.idempotency.redis.script;

import io.idempotency.redis.connection.RedisConnection;
import io.lettuce.core.RedisCommandExecutionException;
import io.lettuce.core.RedisNoScriptException;
import io.lettuce.core.ScriptOutputType;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Future;
import org.jspecify.annotations.Nullable;

/** Sends scripts to where their keys are. */
sealed interface Sender permits Sender.Direct, AcknowledgedSender {

    /**
     * One script to be run.
     *
     * @param script which one
     * @param keys all of one slot
     * @param arguments its ARGV
     */
    record Call(Script script, String[] keys, byte[][] arguments) {}

    /**
     * A script on its way.
     *
     * @param reply what the script returns; of a single number, that number
     * @param received how many replicas have what it wrote, null where none has to
     */
    record Sent(Future<List<?>> reply, @Nullable Future<Long> received) {}

    /** Sends a script by its digest. */
    Sent send(Call call);

    /** Sends a script once more that was refused without effect, for a reason that will not come again; empty for others. */
    Optional<Sent> again(Call call, RedisCommandExecutionException refused);

    /** Sends over the connection that all callers share. The master's word is enough. */
    record Direct(RedisConnection link) implements Sender {

        @Override
        public Sent send(Call call) {
            Future<List<?>> reply = link.commands()
                    .evalsha(call.script().digest(), ScriptOutputType.MULTI, call.keys(), call.arguments());
            return new Sent(reply, null);
        }

        /** After a restart or SCRIPT FLUSH. */
        @Override
        public Optional<Sent> again(Call call, RedisCommandExecutionException refused) {
            if (!(refused instanceof RedisNoScriptException)) {
                return Optional.empty();
            }
            Future<List<?>> reply =
                    link.commands().eval(call.script().source(), ScriptOutputType.MULTI, call.keys(), call.arguments());
            return Optional.of(new Sent(reply, null));
        }
    }
}
