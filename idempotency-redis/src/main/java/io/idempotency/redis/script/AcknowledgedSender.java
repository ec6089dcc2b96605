package io.idempotency.redis.script;

import io.idempotency.redis.connection.Answers;
import io.idempotency.redis.connection.RedisConnection;
import io.idempotency.redis.connection.RedisConnection.Exclusive;
import io.idempotency.redis.script.Call.Sent;
import io.idempotency.runtime.group.GroupCommit;
import io.lettuce.core.RedisCommandExecutionException;
import io.lettuce.core.RedisCommandTimeoutException;
import io.lettuce.core.RedisNoScriptException;
import io.lettuce.core.api.StatefulRedisConnection;
import io.lettuce.core.api.async.RedisAsyncCommands;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedDeque;
import java.util.concurrent.Future;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Function;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * Sends scripts whose writes replicas have to receive: EVALSHA and WAIT in one piece. {@code WAIT} speaks of the writes of its own
 * connection only, and holds it up: so a call takes one of a few connections, which is free again when its WAIT is over. Calls
 * that come while all of them wait share the next.
 */
final class AcknowledgedSender {

    private static final int CONNECTIONS = 16;

    private final RedisConnection link;
    private final int replicas;
    private final Duration replicaTimeout;
    private final Duration patience;
    private final Semaphore places = new Semaphore(CONNECTIONS);
    private final ConcurrentLinkedDeque<Exclusive> free = new ConcurrentLinkedDeque<>();

    /** By server, so that one that cannot be reached holds up what goes to the others as little as may be. */
    private final Map<String, GroupCommit<Order, Sent>> orders = new ConcurrentHashMap<>();

    private volatile boolean closed;

    /** To which node what goes. */
    private record Order(
            Function<Exclusive, StatefulRedisConnection<String, byte[]>> node,
            Function<RedisAsyncCommands<String, byte[]>, Future<List<?>>> script) {}

    AcknowledgedSender(RedisConnection link, int replicas, Duration replicaTimeout, Duration commandTimeout) {
        this.link = link;
        this.replicas = replicas;
        this.replicaTimeout = replicaTimeout;
        this.patience = replicaTimeout.plus(commandTimeout);
    }

    int required() {
        return replicas;
    }

    /** Whether all connections wait for replicas, so that a call that may only read had better go another way. */
    boolean held() {
        return places.availablePermits() == 0;
    }

    Sent send(Call call) {
        return send(serverOf(call), orderOf(call));
    }

    /** All of them before one WAIT. */
    List<Sent> send(List<Call> calls) {
        return sent(calls.stream().map(AcknowledgedSender::orderOf).toList());
    }

    private static Order orderOf(Call call) {
        return new Order(place -> place.nodeOf().apply(call.keys()[0]), call::byDigest);
    }

    /** Once more where nothing was executed, because the script is not known there or its keys are elsewhere; null for others. */
    @Nullable
    Sent again(Call call, RedisCommandExecutionException refused) {
        String[] words = String.valueOf(refused.getMessage()).split(" ", -1);
        boolean asking = words[0].equals("ASK");
        if (refused instanceof RedisNoScriptException) {
            return send(serverOf(call), new Order(place -> place.nodeOf().apply(call.keys()[0]), call::inFull));
        } else if (words.length == 3 && (asking || words[0].equals("MOVED"))) {
            return send(words[2], new Order(place -> place.nodeAt().apply(words[2]), redis -> {
                if (asking) {
                    redis.asking();
                }
                return call.inFull(redis);
            }));
        }
        return null;
    }

    private String serverOf(Call call) {
        return link.serverOf(call.keys()[0]);
    }

    private Sent send(String server, Order order) {
        GroupCommit<Order, Sent> group = orders.computeIfAbsent(server, name -> new GroupCommit<>(1, 1, new Sharing()));
        try {
            return Answers.uninterrupted(patience, nanos -> Objects.requireNonNull(group.ask(order, nanos)));
        } catch (TimeoutException e) {
            throw notAsked();
        }
    }

    private static RedisCommandTimeoutException notAsked() {
        return new RedisCommandTimeoutException("Redis was not asked: all " + CONNECTIONS
                + " connections wait for replicas (idempotency.redis.replica-acknowledgements)");
    }

    /** The caller that waited for a free connection sends what has come meanwhile; answers are waited for elsewhere. */
    private final class Sharing implements GroupCommit.Sender<Order, Sent> {

        @Override
        public Sent alone(Order order) {
            return sent(List.of(order)).get(0);
        }

        @Override
        public List<GroupCommit.Answer<Sent>> together(List<Order> orders) {
            return sent(orders).stream()
                    .map(sent -> new GroupCommit.Answer<>(sent, false))
                    .toList();
        }
    }

    private List<Sent> sent(List<Order> orders) {
        Exclusive place = take();
        try {
            List<StatefulRedisConnection<String, byte[]>> nodes =
                    orders.stream().map(order -> order.node().apply(place)).toList();
            List<Future<List<?>>> replies = IntStream.range(0, orders.size())
                    .<Future<List<?>>>mapToObj(
                            i -> orders.get(i).script().apply(nodes.get(i).async()))
                    .toList();
            Map<StatefulRedisConnection<String, byte[]>, CompletableFuture<Long>> received = new LinkedHashMap<>();
            nodes.forEach(node -> received.computeIfAbsent(node, this::received));
            CompletableFuture.allOf(received.values().toArray(CompletableFuture[]::new))
                    .whenComplete((all, failure) -> giveBack(place, failure == null));
            return IntStream.range(0, orders.size())
                    .mapToObj(i -> new Sent(replies.get(i), received.get(nodes.get(i))))
                    .toList();
        } catch (RuntimeException | Error e) {
            giveBack(place, false);
            throw e;
        }
    }

    private CompletableFuture<Long> received(StatefulRedisConnection<String, byte[]> node) {
        CompletableFuture<Long> number = node.async()
                .waitForReplication(replicas, replicaTimeout.toMillis())
                .toCompletableFuture();
        node.flushCommands();
        return number.orTimeout(patience.toMillis(), TimeUnit.MILLISECONDS);
    }

    private Exclusive take() {
        try {
            if (!Answers.uninterrupted(patience, nanos -> places.tryAcquire(nanos, TimeUnit.NANOSECONDS))) {
                throw notAsked();
            }
        } catch (TimeoutException e) {
            throw notAsked();
        }
        try {
            Exclusive idle = free.poll();
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

    void close() {
        closed = true;
        free.forEach(Exclusive::close);
    }
}
