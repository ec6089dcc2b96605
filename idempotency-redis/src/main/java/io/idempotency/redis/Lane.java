package io.idempotency.redis;

import io.lettuce.core.RedisCommandExecutionException;
import io.lettuce.core.RedisCommandTimeoutException;
import io.lettuce.core.RedisException;
import java.io.IOException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Calls of one kind, of which Redis does many at once for little more than one. Few callers are served one by one, at once.
 * What comes while more are under way waits for the first of their answers, then goes out together. Thread-safe.
 *
 * @param <Q> a call
 * @param <A> its answer
 */
final class Lane<Q, A> {

    /** Redis does nothing else meanwhile. */
    private static final int MOST = 64;

    private final int above;
    private final Function<Q, CompletionStage<A>> one;
    private final Function<List<Q>, CompletionStage<List<@Nullable A>>> many;
    private final Deque<Asked<Q, A>> waiting = new ArrayDeque<>();
    private int alone;
    private boolean together;

    /**
     * A lane.
     *
     * @param above the number of calls up to which each is sent by itself
     * @param one sends one
     * @param many sends several; null in place of an answer, or of all, says that nothing was done and the call has to go alone
     */
    Lane(int above, Function<Q, CompletionStage<A>> one, Function<List<Q>, CompletionStage<List<@Nullable A>>> many) {
        this.above = above;
        this.one = one;
        this.many = many;
    }

    private record Asked<Q, A>(Q call, CompletableFuture<A> answer) {

        Asked(Q call) {
            this(call, new CompletableFuture<>());
        }

        void by(CompletionStage<A> sent) {
            sent.whenComplete((reply, failure) -> {
                if (failure == null) {
                    answer.complete(reply);
                } else {
                    answer.completeExceptionally(failure);
                }
            });
        }
    }

    CompletionStage<A> send(Q call) {
        Asked<Q, A> asked;
        synchronized (this) {
            if (!together && alone < above && waiting.isEmpty()) {
                alone++;
                asked = null;
            } else {
                asked = new Asked<>(call);
                waiting.add(asked);
            }
        }
        if (asked == null) {
            return alone(call);
        }
        next(null);
        return asked.answer();
    }

    private CompletionStage<A> alone(Q call) {
        CompletionStage<A> sent = ScriptRunner.staged(() -> one.apply(call));
        sent.whenComplete((answer, failure) -> {
            synchronized (this) {
                alone--;
            }
            next(failure);
        });
        return sent;
    }

    /**
     * Sends what waits, unless its turn comes later: together, or one by one where that is little.
     */
    private void next(@Nullable Throwable failure) {
        if (failure != null && unanswered(failure)) {
            List<Asked<Q, A>> unsent = taken();
            if (!unsent.isEmpty()) {
                RedisCommandTimeoutException told = notSent(failure);
                unsent.forEach(asked -> asked.answer().completeExceptionally(told));
            }
            return;
        }
        List<Asked<Q, A>> group = new ArrayList<>();
        boolean little;
        synchronized (this) {
            if (waiting.isEmpty() || together || alone > 0 && alone >= above) {
                return;
            }
            little = alone + waiting.size() <= above;
            while (!waiting.isEmpty() && group.size() < MOST) {
                group.add(waiting.remove());
            }
            if (little) {
                alone += group.size();
            } else {
                together = true;
            }
        }
        if (little) {
            group.forEach(asked -> asked.by(alone(asked.call())));
        } else {
            together(group);
        }
    }

    private synchronized List<Asked<Q, A>> taken() {
        List<Asked<Q, A>> all = List.copyOf(waiting);
        waiting.clear();
        return all;
    }

    /** The next batch is on its way before the callers of this one are told. */
    private void together(List<Asked<Q, A>> group) {
        ScriptRunner.staged(() -> many.apply(group.stream().map(Asked::call).toList()))
                .whenComplete((answers, failure) -> {
                    synchronized (this) {
                        together = false;
                    }
                    next(failure);
                    for (int i = 0; i < group.size(); i++) {
                        tell(group.get(i), i, answers, failure);
                    }
                });
    }

    private void tell(
            Asked<Q, A> asked, int position, @Nullable List<@Nullable A> answers, @Nullable Throwable failure) {
        if (answers == null) {
            asked.answer().completeExceptionally(ScriptRunner.cause(Objects.requireNonNull(failure)));
        } else if (answers.size() <= position) {
            asked.answer().completeExceptionally(new IllegalStateException("Redis left a call of a batch out"));
        } else if (answers.get(position) == null) {
            asked.by(ScriptRunner.staged(() -> one.apply(asked.call())));
        } else {
            asked.answer().complete(answers.get(position));
        }
    }

    /** There was no answer, and behind a call without one nothing is sent: it would wait once more for as long. */
    private static boolean unanswered(Throwable failure) {
        Throwable cause = ScriptRunner.cause(failure);
        return cause instanceof IOException
                || cause instanceof RedisException && !(cause instanceof RedisCommandExecutionException);
    }

    private static RedisCommandTimeoutException notSent(Throwable failure) {
        RedisCommandTimeoutException told = new RedisCommandTimeoutException(
                "The call was not sent to Redis, and nothing was written: a call before it was not answered ("
                        + ScriptRunner.cause(failure).getMessage() + ")");
        told.initCause(ScriptRunner.cause(failure));
        return told;
    }
}
