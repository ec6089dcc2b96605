package io.idempotency.redis;

import io.lettuce.core.ScriptOutputType;
import java.util.List;
import java.util.concurrent.CompletionStage;

/** A way to get a script executed where its keys are. */
sealed interface Transport permits Transport.Direct, AcknowledgedTransport, BatchedTransport {

    /**
     * One script to be run.
     *
     * @param script which one
     * @param keys all of one slot
     * @param arguments its ARGV
     * @param patient whether it may wait until replicas have what others wrote; else it is not sent then, and fails with
     *     {@link AcknowledgedTransport.HeldUpException}
     */
    record Call(Script script, String[] keys, byte[][] arguments, boolean patient) {}

    /**
     * What came back.
     *
     * @param reply what the script returned; of a single number, that number
     * @param acknowledged whether as many replicas as required have what it wrote
     */
    record Answer(List<?> reply, boolean acknowledged) {}

    /** Runs a script by its digest; fails with NOSCRIPT, and without effect, where the server does not know it. */
    CompletionStage<Answer> byDigest(Call call);

    /** Runs a script and makes it known to the server. */
    CompletionStage<Answer> bySource(Call call);

    /** The master's word is enough. */
    record Direct(RedisConnection link) implements Transport {

        @Override
        public CompletionStage<Answer> byDigest(Call call) {
            return answered(link.commands()
                    .evalsha(call.script().digest(), ScriptOutputType.MULTI, call.keys(), call.arguments()));
        }

        @Override
        public CompletionStage<Answer> bySource(Call call) {
            return answered(link.commands()
                    .eval(call.script().source(), ScriptOutputType.MULTI, call.keys(), call.arguments()));
        }

        private static CompletionStage<Answer> answered(CompletionStage<List<?>> sent) {
            return sent.thenApply(reply -> new Answer(reply, true));
        }
    }
}
