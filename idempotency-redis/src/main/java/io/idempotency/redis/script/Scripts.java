package io.idempotency.redis.script;

import io.idempotency.redis.connection.Answers;
import io.idempotency.redis.connection.RedisConnection;
import io.idempotency.redis.script.Call.Sent;
import io.idempotency.runtime.store.RecordId;
import io.lettuce.core.RedisCommandExecutionException;
import io.lettuce.core.RedisCommandTimeoutException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Future;
import java.util.function.Supplier;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Runs scripts on records, and waits for their answers. Thread-safe. */
public final class Scripts implements AutoCloseable {

    private static final int ATTEMPTS = 5;

    private final RedisConnection link;
    private final Keys keys;
    private final Duration timeout;
    private final Runnable unanswered;
    private final @Nullable AcknowledgedSender acknowledged;

    /** How many microseconds the clock of each server is ahead of this JVM's monotonic clock, by its last answer. */
    private final Map<String, Long> clocks = new ConcurrentHashMap<>();

    /**
     * Runs scripts over the connection that all callers share.
     *
     * @param timeout how long a caller waits for one answer
     * @param unanswered called when an answer did not come in time
     */
    public Scripts(RedisConnection link, Keys keys, Replicas replicas, Duration timeout, Runnable unanswered) {
        this.link = link;
        this.keys = keys;
        this.timeout = timeout;
        this.unanswered = unanswered;
        this.acknowledged = replicas.number() == 0 ? null : new AcknowledgedSender(link, replicas, timeout);
    }

    /** How many replicas have to receive a change before it counts as made, and how long they have for it. */
    public record Replicas(int number, Duration timeout) {}

    /** Loads the scripts on all servers, and reads the servers' clocks. */
    public void prepare() {
        Stream.of(Script.values())
                .map(script -> link.commands().scriptLoad(script.source()))
                .toList()
                .forEach(this::await);
        readClocks();
    }

    public void readClocks() {
        link.masters().forEach((server, redis) -> {
            List<byte[]> time = await(redis.time());
            observe(server, number(time.get(0)) * 1_000_000 + number(time.get(1)));
        });
    }

    private static long number(byte[] digits) {
        return Long.parseLong(new String(digits, StandardCharsets.US_ASCII));
    }

    private void observe(String server, long serverMicros) {
        clocks.put(server, serverMicros - ownMicros());
    }

    private static long ownMicros() {
        return System.nanoTime() / 1000;
    }

    /** Returns a server's time in microseconds, early by the travel time of its last answer; 0 before the first. */
    private long micros(String server) {
        Long ahead = clocks.get(server);
        return ahead == null ? 0 : ownMicros() + ahead;
    }

    /** Returns a name for the server whose clock decides about a record. */
    public String serverOf(RecordId id) {
        return link.serverOf(keys.of(id));
    }

    /** Returns the time of the server that has a record, in milliseconds, and not later than it is. */
    public long millisAt(RecordId id) {
        return micros(serverOf(id)) / 1000;
    }

    /**
     * Returns the server's time, in microseconds, when the wait for a claim that is sent now ends, and not a later
     * time; an empty text while the server's clock is unknown.
     */
    public byte[] deadline(String server) {
        long now = micros(server);
        return PackedRecord.bytes(now == 0 ? "" : Long.toString(now + timeout.toNanos() / 1000));
    }

    /** Waits for the answer to a command. */
    public <T> T await(Future<T> answer) {
        try {
            return Answers.await(answer, timeout);
        } catch (RedisCommandTimeoutException e) {
            unanswered.run();
            throw e;
        }
    }

    /** Runs a script on one record, and waits for its answer. */
    public Reply run(Script script, RecordId id, byte[]... arguments) {
        return begin(script, List.of(id), List.<byte[][]>of(arguments)).get(0).get();
    }

    /** Sends a script for each record, and returns suppliers that wait for the answers. */
    public List<Supplier<Reply>> begin(Script script, List<RecordId> ids, List<byte[][]> arguments) {
        List<Call> calls = IntStream.range(0, ids.size())
                .mapToObj(i -> new Call(script, keys.of(script, ids.get(i)), arguments.get(i)))
                .toList();
        List<Sent> sent = send(script, calls);
        return IntStream.range(0, ids.size())
                .<Supplier<Reply>>mapToObj(i -> () -> reply(ids.get(i), calls.get(i), sent.get(i)))
                .toList();
    }

    /** Removes the records (the other keys) that are not open any more from an index (the first key). */
    public int sweep(List<String> keys) {
        Call call = new Call(Script.SWEEP, keys.toArray(String[]::new), new byte[0][]);
        Sent sent = executed(call, send(Script.SWEEP, List.of(call)).get(0));
        return ((Long) await(sent.reply()).get(0)).intValue();
    }

    /** Tells whether replicas have to receive what is written. */
    public boolean acknowledges() {
        return acknowledged != null;
    }

    /** Tells whether all connections wait for replicas, so that a call that may only read should read first. */
    public boolean held() {
        return acknowledged != null && acknowledged.held();
    }

    private List<Sent> send(Script script, List<Call> calls) {
        return acknowledged != null && script.writes()
                ? acknowledged.send(calls)
                : calls.stream()
                        .map(call -> new Sent(call.on(link.commands()), null))
                        .toList();
    }

    private Reply reply(RecordId id, Call call, Sent first) {
        Sent sent = executed(call, first);
        Reply reply = Reply.of(id, await(sent.reply()));
        observe(serverOf(id), reply.serverMicros());
        if (acknowledged != null
                && sent.received() != null
                && reply.needsReplicas()
                && await(sent.received()) < acknowledged.required()) {
            throw new IllegalStateException("Redis made the change to record " + id
                    + ", but not enough replicas acknowledged it in time"
                    + " (idempotency.redis.replica-acknowledgements), so a fail-over may undo it");
        }
        return reply;
    }

    /** Waits until a server has executed a call, which may have to be sent again in another form. */
    private Sent executed(Call first, Sent firstSent) {
        Call call = first;
        Sent sent = firstSent;
        for (int attempt = 1; ; attempt++) {
            try {
                await(sent.reply());
                return sent;
            } catch (RedisCommandExecutionException refusal) {
                Call next = attempt == ATTEMPTS ? null : call.after(refusal);
                if (next == null) {
                    throw refusal;
                }
                call = next;
                sent = send(call.script(), List.of(call)).get(0);
            }
        }
    }

    @Override
    public void close() {
        if (acknowledged != null) {
            acknowledged.close();
        }
    }
}
