package io.idempotency.redis;

import io.idempotency.redis.Call.Sent;
import io.idempotency.redis.RedisConnection.Exclusive;
import io.idempotency.runtime.group.GroupCommit;
import io.lettuce.core.RedisCommandTimeoutException;
import io.lettuce.core.api.StatefulRedisConnection;
import java.time.Duration;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Objects;
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

    private final RedisConnection<?> link;
    final int required;
    private final Duration timeout;
    private final Duration patience;

    /** The places for connections, each with the connection that is idle there; those with one come first. */
    private final BlockingDeque<Optional<Exclusive>> places =
            new LinkedBlockingDeque<>(Collections.nCopies(CONNECTIONS, Optional.empty()));

    /** Groups by server, so that an unreachable server delays calls to other servers as little as possible. */
    private final Map<String, GroupCommit<Call, Sent>> groups = new ConcurrentHashMap<>();

    AcknowledgedSender(RedisConnection<?> link, RedisIdempotencyConfiguration configuration) {
        this.link = link;
        this.required = configuration.getReplicaAcknowledgements();
        this.timeout = configuration.getReplicaAcknowledgementTimeout();
        this.patience = timeout.plus(configuration.getCommandTimeout());
    }

    /** Tells whether all connections wait for replicas, so that a call that may only read should read first. */
    boolean held() {
        return places.isEmpty();
    }

    /** Sends calls in any order, each server's before one WAIT. */
    List<Sent> send(List<Call> calls) {
        return calls.stream().collect(Collectors.groupingBy(this::server)).values().stream()
                .flatMap(same -> sentOrFailed(same).stream())
                .toList();
    }

    /** Sends a call together with those of other waiting callers. */
    Sent send(Call call) {
        GroupCommit<Call, Sent> group = groups.computeIfAbsent(server(call), name -> new GroupCommit<>(1, 1, this));
        return inTime(nanos -> Objects.requireNonNull(group.ask(call, nanos)));
    }

    private String server(Call call) {
        return call.node() == null ? link.serverOf(call.keys()[0]) : call.node();
    }

    /** A server that is away fails its own calls only: the others renew leases, too. */
    private List<Sent> sentOrFailed(List<Call> calls) {
        try {
            return sent(calls);
        } catch (RuntimeException e) {
            return calls.stream()
                    .map(call -> new Sent(call, CompletableFuture.failedFuture(e), null))
                    .toList();
        }
    }

    private <T> T inTime(RedisConnection.Wait<T> wait) {
        try {
            return RedisConnection.uninterrupted(patience, wait);
        } catch (TimeoutException e) {
            throw new RedisCommandTimeoutException("Redis was not asked: no connection was free or made in " + patience
                    + ". All " + CONNECTIONS + " wait for replicas (idempotency.redis.replica-acknowledgements), or"
                    + " the server cannot be reached");
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

    /** Sends calls to the server of the first. */
    private List<Sent> sent(List<Call> calls) {
        Call first = calls.get(0);
        Exclusive place = take();
        try {
            StatefulRedisConnection<String, byte[]> node = place.node().apply(first.keys()[0], first.node());
            List<Future<List<?>>> replies = calls.stream()
                    .<Future<List<?>>>map(call -> call.on(node.async()))
                    .toList();
            CompletableFuture<Long> received = node.async()
                    .waitForReplication(required, timeout.toMillis())
                    .toCompletableFuture();
            node.flushCommands();
            received.orTimeout(patience.toMillis(), TimeUnit.MILLISECONDS)
                    .whenComplete((number, failure) -> giveBack(place, failure == null));
            return IntStream.range(0, calls.size())
                    .mapToObj(i -> new Sent(calls.get(i), replies.get(i), received))
                    .toList();
        } catch (RuntimeException | Error e) {
            giveBack(place, false);
            throw e;
        }
    }

    private Exclusive take() {
        Optional<Exclusive> idle = inTime(nanos ->
                Optional.ofNullable(places.poll(nanos, TimeUnit.NANOSECONDS)).orElseThrow(TimeoutException::new));
        try {
            // not one that is being connected again, nor one that is as old as another that fell silent
            if (idle.filter(it -> it.opened().isOpen() && it.silences() == link.silences)
                    .isPresent()) {
                return idle.get();
            }
            idle.ifPresent(lost -> lost.opened().closeAsync());
            Exclusive made = link.exclusive();
            made.opened().setAutoFlushCommands(false); // what is sent together goes together
            return made;
        } catch (RuntimeException | Error e) {
            places.add(Optional.empty());
            throw e;
        }
    }

    /** Gives a connection back; closes one on which a command may still be under way. */
    private void giveBack(Exclusive place, boolean idle) {
        if (idle) {
            places.push(Optional.of(place));
        } else {
            place.opened().closeAsync();
            places.add(Optional.empty());
        }
    }
}
