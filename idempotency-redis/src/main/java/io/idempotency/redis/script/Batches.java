package io.idempotency.redis.script;

import io.idempotency.redis.script.Scripts.Answer;
import io.idempotency.redis.script.Sender.Call;
import io.idempotency.runtime.store.GroupCommit;
import io.lettuce.core.RedisCommandExecutionException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Objects;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Many callers' claims in one script, and many callers' outcomes: a script that does little costs Redis less than its call
 * does. Such a script does the common cases only; a call that it leaves alone is sent by itself. Thread-safe.
 */
final class Batches {

    /** Redis does nothing else meanwhile. */
    private static final int MOST = 64;

    /** A result of so many bytes goes by itself. */
    private static final int LARGE = 8192;

    /** One that keeps the call's arguments has one more, and goes by itself. */
    private static final int CLAIM_ARGUMENTS = 6;

    private static final Long DONE = 1L;

    private final Function<Call, Answer> alone;
    private final int width;
    private final GroupCommit<Call, @Nullable Answer> claims;
    private final GroupCommit<Call, @Nullable Answer> outcomes;

    /** With what sends one script, and how many are under way before callers share them; negative where they never do. */
    Batches(Function<Call, Answer> alone, int width, Duration timeout) {
        this.alone = alone;
        this.width = width;
        this.claims = new GroupCommit<>(Math.max(1, width), MOST, timeout, calls -> together(Script.CLAIMS, calls));
        this.outcomes = new GroupCommit<>(Math.max(1, width), MOST, timeout, calls -> together(Script.SETTLES, calls));
    }

    Answer answer(Call call) {
        Answer answer = shared(call);
        return answer == null ? alone.apply(call) : answer;
    }

    private @Nullable Answer shared(Call call) {
        if (width >= 0 && call.script() == Script.CLAIM && call.arguments().length == CLAIM_ARGUMENTS) {
            return claims.ask(call);
        } else if (width >= 0 && call.script() == Script.SETTLE && call.arguments()[3].length < LARGE) {
            return outcomes.ask(call);
        }
        return null;
    }

    /** Null in place of an answer says that nothing was done. */
    private List<@Nullable Answer> together(Script many, List<Call> calls) {
        if (calls.size() == 1 && width > 0) {
            return List.of(alone.apply(calls.get(0)));
        }
        List<String> keys = new ArrayList<>();
        List<byte[]> arguments = new ArrayList<>();
        for (Call call : calls) {
            Collections.addAll(keys, call.keys());
            Collections.addAll(arguments, call.arguments());
        }
        try {
            return apart(alone.apply(new Call(many, keys.toArray(String[]::new), arguments.toArray(byte[][]::new))));
        } catch (RedisCommandExecutionException e) {
            // such as CROSSSLOT of a cluster that is reached as if it were one server; a call that is repeated changes
            // nothing
            return Collections.nCopies(calls.size(), null);
        }
    }

    /** The first reply is the server's clock; then come those of the calls. */
    private static List<@Nullable Answer> apart(Answer all) {
        Object now = Objects.requireNonNull(all.reply().get(0));
        List<@Nullable Answer> answers = new ArrayList<>(all.reply().size());
        for (Object reply : all.reply().subList(1, all.reply().size())) {
            if (reply instanceof byte[]) {
                answers.add(new Answer(List.of(now, reply), all.received()));
            } else {
                answers.add(DONE.equals(reply) ? new Answer(List.of(now), all.received()) : null);
            }
        }
        return answers;
    }
}
