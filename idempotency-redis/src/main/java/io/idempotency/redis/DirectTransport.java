package io.idempotency.redis;

import io.lettuce.core.ScriptOutputType;
import java.util.List;
import java.util.concurrent.CompletionStage;

/** The master's word is enough. */
record DirectTransport(RedisConnection link) implements Transport {

    @Override
    public CompletionStage<Answer> byDigest(Script script, String key, byte[][] arguments) {
        return answered(
                link.commands().evalsha(script.digest(), ScriptOutputType.MULTI, new String[] {key}, arguments));
    }

    @Override
    public CompletionStage<Answer> bySource(Script script, String key, byte[][] arguments) {
        return answered(link.commands().eval(script.source(), ScriptOutputType.MULTI, new String[] {key}, arguments));
    }

    private static CompletionStage<Answer> answered(CompletionStage<List<?>> sent) {
        return sent.thenApply(reply -> new Answer(reply, true));
    }
}
