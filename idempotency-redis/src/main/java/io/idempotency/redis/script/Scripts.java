package io.idempotency.redis.script;

import io.idempotency.redis.connection.Answers;
import io.idempotency.redis.connection.RedisConnection;
import io.idempotency.redis.script.Call.Sent;
import io.idempotency.runtime.store.RecordId;
import io.lettuce.core.RedisCommandExecutionException;
import io.lettuce.core.RedisCommandTimeoutException;
import io.lettuce.core.RedisNoScriptException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.Future;
import java.util.function.Supplier;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Runs scripts on records, and waits for what they answer. Thread-safe. */
public final class Scripts implements AutoCloseable {

    private static final int ATTEMPTS = 4;

    private final RedisConnection link;
    private final Keys keys;
    private final Duration timeout;
    private final Runnable unanswered;
    private final @Nullable AcknowledgedSender acknowledged;
    private final ServerClocks clocks = new ServerClocks();

    /**
     * Over a connection.
     *
     * @param link the connection that all callers share
     * @param keys names of keys
     * @param replicas those that have to receive what is written
     * @param timeout how long a caller waits for one answer
     * @param unanswered told when an answer did not come in time
     */
    public Scripts(RedisConnection link, Keys keys, Replicas replicas, Duration timeout, Runnable unanswered) {
        this.link = link;
        this.keys = keys;
        this.timeout = timeout;
        this.unanswered = unanswered;
        this.acknowledged = replicas.number() == 0
                ? null
                : new AcknowledgedSender(link, replicas.number(), replicas.timeout(), timeout);
    }

    /** How many replicas have to receive a change before it counts as made, and how long they have for it. */
    public record Replicas(int number, Duration timeout) {}

    /** Makes the scripts known to all servers, so that the first call needs no second attempt, and learns their time. */
    public void prepare() {
        Stream.of(Script.values())
                .map(script -> link.commands().scriptLoad(script.source()))
                .toList()
                .forEach(this::await);
        readClocks();
    }

    /** Asks all servers for their time. */
    public void readClocks() {
        link.masters().forEach((server, redis) -> clocks.observe(server, await(redis.time())));
    }

    /** A name for the server whose clock decides about a record. */
    public String serverOf(RecordId id) {
        return link.serverOf(keys.of(id));
    }

    /** The time of the server that has a record, in milliseconds; not later than it is. */
    public long millisAt(RecordId id) {
        return clocks.micros(serverOf(id)).orElse(0) / 1000;
    }

    /** The text of the server's time when a wait begun now will be over; empty when its clock is not known yet. */
    public byte[] deadline(String server) {
        return clocks.after(server, timeout);
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

    /** Names of keys. */
    public Keys keys() {
        return keys;
    }

    /** Runs a verb on one record. */
    public Reply run(Script script, RecordId id, byte[]... arguments) {
        return begin(script, List.of(id), List.<byte[][]>of(arguments)).get(0).get();
    }

    /** Sends a verb on each of some records, and gives what waits for the answers: so they are under way together. */
    public List<Supplier<Reply>> begin(Script script, List<RecordId> ids, List<byte[][]> arguments) {
        List<Call> calls = IntStream.range(0, ids.size())
                .mapToObj(i -> new Call(script, keys.of(script, ids.get(i)), arguments.get(i)))
                .toList();
        List<Sent> sent = acknowledged != null && calls.size() > 1
                ? acknowledged.send(calls)
                : calls.stream().map(this::send).toList();
        return IntStream.range(0, ids.size())
                .<Supplier<Reply>>mapToObj(i -> () -> reply(ids.get(i), calls.get(i), sent.get(i)))
                .toList();
    }

    /** Runs a script on keys of one slot. */
    public List<?> run(Script script, List<String> keys) {
        Call call = new Call(script, keys.toArray(String[]::new), new byte[0][]);
        return await(executed(call, send(call)).reply());
    }

    /** Whether replicas have to receive what is written. */
    public boolean acknowledges() {
        return acknowledged != null;
    }

    /** Whether replicas hold up what writes, so that a call that may only read had better look first. */
    public boolean held() {
        return acknowledged != null && acknowledged.held();
    }

    private Sent send(Call call) {
        return acknowledged != null && call.script().writes()
                ? acknowledged.send(call)
                : new Sent(call.byDigest(link.commands()), null);
    }

    /** Sends it once more that was refused without effect, for a reason that will not come again; null for others. */
    private @Nullable Sent again(Call call, RedisCommandExecutionException refused) {
        if (acknowledged != null && call.script().writes()) {
            return acknowledged.again(call, refused);
        }
        // after a restart or SCRIPT FLUSH
        return refused instanceof RedisNoScriptException ? new Sent(call.inFull(link.commands()), null) : null;
    }

    private Reply reply(RecordId id, Call call, Sent first) {
        Sent sent = executed(call, first);
        Reply reply = Reply.of(id, await(sent.reply()));
        clocks.observe(serverOf(id), reply.serverMicros());
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

    /** Waits until a server has executed it, to which it may be sent once more. */
    private Sent executed(Call call, Sent first) {
        Call asked = call;
        Sent sent = first;
        for (int attempt = 1; ; attempt++) {
            try {
                await(sent.reply());
                return sent;
            } catch (RedisCommandExecutionException refused) {
                if (moving(refused) && asked.keys().length == 2) {
                    asked = new Call(call.script(), new String[] {call.keys()[0]}, call.arguments());
                    sent = send(asked);
                    continue;
                }
                Sent next = attempt == ATTEMPTS ? null : again(asked, refused);
                if (next == null) {
                    throw refused;
                }
                sent = next;
            }
        }
    }

    /** While a slot moves, nothing is executed on several keys of which one is here and one is there, or is nowhere yet. */
    private static boolean moving(RedisCommandExecutionException refused) {
        return String.valueOf(refused.getMessage()).startsWith("TRYAGAIN");
    }

    @Override
    public void close() {
        if (acknowledged != null) {
            acknowledged.close();
        }
    }
}
