package io.idempotency.redis.script;

import io.idempotency.redis.connection.Answers;
import io.idempotency.redis.connection.RedisConnection;
import io.idempotency.redis.connection.RedisConnection.Exclusive;
import io.lettuce.core.RedisCommandExecutionException;
import io.lettuce.core.RedisCommandTimeoutException;
import io.lettuce.core.RedisNoScriptException;
import io.lettuce.core.ScriptOutputType;
import io.lettuce.core.api.StatefulRedisConnection;
import io.lettuce.core.api.async.RedisAsyncCommands;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedDeque;
import java.util.concurrent.Future;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;

/**
 * Sends scripts whose writes replicas have to receive: EVALSHA and WAIT in one piece. {@code WAIT} speaks of the writes of its own
 * connection only, and holds it up: so each call takes one of a few connections, which is free again when its WAIT is over.
 */
final class AcknowledgedSender implements Sender, AutoCloseable {

    private static final int CONNECTIONS = 8;

    private final RedisConnection link;
    private final int replicas;
    private final Duration replicaTimeout;
    private final Duration commandTimeout;
    private final Semaphore places = new Semaphore(CONNECTIONS);
    private final ConcurrentLinkedDeque<Exclusive> free = new ConcurrentLinkedDeque<>();
    private volatile boolean closed;

    AcknowledgedSender(RedisConnection link, int replicas, Duration replicaTimeout, Duration commandTimeout) {
        this.link = link;
        this.replicas = replicas;
        this.replicaTimeout = replicaTimeout;
        this.commandTimeout = commandTimeout;
    }

    int required() {
        return replicas;
    }

    /** Whether all connections wait for replicas, so that a call that may only read had better go another way. */
    boolean held() {
        return places.availablePermits() == 0;
    }

    @Override
    public Sent send(Call call) {
        return over(
                place -> place.nodeOf(call.keys()[0]),
                redis -> redis.evalsha(call.script().digest(), ScriptOutputType.MULTI, call.keys(), call.arguments()));
    }

    /** Nothing was executed: the script is not known there, or its keys are elsewhere. */
    @Override
    public Optional<Sent> again(Call call, RedisCommandExecutionException refused) {
        String[] words = String.valueOf(refused.getMessage()).split(" ", -1);
        boolean asking = words[0].equals("ASK");
        if (refused instanceof RedisNoScriptException) {
            return Optional.of(over(place -> place.nodeOf(call.keys()[0]), redis -> evaluate(redis, call)));
        } else if (words.length == 3 && (asking || words[0].equals("MOVED"))) {
            return Optional.of(over(place -> place.nodeAt(words[2]), redis -> {
                if (asking) {
                    redis.asking();
                }
                return evaluate(redis, call);
            }));
        }
        return Optional.empty();
    }

    private static Future<List<?>> evaluate(RedisAsyncCommands<String, byte[]> redis, Call call) {
        return redis.eval(call.script().source(), ScriptOutputType.MULTI, call.keys(), call.arguments());
    }

    private Sent over(
            Function<Exclusive, StatefulRedisConnection<String, byte[]>> node,
            Function<RedisAsyncCommands<String, byte[]>, Future<List<?>>> script) {
        Exclusive place = take();
        Future<List<?>> reply;
        CompletableFuture<Long> received;
        try {
            StatefulRedisConnection<String, byte[]> connection = node.apply(place);
            reply = script.apply(connection.async());
            received = connection
                    .async()
                    .waitForReplication(replicas, replicaTimeout.toMillis())
                    .toCompletableFuture();
            connection.flushCommands();
        } catch (RuntimeException | Error e) {
            giveBack(place, false);
            throw e;
        }
        return new Sent(
                reply,
                received.orTimeout(replicaTimeout.plus(commandTimeout).toMillis(), TimeUnit.MILLISECONDS)
                        .whenComplete((number, failure) -> giveBack(place, failure == null)));
    }

    private Exclusive take() {
        if (!Answers.take(places, replicaTimeout.plus(commandTimeout))) {
            throw new RedisCommandTimeoutException("Redis was not asked: all " + CONNECTIONS
                    + " connections wait for replicas (idempotency.redis.replica-acknowledgements)");
        }
        Exclusive idle = free.poll();
        try {
            return idle == null ? link.exclusive() : idle;
        } catch (RuntimeException | Error e) {
            places.release();
            throw e;
        }
    }

    /** One on which something may still be under way is not used again. */
    private void giveBack(Exclusive place, boolean idle) {
        if (idle && !closed) {
            free.push(place);
        } else {
            place.close();
        }
        places.release();
    }

    @Override
    public void close() {
        closed = true;
        free.forEach(Exclusive::close);
    }
}
