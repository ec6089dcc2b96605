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
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/**
 * Replicas must have what a script wrote. {@code WAIT} speaks of the writes of its own connection only, and inside a
 * script it is an error; so both go out in one write, which the driver gives to one connection or to none. Commands of
 * other callers between the two do no harm: then it waits for theirs as well.
 */
record AcknowledgedTransport(RedisConnection link, int replicas, Duration timeout) implements Transport {

    private static final int REDIRECTIONS = 3;

    @Override
    public CompletionStage<Answer> byDigest(Script script, String key, byte[][] arguments) {
        return send(CommandType.EVALSHA, RecordFields.bytes(script.digest()), key, arguments);
    }

    @Override
    public CompletionStage<Answer> bySource(Script script, String key, byte[][] arguments) {
        return send(CommandType.EVAL, script.source(), key, arguments);
    }

    private CompletionStage<Answer> send(CommandType type, byte[] script, String key, byte[][] arguments) {
        CommandArgs<String, byte[]> eval =
                arguments().add(script).add(1).addKey(key).addValues(arguments);
        return link.connectionFor(key)
                .thenCompose(
                        connection -> redirected(together(connection, false, type, eval), type, eval, REDIRECTIONS));
    }

    /** A node that does not hold the key has not executed anything. */
    private CompletionStage<Answer> redirected(
            CompletionStage<Answer> sent, CommandType type, CommandArgs<String, byte[]> eval, int left) {
        return sent.exceptionallyCompose(failure -> {
            if (left > 0 && ScriptRunner.cause(failure) instanceof RedisCommandExecutionException refused) {
                String[] words = String.valueOf(refused.getMessage()).split(" ", -1);
                boolean asking = words[0].equals("ASK");
                if (words.length == 3 && (asking || words[0].equals("MOVED"))) {
                    return link.connectionTo(words[2])
                            .thenCompose(node -> redirected(together(node, asking, type, eval), type, eval, left - 1));
                }
            }
            return CompletableFuture.failedFuture(failure);
        });
    }

    private CompletionStage<Answer> together(
            StatefulRedisConnection<String, byte[]> connection,
            boolean asking,
            CommandType type,
            CommandArgs<String, byte[]> eval) {
        AsyncCommand<String, byte[], List<Object>> script =
                command(type, new NestedMultiOutput<>(RedisConnection.CODEC), eval);
        AsyncCommand<String, byte[], Long> wait = command(
                CommandType.WAIT,
                new IntegerOutput<>(RedisConnection.CODEC),
                arguments().add(replicas).add(timeout.toMillis()));
        if (asking) {
            AsyncCommand<String, byte[], String> ask =
                    command(CommandType.ASKING, new StatusOutput<>(RedisConnection.CODEC), arguments());
            connection.dispatch(List.of(ask, script, wait));
        } else {
            connection.dispatch(List.of(script, wait));
        }
        return script.thenCombine(wait, (reply, received) -> new Answer(reply, received >= replicas));
    }

    private static <T> AsyncCommand<String, byte[], T> command(
            CommandType type, CommandOutput<String, byte[], T> output, CommandArgs<String, byte[]> arguments) {
        return new AsyncCommand<>(new Command<>(type, output, arguments));
    }

    private static CommandArgs<String, byte[]> arguments() {
        return new CommandArgs<>(RedisConnection.CODEC);
    }
}
