package io.idempotency.redis.script;

import io.idempotency.redis.connection.Answers;
import io.idempotency.redis.connection.RedisConnection;
import io.idempotency.runtime.store.RecordId;
import io.lettuce.core.RedisCommandExecutionException;
import io.lettuce.core.RedisCommandTimeoutException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Future;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Runs scripts on records, and waits for what they answer. Thread-safe. */
public final class Scripts implements AutoCloseable {

    private static final int ATTEMPTS = 4;

    private final RedisConnection link;
    private final Keys keys;
    private final Duration timeout;
    private final Runnable unanswered;
    private final Sender reading;
    private final @Nullable AcknowledgedSender acknowledged;
    private final Batches batches;
    private final ServerClocks clocks = new ServerClocks();

    /**
     * Over a connection.
     *
     * @param link the connection that all callers share
     * @param keys names of keys
     * @param replicas those that have to receive what is written
     * @param timeout how long a caller waits for one answer
     * @param width how many scripts of a kind are under way before callers share them; negative where they never do
     * @param unanswered told when an answer did not come in time
     */
    public Scripts(
            RedisConnection link, Keys keys, Replicas replicas, Duration timeout, int width, Runnable unanswered) {
        this.link = link;
        this.keys = keys;
        this.timeout = timeout;
        this.unanswered = unanswered;
        this.reading = new Sender.Direct(link);
        this.acknowledged = replicas.number() == 0
                ? null
                : new AcknowledgedSender(link, replicas.number(), replicas.timeout(), timeout);
        this.batches = new Batches(this::answer, link.together() ? width : -1, timeout);
    }

    /** How many replicas have to receive a change before it counts as made, and how long they have for it. */
    public record Replicas(int number, Duration timeout) {}

    /** What came back, and how many replicas have what was written, null where none has to. */
    record Answer(List<?> reply, @Nullable Future<Long> received) {}

    /** Makes the scripts known to all servers, so that the first call needs no second attempt, and learns their time. */
    public void prepare() {
        Stream.of(Script.values())
                .map(script -> link.commands().scriptLoad(script.source()))
                .toList()
                .forEach(this::await);
        link.masters().forEach((server, redis) -> clocks.observe(server, micros(await(redis.time()))));
    }

    private static long micros(List<byte[]> time) {
        return 1_000_000 * Long.parseLong(new String(time.get(0), StandardCharsets.US_ASCII))
                + Long.parseLong(new String(time.get(1), StandardCharsets.US_ASCII));
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
        Sender.Call call = new Sender.Call(script, keys.of(script, id), arguments);
        return reply(id, call, () -> batches.answer(call));
    }

    /** Sends a verb on one record at once, so that several are under way together, and gives what waits for its answer. */
    public Supplier<Reply> begin(Script script, RecordId id, byte[]... arguments) {
        Sender.Call call = new Sender.Call(script, keys.of(script, id), arguments);
        Supplier<Answer> answer = sent(call);
        return () -> reply(id, call, answer);
    }

    /** Sends a script on keys of one slot at once, and gives what waits for its answer. */
    public Supplier<List<?>> begin(Script script, List<String> keys, byte[]... arguments) {
        Supplier<Answer> answer = sent(new Sender.Call(script, keys.toArray(String[]::new), arguments));
        return () -> answer.get().reply();
    }

    /** Whether replicas hold up what writes, so that a call that may only read had better look first. */
    public boolean held() {
        return acknowledged != null && acknowledged.held();
    }

    /** The text of the server's time when a wait begun now will be over; empty when its clock is not known yet. */
    public byte[] deadline(String server) {
        return clocks.after(server, timeout.toNanos() / 1000);
    }

    private Reply reply(RecordId id, Sender.Call call, Supplier<Answer> asked) {
        String server = link.serverOf(call.keys()[0]);
        Answer answer;
        try {
            answer = asked.get();
        } catch (RedisCommandExecutionException e) {
            if (call.keys().length != 2 || !moving(e)) {
                throw e;
            }
            answer = answer(new Sender.Call(call.script(), new String[] {call.keys()[0]}, call.arguments()));
        }
        Reply reply = Reply.of(id, answer.reply());
        clocks.observe(server, reply.serverMicros());
        if (acknowledged != null
                && answer.received() != null
                && reply.written()
                && await(answer.received()) < acknowledged.required()) {
            throw new IllegalStateException("Redis made the change to record " + id
                    + ", but not enough replicas acknowledged it in time"
                    + " (idempotency.redis.replica-acknowledgements), so a fail-over may undo it");
        }
        return reply;
    }

    /** While a slot moves, nothing is executed on several keys of which one is here and one is there, or is nowhere yet. */
    public static boolean moving(RedisCommandExecutionException refused) {
        return String.valueOf(refused.getMessage()).startsWith("TRYAGAIN");
    }

    private Answer answer(Sender.Call call) {
        return sent(call).get();
    }

    private Supplier<Answer> sent(Sender.Call call) {
        Sender sender = acknowledged != null && call.script().writes() ? acknowledged : reading;
        Sender.Sent first = sender.send(call);
        return () -> {
            Sender.Sent sent = first;
            for (int attempt = 1; ; attempt++) {
                try {
                    return new Answer(await(sent.reply()), sent.received());
                } catch (RedisCommandExecutionException refused) {
                    Optional<Sender.Sent> next = attempt == ATTEMPTS ? Optional.empty() : sender.again(call, refused);
                    sent = next.orElseThrow(() -> refused);
                }
            }
        };
    }

    @Override
    public void close() {
        if (acknowledged != null) {
            acknowledged.close();
        }
    }
}
