package io.idempotency.redis;

import io.idempotency.runtime.store.RecordId;
import io.idempotency.runtime.store.StoredRecord;
import io.lettuce.core.RedisCommandExecutionException;
import io.lettuce.core.RedisCommandTimeoutException;
import io.lettuce.core.RedisNoScriptException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Runs scripts on a record, one round trip each. Thread-safe. */
final class ScriptRunner {

    /** How many digits of an id its neighbours share, and how many follow. */
    static final int TAG = 2;

    private static final int REST = 62;
    private static final String AUDIT = ":audit";
    private static final Pattern RECORD = Pattern.compile("\\{([0-9a-f]{2})}([0-9a-f]{62})");

    private final RedisConnection link;
    private final Transport reading;
    private final Transport writing;
    private final String keyPrefix;
    private final Runnable unanswered;
    private final ServerClocks clocks = new ServerClocks();

    ScriptRunner(RedisConnection link, Transport writing, String keyPrefix, Runnable unanswered) {
        this.link = link;
        this.reading = new Transport.Direct(link);
        this.writing = writing;
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

    /** Runs a verb on one record. */
    CompletionStage<Reply> run(Script script, RecordId id, byte[]... arguments) {
        return run(id, new Transport.Call(script, keysOf(script, keyOf(id)), arguments, true));
    }

    /** Claims the record whose key is known already; patient or not, as {@link Transport.Call} says. */
    CompletionStage<Reply> claim(RecordId id, String key, boolean patient, byte[]... arguments) {
        return run(id, new Transport.Call(Script.CLAIM, keysOf(Script.CLAIM, key), arguments, patient));
    }

    private CompletionStage<Reply> run(RecordId id, Transport.Call call) {
        String key = call.keys()[0];
        String server = link.serverOf(key);
        CompletableFuture<Reply> reply = new CompletableFuture<>();
        send(call).whenComplete((answer, failure) -> {
            if (failure != null && call.keys().length == 2 && moving(failure)) {
                staged(() -> send(new Transport.Call(
                                call.script(), new String[] {key}, call.arguments(), call.patient())))
                        .whenComplete((again, refused) -> read(reply, call.script(), id, server, again, refused));
            } else {
                read(reply, call.script(), id, server, answer, failure);
            }
        });
        return reply;
    }

    /** The record as it is; empty when absent. */
    CompletionStage<Optional<StoredRecord>> find(RecordId id) {
        return run(Script.FIND, id).thenApply(reply -> Optional.ofNullable(reply.record()));
    }

    private void read(
            CompletableFuture<Reply> reply,
            Script script,
            RecordId id,
            String server,
            Transport.@Nullable Answer answer,
            @Nullable Throwable failure) {
        if (answer == null) {
            reply.completeExceptionally(cause(Objects.requireNonNull(failure)));
            return;
        }
        try {
            Reply read = Reply.of(id, answer.reply());
            clocks.observe(server, read.serverMicros());
            if (script.writes() && read.written() && !answer.acknowledged()) {
                throw new IllegalStateException("Redis made the change to record " + id
                        + ", but not enough replicas acknowledged it in time"
                        + " (idempotency.redis.replica-acknowledgements), so a fail-over may undo it");
            }
            reply.complete(read);
        } catch (Throwable e) { // an Error too: the caller waits
            reply.completeExceptionally(e);
        }
    }

    /** While a slot moves, nothing is executed on several keys of which one is here and one is there, or is nowhere yet. */
    static boolean moving(Throwable failure) {
        return cause(failure) instanceof RedisCommandExecutionException refused
                && String.valueOf(refused.getMessage()).startsWith("TRYAGAIN");
    }

    private String[] keysOf(Script script, String key) {
        return switch (script) {
            case FIND -> new String[] {key};
            case RESOLVE -> new String[] {key, indexBeside(key), key + AUDIT};
            default -> new String[] {key, indexBeside(key)};
        };
    }

    /** Runs a script on keys of one slot. */
    CompletionStage<Transport.Answer> send(Script script, String[] keys, byte[]... arguments) {
        return send(new Transport.Call(script, keys, arguments, true));
    }

    private CompletionStage<Transport.Answer> send(Transport.Call call) {
        Transport transport = call.script().writes() ? writing : reading;
        CompletableFuture<Transport.Answer> answer = new CompletableFuture<>();
        transport.byDigest(call).whenComplete((reply, failure) -> {
            if (failure != null && cause(failure) instanceof RedisNoScriptException) {
                // a restart or SCRIPT FLUSH; nothing was executed, so sending it again is safe
                staged(() -> transport.bySource(call)).whenComplete((again, refused) -> pass(answer, again, refused));
            } else {
                pass(answer, reply, failure);
            }
        });
        return answer;
    }

    private void pass(
            CompletableFuture<Transport.Answer> answer, Transport.@Nullable Answer reply, @Nullable Throwable failure) {
        if (reply != null) {
            answer.complete(reply);
            return;
        }
        Throwable cause = cause(Objects.requireNonNull(failure));
        try {
            if (cause instanceof RedisCommandTimeoutException) {
                unanswered.run();
            }
        } finally {
            answer.completeExceptionally(cause);
        }
    }

    /** The first digits of the id are what Redis Cluster makes the slot of: records of one index are neighbours. */
    String keyOf(RecordId id) {
        String digits = id.value();
        return keyPrefix + '{' + digits.substring(0, TAG) + '}' + digits.substring(TAG);
    }

    /** The index of all records whose ids begin with these digits. */
    String indexOf(String tag) {
        return keyPrefix + '{' + tag + "}open";
    }

    String indexBeside(String key) {
        return key.substring(0, key.length() - REST) + "open";
    }

    String auditOf(RecordId id) {
        return keyOf(id) + AUDIT;
    }

    /** Empty for a key that begins like a record's, but is none. */
    Optional<RecordId> idOf(String key) {
        Matcher record = RECORD.matcher(key.substring(keyPrefix.length()));
        return record.matches() ? Optional.of(new RecordId(record.group(1) + record.group(2))) : Optional.empty();
    }

    /** The text of the server's time when a wait begun now will be over; empty when its clock is not known yet. */
    byte[] afterWaiting(String server, long waitMicros) {
        Long micros = clocks.afterWaiting(server, waitMicros);
        return micros == null ? new byte[0] : PackedRecord.bytes(micros.toString());
    }

    /** A name for the server whose clock decides about a key. */
    String serverOf(String key) {
        return link.serverOf(key);
    }

    /** What the server's clock shows at least; null where its last answer is so old that clocks may have drifted apart. */
    @Nullable
    Long millisOf(String server) {
        return clocks.millis(server);
    }

    /** What an attempt throws, an Error too, fails the stage: in the driver's threads nobody else would hear of it. */
    static <T> CompletionStage<T> staged(Supplier<CompletionStage<T>> attempt) {
        try {
            return attempt.get();
        } catch (Throwable e) {
            return CompletableFuture.failedFuture(e);
        }
    }

    static Throwable cause(Throwable failure) {
        return failure instanceof CompletionException && failure.getCause() != null ? failure.getCause() : failure;
    }

    /**
     * What the servers' clocks show at least, read off their answers, so that a claim can carry the time after which
     * nobody waits for it. Thread-safe.
     */
    private static final class ServerClocks {

        private static final long YOUNG_MICROS = TimeUnit.MINUTES.toMicros(1);

        private final Map<String, Sample> samples = new ConcurrentHashMap<>();

        /** An answer left a server at its own time, and had arrived by ours. */
        private record Sample(long serverMicros, long arrivedNanos) {

            long ageMicros() {
                return TimeUnit.NANOSECONDS.toMicros(System.nanoTime() - arrivedNanos);
            }
        }

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
            return last == null ? null : last.serverMicros + last.ageMicros() + waitMicros;
        }

        @Nullable
        Long millis(String server) {
            Sample last = samples.get(server);
            return last == null || last.ageMicros() > YOUNG_MICROS
                    ? null
                    : (last.serverMicros + last.ageMicros()) / 1000;
        }
    }
}
