package io.idempotency.redis;

import static java.util.Objects.requireNonNull;

import io.idempotency.redis.Call.Sent;
import io.idempotency.redis.RedisConnection.Exclusive;
import io.idempotency.runtime.group.GroupCommit;
import io.lettuce.core.RedisCommandTimeoutException;
import io.lettuce.core.api.StatefulRedisConnection;
import java.time.Duration;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.BlockingDeque;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Future;
import java.util.concurrent.LinkedBlockingDeque;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * Sends scripts whose writes replicas have to receive, followed by WAIT. WAIT counts only the writes of its connection,
 * and blocks it, so a call takes one of a few connections. Calls that come while all of them wait share the next.
 */
final class AcknowledgedSender implements GroupCommit.Sender<Call, Sent> {

    private static final int CONNECTIONS = 16;

    private final RedisConnection link;
    private final int required;
    private final Duration timeout;
    private final Duration patience;

    /** The places for connections, each with the connection that is idle there; those with one come first. */
    private final BlockingDeque<Optional<Exclusive>> places =
            new LinkedBlockingDeque<>(Collections.nCopies(CONNECTIONS, Optional.empty()));

    /** Groups by server, so that an unreachable server delays calls to other servers as little as possible. */
    private final Map<String, GroupCommit<Call, Sent>> groups = new ConcurrentHashMap<>();

    private volatile boolean closed;

    AcknowledgedSender(RedisConnection link, RedisIdempotencyConfiguration configuration) {
        this.link = link;
        this.required = configuration.getReplicaAcknowledgements();
        this.timeout = configuration.getReplicaAcknowledgementTimeout();
        this.patience = timeout.plus(configuration.getCommandTimeout());
    }

    int required() {
        return required;
    }

    boolean held() {
        return places.isEmpty();
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
            List<StatefulRedisConnection<String, byte[]>> nodes = calls.stream()
                    .map(call -> place.node().apply(call.keys()[0], call.node()))
                    .toList();
            List<Future<List<?>>> replies = IntStream.range(0, calls.size())
                    .<Future<List<?>>>mapToObj(i -> calls.get(i).on(nodes.get(i).async()))
                    .toList();
            Map<StatefulRedisConnection<String, byte[]>, CompletableFuture<Long>> received =
                    nodes.stream().distinct().collect(Collectors.toMap(node -> node, this::received));
            CompletableFuture.allOf(received.values().toArray(CompletableFuture[]::new))
                    .whenComplete((all, failure) -> giveBack(place, failure == null));
            return IntStream.range(0, calls.size())
                    .mapToObj(i -> new Sent(calls.get(i), replies.get(i), received.get(nodes.get(i))))
                    .toList();
        } catch (RuntimeException | Error e) {
            giveBack(place, false);
            throw e;
        }
    }

    private CompletableFuture<Long> received(StatefulRedisConnection<String, byte[]> node) {
        CompletableFuture<Long> number =
                node.async().waitForReplication(required, timeout.toMillis()).toCompletableFuture();
        node.flushCommands();
        return number.orTimeout(patience.toMillis(), TimeUnit.MILLISECONDS);
    }

    private Exclusive take() {
        Optional<Exclusive> idle = inTime(nanos -> {
            Optional<Exclusive> place = places.poll(nanos, TimeUnit.NANOSECONDS);
            if (place == null) {
                throw new TimeoutException();
            }
            return place;
        });
        try {
            if (idle.isPresent() && idle.get().opened().isOpen()) {
                return idle.get();
            }
            idle.ifPresent(Exclusive::close); // it lost its server, and may not be connected again yet
            return link.exclusive();
        } catch (RuntimeException | Error e) {
            places.add(Optional.empty());
            throw e;
        }
    }

    /** Gives a connection back; closes one on which a command may still be under way. */
    private void giveBack(Exclusive place, boolean idle) {
        if (idle && !closed) {
            places.push(Optional.of(place));
        } else {
            place.close();
            places.add(Optional.empty());
        }
    }

    void close() {
        closed = true;
        places.forEach(place -> place.ifPresent(Exclusive::close));
    }
}
