package io.idempotency.redis;

import io.idempotency.runtime.store.RecordId;
import io.lettuce.core.RedisCommandTimeoutException;
import io.lettuce.core.RedisNoScriptException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Runs scripts on a record, one round trip each. Thread-safe. */
final class ScriptRunner {

    private final RedisConnection link;
    private final Transport transport;
    private final String keyPrefix;
    private final Runnable unanswered;
    private final ServerClocks clocks = new ServerClocks();

    ScriptRunner(RedisConnection link, Transport transport, String keyPrefix, Runnable unanswered) {
        this.link = link;
        this.transport = transport;
        this.keyPrefix = keyPrefix;
        this.unanswered = unanswered;
    }

    /** Makes the scripts known to all servers, so that the first call needs no second attempt, and learns their time. */
    CompletionStage<Void> prepare() {
        Stream<CompletableFuture<?>> loading = Stream.of(Script.values())
                .map(script -> link.commands().scriptLoad(script.source()).toCompletableFuture());
        CompletionStage<Void> clocksKnown = link.masters()
                .thenCompose(masters -> all(masters.entrySet().stream()
                        .map(master -> master.getValue()
                                .time()
                                .thenAccept(time -> clocks.observe(master.getKey(), micros(time)))
                                .toCompletableFuture())));
        return all(loading).thenCombine(clocksKnown, (loaded, known) -> loaded);
    }

    private static CompletableFuture<Void> all(Stream<CompletableFuture<?>> stages) {
        return CompletableFuture.allOf(stages.toArray(CompletableFuture[]::new));
    }

    private static long micros(List<byte[]> time) {
        return 1_000_000 * Long.parseLong(new String(time.get(0), StandardCharsets.US_ASCII))
                + Long.parseLong(new String(time.get(1), StandardCharsets.US_ASCII));
    }

    CompletionStage<Reply> run(Script script, RecordId id, List<byte[]> arguments) {
        String key = keyPrefix + id.value();
        byte[][] values = arguments.toArray(byte[][]::new);
        String server = link.serverOf(key);
        return transport
                .byDigest(script, key, values)
                .exceptionallyCompose(failure -> cause(failure) instanceof RedisNoScriptException
                        // a restart or SCRIPT FLUSH; nothing was executed, so sending it again is safe
                        ? transport.bySource(script, key, values)
                        : CompletableFuture.failedFuture(failure))
                .whenComplete((answer, failure) -> {
                    if (failure != null && cause(failure) instanceof RedisCommandTimeoutException) {
                        unanswered.run();
                    }
                })
                .thenApply(answer -> {
                    Reply reply = Reply.of(id, answer.reply());
                    clocks.observe(server, reply.serverMicros());
                    if (reply.verdict().written() && !answer.acknowledged()) {
                        throw new IllegalStateException("Redis made the change to record " + id
                                + ", but not enough replicas acknowledged it in time"
                                + " (idempotency.redis.replica-acknowledgements), so a fail-over may undo it");
                    }
                    return reply;
                });
    }

    /** The text of the server's time when a wait begun now will be over; empty when its clock is not known yet. */
    byte[] afterWaiting(RecordId id, long waitMicros) {
        Long micros = clocks.afterWaiting(serverOf(id), waitMicros);
        return micros == null ? new byte[0] : RecordFields.bytes(micros.toString());
    }

    String serverOf(RecordId id) {
        return link.serverOf(keyPrefix + id.value());
    }

    static Throwable cause(Throwable failure) {
        return failure instanceof CompletionException && failure.getCause() != null ? failure.getCause() : failure;
    }

    /**
     * What the servers' clocks show at least, read off their answers, so that a claim can carry the time after which
     * nobody waits for it. Thread-safe.
     */
    private static final class ServerClocks {

        private final Map<String, Sample> samples = new ConcurrentHashMap<>();

        /** An answer left a server at its own time, and had arrived by ours. */
        private record Sample(long serverMicros, long arrivedNanos) {}

        void observe(String server, long serverMicros) {
            samples.put(server, new Sample(serverMicros, System.nanoTime()));
        }

        /**
         * The server's time when the given wait, begun now, will be over; never too late, early by the last answer's way.
         *
         * @return microseconds since 1970, null before the server's first answer
         */
        @Nullable
        Long afterWaiting(String server, long waitMicros) {
            Sample last = samples.get(server);
            if (last == null) {
                return null;
            }
            return last.serverMicros
                    + TimeUnit.NANOSECONDS.toMicros(System.nanoTime() - last.arrivedNanos)
                    + waitMicros;
        }
    }
}
