package io.idempotency.redis.script;

import static java.util.Objects.requireNonNull;

import io.idempotency.redis.connection.Answers;
import io.idempotency.redis.connection.RedisConnection;
import io.idempotency.redis.connection.RedisConnection.Exclusive;
import io.idempotency.redis.script.Call.Sent;
import io.idempotency.redis.script.Scripts.Replicas;
import io.idempotency.runtime.group.GroupCommit;
import io.lettuce.core.RedisCommandTimeoutException;
import io.lettuce.core.api.StatefulRedisConnection;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedDeque;
import java.util.concurrent.Future;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/**
 * Sends scripts whose writes replicas have to receive, followed by WAIT. WAIT counts only the writes of its connection,
 * and blocks it, so a call takes one of a few connections. Calls that come while all of them wait share the next.
 */
final class AcknowledgedSender implements GroupCommit.Sender<Call, Sent> {

    private static final int CONNECTIONS = 16;

    private final RedisConnection link;
    private final Replicas replicas;
    private final Duration patience;
    private final Semaphore places = new Semaphore(CONNECTIONS);
    private final ConcurrentLinkedDeque<Exclusive> free = new ConcurrentLinkedDeque<>();

    /** Groups by server, so that an unreachable server delays calls to other servers as little as possible. */
    private final Map<String, GroupCommit<Call, Sent>> groups = new ConcurrentHashMap<>();

    private volatile boolean closed;

    AcknowledgedSender(RedisConnection link, Replicas replicas, Duration commandTimeout) {
        this.link = link;
        this.replicas = replicas;
        this.patience = replicas.timeout().plus(commandTimeout);
    }

    int required() {
        return replicas.number();
    }

    /** Tells whether all connections wait for replicas. */
    boolean held() {
        return places.availablePermits() == 0;
    }

    /** Sends a single call, together with those of other waiting callers, or several calls before one WAIT. */
    List<Sent> send(List<Call> calls) {
        if (calls.size() > 1) {
            return sent(calls);
        }
        Call call = calls.get(0);
        String server = call.node() == null ? link.serverOf(call.keys()[0]) : call.node();
        GroupCommit<Call, Sent> group = groups.computeIfAbsent(server, name -> new GroupCommit<>(1, 1, this));
        Sent sent = inTime(nanos -> requireNonNull(group.ask(call, nanos)));
        return List.of(sent);
    }

    private <T> T inTime(Answers.Wait<T> wait) {
        try {
            return Answers.uninterrupted(patience, wait);
        } catch (TimeoutException e) {
            throw new RedisCommandTimeoutException("Redis was not asked: all " + CONNECTIONS
                    + " connections wait for replicas (idempotency.redis.replica-acknowledgements)");
        }
    }

    @Override
    public Sent alone(Call call) {
        return sent(List.of(call)).get(0);
    }

    @Override
    public List<GroupCommit.Answer<Sent>> together(List<Call> calls) {
        return sent(calls).stream()
                .map(sent -> new GroupCommit.Answer<>(sent, false))
                .toList();
    }

    private List<Sent> sent(List<Call> calls) {
        Exclusive place = take();
        try {
            List<StatefulRedisConnection<String, byte[]>> nodes = new ArrayList<>();
            calls.forEach(call -> nodes.add(place.node().apply(call.keys()[0], call.node())));
            List<Future<List<?>>> replies = new ArrayList<>();
            for (int i = 0; i < calls.size(); i++) {
                replies.add(calls.get(i).on(nodes.get(i).async()));
            }
            Map<StatefulRedisConnection<String, byte[]>, CompletableFuture<Long>> received = new LinkedHashMap<>();
            nodes.forEach(node -> received.computeIfAbsent(node, this::received));
            CompletableFuture.allOf(received.values().toArray(CompletableFuture[]::new))
                    .whenComplete((all, failure) -> giveBack(place, failure == null));
            List<Sent> sent = new ArrayList<>();
            for (int i = 0; i < calls.size(); i++) {
                sent.add(new Sent(replies.get(i), received.get(nodes.get(i))));
            }
            return sent;
        } catch (RuntimeException | Error e) {
            giveBack(place, false);
            throw e;
        }
    }

    private CompletableFuture<Long> received(StatefulRedisConnection<String, byte[]> node) {
        CompletableFuture<Long> number = node.async()
                .waitForReplication(replicas.number(), replicas.timeout().toMillis())
                .toCompletableFuture();
        node.flushCommands();
        return number.orTimeout(patience.toMillis(), TimeUnit.MILLISECONDS);
    }

    private Exclusive take() {
        inTime(nanos -> {
            if (!places.tryAcquire(nanos, TimeUnit.NANOSECONDS)) {
                throw new TimeoutException();
            }
            return places;
        });
        try {
            Exclusive idle = free.poll();
            while (idle != null && !idle.opened().isOpen()) { // it lost its server, and may not be connected again yet
                idle.close();
                idle = free.poll();
            }
            return idle == null ? link.exclusive() : idle;
        } catch (RuntimeException | Error e) {
            places.release();
            throw e;
        }
    }

    /** Gives a connection back; closes one on which a command may still be under way. */
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
