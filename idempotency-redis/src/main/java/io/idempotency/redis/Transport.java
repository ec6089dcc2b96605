package io.idempotency.redis;

import io.lettuce.core.ScriptOutputType;
import java.util.List;
import java.util.concurrent.CompletionStage;

/** A way to get a script executed where its key is. */
sealed interface Transport permits Transport.Direct, AcknowledgedTransport {

    /**
     * What came back.
     *
     * @param reply what the script returned
     * @param acknowledged whether as many replicas as required have what it wrote
     */
    record Answer(List<?> reply, boolean acknowledged) {}

    /** Runs a script by its digest; fails with NOSCRIPT, and without effect, where the server does not know it. */
    CompletionStage<Answer> byDigest(Script script, String key, byte[][] arguments);

    /** Runs a script and makes it known to the server. */
    CompletionStage<Answer> bySource(Script script, String key, byte[][] arguments);

    /** The master's word is enough. */
    record Direct(RedisConnection link) implements Transport {

        @Override
        public CompletionStage<Answer> byDigest(Script script, String key, byte[][] arguments) {
            return answered(
                    link.commands().evalsha(script.digest(), ScriptOutputType.MULTI, new String[] {key}, arguments));
        }

        @Override
        public CompletionStage<Answer> bySource(Script script, String key, byte[][] arguments) {
            return answered(
                    link.commands().eval(script.source(), ScriptOutputType.MULTI, new String[] {key}, arguments));
        }

        private static CompletionStage<Answer> answered(CompletionStage<List<?>> sent) {
            return sent.thenApply(reply -> new Answer(reply, true));
        }
    }
}
