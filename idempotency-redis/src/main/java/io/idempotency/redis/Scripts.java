package io.idempotency.redis;

import io.idempotency.redis.Call.Sent;
import io.idempotency.runtime.store.RecordId;
import io.idempotency.runtime.store.Settled;
import io.lettuce.core.RedisCommandExecutionException;
import io.lettuce.core.RedisCommandTimeoutException;
import io.lettuce.core.RedisException;
import java.nio.charset.StandardCharsets;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CancellationException;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Future;
import java.util.stream.Stream;

/** Runs scripts on records, and waits for their answers. Thread-safe. */
final class Scripts {

    private static final int ATTEMPTS = 5;

    private final RedisConnection<?> link;
    private final Keys keys;
    final AcknowledgedSender acknowledged;

    /** How many microseconds the clock of each server is ahead of this JVM's monotonic clock, by its last answer. */
    private final Map<String, Long> clocks = new ConcurrentHashMap<>();

    Scripts(RedisConnection<?> link, Keys keys, RedisIdempotencyConfiguration configuration) {
        this.link = link;
        this.keys = keys;
        this.acknowledged = new AcknowledgedSender(link, configuration);
    }

    /** Loads the scripts on the servers that hold records, and reads the servers' clocks. */
    void prepare() {
        link.masters().values().stream()
                .map(RedisConnection.Master::commands)
                .flatMap(server -> Stream.of(Script.values()).map(script -> server.scriptLoad(script.source)))
                .toList()
                .forEach(this::await);
        if (acknowledged.required > 0) { // where a server refuses WAIT, each claim looks as if replicas were slow
            link.masters().values().forEach(master -> await(master.commands().waitForReplication(0, 1)));
        }
        readClocks();
    }

    void readClocks() {
        link.masters().forEach((server, redis) -> {
            List<byte[]> time = await(redis.commands().time());
            observe(server, number(time.get(0)) * 1_000_000 + number(time.get(1)));
        });
    }

    private static long number(byte[] digits) {
        return Long.parseLong(new String(digits, StandardCharsets.US_ASCII));
    }

    private void observe(String server, long serverMicros) {
        clocks.put(server, serverMicros - System.nanoTime() / 1000);
    }

    /** Returns a server's time in microseconds, early by the travel time of its last answer; 0 before the first. */
    private long micros(String server) {
        Long ahead = clocks.get(server);
        return ahead == null ? 0 : System.nanoTime() / 1000 + ahead;
    }

    String serverOf(RecordId id) {
        return link.serverOf(keys.of(id));
    }

    /** Returns the time of the server that has a record, in milliseconds, and not later than it is. */
    long millisAt(RecordId id) {
        return micros(serverOf(id)) / 1000;
    }

    /** Returns the server's time in microseconds when the wait for a claim ends, not later; empty while unknown. */
    byte[] deadline(String server) {
        long now = micros(server);
        return PackedRecord.bytes(now == 0 ? "" : Long.toString(now + link.patience.toNanos() / 1000));
    }

    /** Waits for the answer to a command; tells the connections when it does not come in time. */
    <T> T await(Future<T> answer) {
        try {
            return link.await(answer);
        } catch (RedisCommandTimeoutException e) {
            link.unanswered();
            throw e;
        }
    }

    Call call(Script script, RecordId id, byte[]... arguments) {
        return new Call(script, id, keys.of(script, id), arguments, false, null, false);
    }

    Reply run(Script script, RecordId id, byte[]... arguments) {
        return reply(send(call(script, id, arguments)), 1);
    }

    /** Sends all calls of a script before it waits for the first answer, and for all answers no longer than for one. */
    List<Settled> runAll(List<Call> calls) {
        Map<byte[][], Settled> answers = new IdentityHashMap<>();
        List<Call> left = calls;
        // those that are refused together, too: after a fail-over all are, and each WAIT takes time
        for (int attempt = 1; attempt <= ATTEMPTS && !left.isEmpty(); attempt++) {
            List<Sent> sent = needsReplicas(left.get(0))
                    ? acknowledged.send(left)
                    : left.stream().map(this::send).toList();
            long deadline = System.nanoTime() + link.patience.toNanos();
            sent.forEach(each -> answers.put(each.call().arguments(), settled(each, deadline)));
            left = left.stream()
                    .flatMap(call -> answers.get(call.arguments()) instanceof Settled.Unanswered refused
                            ? Stream.ofNullable(call.after(refused.failure()))
                            : Stream.empty())
                    .toList();
        }
        return calls.stream().map(call -> answers.get(call.arguments())).toList();
    }

    private Settled settled(Sent sent, long deadline) {
        try {
            return sent.reply().isDone() || System.nanoTime() - deadline < 0
                    ? reply(sent, ATTEMPTS).settled()
                    : new Settled.Unanswered(link.late());
        } catch (RuntimeException e) {
            return new Settled.Unanswered(e);
        }
    }

    private boolean needsReplicas(Call call) {
        return acknowledged.required > 0 && call.script().needsReplicas();
    }

    private Sent send(Call call) {
        return needsReplicas(call) ? acknowledged.send(call) : new Sent(call, call.on(link.commands()), null);
    }

    /** Waits until a server has executed a call, which may have to be sent again in another form. */
    private Reply reply(Sent sent, int attempt) {
        List<?> answer;
        try {
            answer = await(sent.reply());
        } catch (RedisCommandExecutionException refusal) {
            if (String.valueOf(refusal.getMessage()).contains("READONLY ")) {
                link.unanswered(); // a master that has become a replica keeps its connections
            }
            Call next = attempt == ATTEMPTS ? null : sent.call().after(refusal);
            if (next == null) {
                throw refusal;
            }
            return reply(send(next), attempt + 1);
        }
        RecordId id = sent.call().id();
        Reply reply = Reply.of(id, answer);
        observe(serverOf(id), reply.serverMicros());
        if (sent.received() != null && reply.needsReplicas()) {
            requireReceived(id, sent.received());
        }
        return reply;
    }

    private void requireReceived(RecordId id, Future<Long> replicas) {
        RuntimeException why = null;
        try {
            if (await(replicas) >= acknowledged.required) {
                return;
            }
        } catch (RedisException | CancellationException e) {
            why = e; // the script was answered, and WAIT refused or the server lost since, maybe for a caller before
        }
        throw new IllegalStateException(
                "Redis made the change to record " + id + ", but not enough replicas acknowledged it in time"
                        + " (idempotency.redis.replica-acknowledgements), so a fail-over may undo it",
                why);
    }
}
