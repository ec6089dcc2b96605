package io.idempotency.redis;

import io.lettuce.core.RedisCommandExecutionException;
import io.lettuce.core.api.StatefulRedisConnection;
import io.lettuce.core.output.CommandOutput;
import io.lettuce.core.output.IntegerOutput;
import io.lettuce.core.output.NestedMultiOutput;
import io.lettuce.core.output.StatusOutput;
import io.lettuce.core.protocol.AsyncCommand;
import io.lettuce.core.protocol.Command;
import io.lettuce.core.protocol.CommandArgs;
import io.lettuce.core.protocol.CommandType;
import io.lettuce.core.protocol.RedisCommand;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Replicas must have what a script wrote. {@code WAIT} speaks of the writes of its own connection only, and inside a
 * script it is an error; and it holds its connection up. So these connections carry nothing but scripts that write: what
 * comes while one {@code WAIT} is under way goes out together afterwards, in one write that ends with one {@code WAIT} for
 * all of them. A lone caller is not delayed.
 */
final class AcknowledgedTransport implements Transport {

    private static final int REDIRECTIONS = 3;

    private final RedisConnection link;
    private final int replicas;
    private final Duration timeout;

    /** By connection: what has to wait; absent while no {@code WAIT} is under way. */
    private final Map<StatefulRedisConnection<String, byte[]>, List<Asked>> waiting = new ConcurrentHashMap<>();

    /** Others' writes wait for replicas, so a call that is not patient was not sent. */
    static final class HeldUpException extends RuntimeException {

        private static final long serialVersionUID = 1L;

        HeldUpException() {
            super("Others wait for replicas: nothing was sent", null, false, false);
        }
    }

    AcknowledgedTransport(RedisConnection link, RedisIdempotencyConfiguration configuration) {
        this.link = link;
        this.replicas = configuration.getReplicaAcknowledgements();
        this.timeout = configuration.getReplicaAcknowledgementTimeout();
    }

    /** A script on its way; a node that does not hold its keys has not executed anything, and names the one that does. */
    private record Asked(
            CommandType type,
            byte[] script,
            Call call,
            boolean asking,
            int redirections,
            CompletableFuture<Answer> answer) {

        Asked to(boolean asking) {
            return new Asked(type, script, call, asking, redirections - 1, answer);
        }
    }

    /** Whether nobody waits for replicas, as far as is known: a call that is not patient is worth a try. */
    boolean idle() {
        return waiting.isEmpty();
    }

    @Override
    public CompletionStage<Answer> byDigest(Call call) {
        return send(CommandType.EVALSHA, PackedRecord.bytes(call.script().digest()), call);
    }

    @Override
    public CompletionStage<Answer> bySource(Call call) {
        return send(CommandType.EVAL, call.script().source(), call);
    }

    private CompletionStage<Answer> send(CommandType type, byte[] script, Call call) {
        Asked asked = new Asked(type, script, call, false, REDIRECTIONS, new CompletableFuture<>());
        over(link.connectionFor(call.keys()[0]), asked);
        return asked.answer();
    }

    private void over(CompletionStage<StatefulRedisConnection<String, byte[]>> opening, Asked asked) {
        opening.whenComplete((connection, failure) -> {
            if (failure != null) {
                asked.answer().completeExceptionally(failure);
            } else {
                join(connection, asked);
            }
        });
    }

    private void join(StatefulRedisConnection<String, byte[]> connection, Asked asked) {
        List<Asked> first = new ArrayList<>();
        waiting.compute(connection, (same, others) -> {
            if (others == null) {
                first.add(asked);
                return new ArrayList<>();
            }
            if (asked.call().patient()) {
                others.add(asked);
            }
            return others;
        });
        if (!first.isEmpty()) {
            next(connection, first);
        } else if (!asked.call().patient()) {
            asked.answer().completeExceptionally(new HeldUpException());
        }
    }

    private void together(StatefulRedisConnection<String, byte[]> connection, List<Asked> group) {
        List<RedisCommand<String, byte[], ?>> all = new ArrayList<>();
        List<AsyncCommand<String, byte[], List<Object>>> scripts = new ArrayList<>();
        for (Asked asked : group) {
            if (asked.asking()) {
                all.add(command(CommandType.ASKING, new StatusOutput<>(RedisConnection.CODEC), arguments()));
            }
            AsyncCommand<String, byte[], List<Object>> script =
                    command(asked.type(), new NestedMultiOutput<>(RedisConnection.CODEC), argumentsOf(asked));
            scripts.add(script);
            all.add(script);
        }
        AsyncCommand<String, byte[], Long> wait = command(
                CommandType.WAIT,
                new IntegerOutput<>(RedisConnection.CODEC),
                arguments().add(replicas).add(timeout.toMillis()));
        all.add(wait);
        // callers are told afterwards: one that calls again at once would find others waiting, where there is nobody
        CompletionStage<Long> over = wait.whenComplete((received, failure) -> next(connection, List.of()));
        for (int i = 0; i < group.size(); i++) {
            answered(group.get(i), scripts.get(i), over);
        }
        connection.dispatch(all);
    }

    /** Sends the first, or those that came meanwhile. Whatever is thrown, an Error too: nobody waits for what is not sent. */
    private void next(StatefulRedisConnection<String, byte[]> connection, List<Asked> first) {
        List<Asked> group = first;
        try {
            group = first.isEmpty() ? taken(connection) : first;
            if (!group.isEmpty()) {
                together(connection, group);
            }
        } catch (Throwable e) {
            List<Asked> unsent = waiting.remove(connection);
            fail(group, e);
            fail(unsent == null ? List.of() : unsent, e);
        }
    }

    private static void fail(List<Asked> group, Throwable cause) {
        group.forEach(asked -> asked.answer().completeExceptionally(cause));
    }

    private List<Asked> taken(StatefulRedisConnection<String, byte[]> connection) {
        List<Asked> group = new ArrayList<>();
        waiting.compute(connection, (same, others) -> {
            if (others == null || others.isEmpty()) {
                return null;
            }
            group.addAll(others);
            return new ArrayList<>();
        });
        return group;
    }

    private void answered(Asked asked, CompletionStage<List<Object>> script, CompletionStage<Long> over) {
        script.whenComplete((reply, failure) -> {
            if (failure == null && !asked.call().patient() && onlyRead(reply)) {
                asked.answer().complete(new Answer(reply, false));
            } else if (failure == null) {
                over.whenComplete((received, unanswered) -> {
                    if (unanswered == null) {
                        asked.answer().complete(new Answer(reply, received >= replicas));
                    } else {
                        asked.answer().completeExceptionally(ScriptRunner.cause(unanswered));
                    }
                });
            } else if (!redirected(asked, failure)) {
                asked.answer().completeExceptionally(failure);
            }
        });
    }

    /** A claim that found a record: its caller only reads, and does not wait for what was sent for one that writes. */
    private static boolean onlyRead(List<Object> reply) {
        return reply.size() == 2;
    }

    private boolean redirected(Asked asked, Throwable failure) {
        if (asked.redirections() == 0
                || !(ScriptRunner.cause(failure) instanceof RedisCommandExecutionException refused)) {
            return false;
        }
        String[] words = String.valueOf(refused.getMessage()).split(" ", -1);
        boolean asking = words[0].equals("ASK");
        if (words.length != 3 || !asking && !words[0].equals("MOVED")) {
            return false;
        }
        over(ScriptRunner.staged(() -> link.connectionTo(words[2])), asked.to(asking));
        return true;
    }

    private static CommandArgs<String, byte[]> argumentsOf(Asked asked) {
        String[] keys = asked.call().keys();
        return arguments()
                .add(asked.script())
                .add(keys.length)
                .addKeys(keys)
                .addValues(asked.call().arguments());
    }

    private static <T> AsyncCommand<String, byte[], T> command(
            CommandType type, CommandOutput<String, byte[], T> output, CommandArgs<String, byte[]> arguments) {
        return new AsyncCommand<>(new Command<>(type, output, arguments));
    }

    private static CommandArgs<String, byte[]> arguments() {
        return new CommandArgs<>(RedisConnection.CODEC);
    }
}
