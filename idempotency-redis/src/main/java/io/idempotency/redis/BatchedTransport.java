package io.idempotency.redis;

import io.lettuce.core.RedisCommandExecutionException;
import io.lettuce.core.RedisCommandTimeoutException;
import io.lettuce.core.RedisException;
import io.lettuce.core.RedisNoScriptException;
import java.io.IOException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Deque;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/**
 * Many callers' claims in one script, and many callers' outcomes: a script that does little costs Redis less than its call
 * does. Few callers are served one by one, at once. What comes while more are under way waits for one answer, then
 * shares a script. Such a script does the common cases only; a call that it leaves alone is sent by itself.
 */
final class BatchedTransport implements Transport {

    /** Redis does nothing else meanwhile. */
    private static final int MOST = 64;

    /** A result of so many bytes goes by itself. */
    private static final int LARGE = 8192;

    /** One that keeps the call's arguments has one more, and goes by itself. */
    private static final int CLAIM_ARGUMENTS = 6;

    private static final Long DONE = 1L;

    private final Transport one;
    private final Lane claims;
    private final Lane outcomes;

    /** With the number of calls up to which each is sent by itself. */
    BatchedTransport(Transport one, int above) {
        this.one = one;
        this.claims = new Lane(Script.CLAIMS, above);
        this.outcomes = new Lane(Script.SETTLES, above);
    }

    private record Asked(Call call, CompletableFuture<Answer> answer) {

        Asked(Call call) {
            this(call, new CompletableFuture<>());
        }

        void by(CompletionStage<Answer> sent) {
            sent.whenComplete((reply, failure) -> {
                if (failure == null) {
                    answer.complete(reply);
                } else {
                    answer.completeExceptionally(failure);
                }
            });
        }
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

    /** Whatever is thrown, an Error too: those who wait must not wait for it. */
    private CompletionStage<Answer> sent(Call call) {
        try {
            return one.byDigest(call);
        } catch (Throwable e) {
            return CompletableFuture.failedFuture(e);
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

    /** A cluster, or a proxy before one, that is reached as if it were one server. */
    private static boolean apart(Throwable failure) {
        return ScriptRunner.cause(failure) instanceof RedisCommandExecutionException refused
                && String.valueOf(refused.getMessage()).startsWith("CROSSSLOT");
    }

    /** The calls of one kind. Whatever waits has others under way before it, and goes out when the first of them is answered. */
    private final class Lane {

        private final Script many;
        private final int above;
        private final Deque<Asked> waiting = new ArrayDeque<>();
        private int alone;
        private boolean together;

        Lane(Script many, int above) {
            this.many = many;
            this.above = above;
        }

        CompletionStage<Answer> send(Call call) {
            Asked asked;
            synchronized (this) {
                if (!together && alone < above && waiting.isEmpty()) {
                    alone++;
                    asked = null;
                } else {
                    asked = new Asked(call);
                    waiting.add(asked);
                }
            }
            if (asked == null) {
                return alone(call);
            }
            next(null);
            return asked.answer();
        }

        private CompletionStage<Answer> alone(Call call) {
            CompletionStage<Answer> sent = sent(call);
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
                List<Asked> unsent = taken();
                if (!unsent.isEmpty()) {
                    RedisCommandTimeoutException told = notSent(failure);
                    unsent.forEach(asked -> asked.answer().completeExceptionally(told));
                }
                return;
            }
            List<Asked> group = new ArrayList<>();
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

        /** The next batch is on its way before the callers of this one are told. */
        private void together(List<Asked> group) {
            Call all = all(group);
            sent(all)
                    .exceptionallyCompose(failure -> ScriptRunner.cause(failure) instanceof RedisNoScriptException
                            // nothing was executed
                            ? one.bySource(all)
                            : CompletableFuture.failedFuture(failure))
                    .whenComplete((answer, failure) -> {
                        synchronized (this) {
                            together = false;
                        }
                        next(failure);
                        tell(group, answer, failure);
                    });
        }

        private synchronized List<Asked> taken() {
            List<Asked> all = List.copyOf(waiting);
            waiting.clear();
            return all;
        }

        private Call all(List<Asked> group) {
            List<String> keys = new ArrayList<>();
            List<byte[]> arguments = new ArrayList<>();
            for (Asked asked : group) {
                Collections.addAll(keys, asked.call().keys());
                Collections.addAll(arguments, asked.call().arguments());
            }
            return new Call(many, keys.toArray(String[]::new), arguments.toArray(byte[][]::new));
        }
    }

    private void tell(List<Asked> group, @Nullable Answer answer, @Nullable Throwable failure) {
        for (int i = 0; i < group.size(); i++) {
            Asked asked = group.get(i);
            if (answer == null && apart(Objects.requireNonNull(failure))) {
                asked.by(sent(asked.call())); // nothing was executed
                continue;
            }
            if (answer == null) {
                asked.answer().completeExceptionally(ScriptRunner.cause(Objects.requireNonNull(failure)));
                continue;
            }
            if (answer.reply().size() <= i + 1) {
                asked.answer().completeExceptionally(new IllegalStateException("Redis left a call of a batch out"));
                continue;
            }
            Object now = Objects.requireNonNull(answer.reply().get(0));
            Object reply = Objects.requireNonNull(answer.reply().get(i + 1));
            if (reply instanceof byte[]) {
                asked.answer().complete(new Answer(List.of(now, reply), true));
            } else if (DONE.equals(reply)) {
                asked.answer().complete(new Answer(List.of(now), true));
            } else {
                asked.by(sent(asked.call()));
            }
        }
    }
}
