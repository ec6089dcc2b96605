package io.idempotency.redis;

import io.lettuce.core.RedisCommandExecutionException;
import io.lettuce.core.RedisNoScriptException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/**
 * Many callers' claims in one script, and many callers' outcomes: a script that does little costs Redis less than its call
 * does. Such a script does the common cases only; a call that it leaves alone is sent by itself.
 */
final class BatchedTransport implements Transport {

    /** A result of so many bytes goes by itself. */
    private static final int LARGE = 8192;

    /** One that keeps the call's arguments has one more, and goes by itself. */
    private static final int CLAIM_ARGUMENTS = 6;

    private static final Long DONE = 1L;

    private final Transport one;
    private final Lane<Call, Answer> claims;
    private final Lane<Call, Answer> outcomes;

    /** With the number of calls up to which each is sent by itself. */
    BatchedTransport(Transport one, int above) {
        this.one = one;
        this.claims = new Lane<>(above, one::byDigest, calls -> together(Script.CLAIMS, calls));
        this.outcomes = new Lane<>(above, one::byDigest, calls -> together(Script.SETTLES, calls));
    }

    @Override
    public CompletionStage<Answer> byDigest(Call call) {
        if (call.keys().length == 2) {
            if (call.script() == Script.CLAIM && call.arguments().length == CLAIM_ARGUMENTS) {
                return claims.send(call);
            } else if (call.script() == Script.SETTLE && call.arguments()[3].length < LARGE) {
                return outcomes.send(call);
            }
        }
        return one.byDigest(call);
    }

    @Override
    public CompletionStage<Answer> bySource(Call call) {
        return one.bySource(call);
    }

    private CompletionStage<List<@Nullable Answer>> together(Script many, List<Call> calls) {
        List<String> keys = new ArrayList<>();
        List<byte[]> arguments = new ArrayList<>();
        for (Call call : calls) {
            Collections.addAll(keys, call.keys());
            Collections.addAll(arguments, call.arguments());
        }
        Call all = new Call(many, keys.toArray(String[]::new), arguments.toArray(byte[][]::new), true);
        return one.byDigest(all)
                .exceptionallyCompose(failure -> ScriptRunner.cause(failure) instanceof RedisNoScriptException
                        // nothing was executed
                        ? one.bySource(all)
                        : CompletableFuture.failedFuture(failure))
                .thenApply(BatchedTransport::apart)
                .exceptionallyCompose(failure -> crossesSlots(failure)
                        // nothing was executed
                        ? CompletableFuture.completedFuture(Collections.nCopies(calls.size(), null))
                        : CompletableFuture.failedFuture(failure));
    }

    /** A cluster, or a proxy before one, that is reached as if it were one server. */
    private static boolean crossesSlots(Throwable failure) {
        return ScriptRunner.cause(failure) instanceof RedisCommandExecutionException refused
                && String.valueOf(refused.getMessage()).startsWith("CROSSSLOT");
    }

    /** The first reply is the server's clock; then come those of the calls. */
    private static List<@Nullable Answer> apart(Answer all) {
        Object now = Objects.requireNonNull(all.reply().get(0));
        List<@Nullable Answer> answers = new ArrayList<>(all.reply().size());
        for (Object reply : all.reply().subList(1, all.reply().size())) {
            if (reply instanceof byte[]) {
                answers.add(new Answer(List.of(now, reply), true));
            } else {
                answers.add(DONE.equals(reply) ? new Answer(List.of(now), true) : null);
            }
        }
        return answers;
    }
}
