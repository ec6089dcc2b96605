package io.idempotency.redis;

import static java.util.Objects.requireNonNull;

import io.idempotency.redis.connection.Answers;
import io.idempotency.redis.connection.RedisConnection;
import io.idempotency.runtime.store.RecordId;
import io.idempotency.runtime.store.RecordsMayBeMissing;
import io.lettuce.core.RedisCommandExecutionException;
import io.lettuce.core.RedisCommandTimeoutException;
import io.lettuce.core.cluster.api.async.RedisClusterAsyncCommands;
import io.micronaut.context.exceptions.ConfigurationException;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Compares the durability of Redis with the required one: at start-up, after every reconnect and topology change, and
 * at intervals, on the store's background thread. Every claim names the Redis process that was asked, and another
 * process refuses it, so a fail-over cannot overtake the check. Asks all masters and, where a durability is required,
 * the replicas that may take their place. Thread-safe.
 */
final class DurabilityCheck {

    private static final Logger LOG = LoggerFactory.getLogger(RedisIdempotencyStore.class);

    /** The proof that no process accepts: a new claim is refused, an existing record is found. */
    private static final String NONE = "-";

    /** A refused claim does not ask again while the last answer is younger. */
    private static final Duration YOUNG = Duration.ofSeconds(1);

    private final RedisConnection link;
    private final RedisIdempotencyConfiguration configuration;
    private final @Nullable DurabilityLevel assumed;
    private final boolean required;
    private final ScheduledExecutorService background;
    private final Consumer<RecordsMayBeMissing> alarm;

    /** The last answer of each replica. A replica that hangs cannot take a master's place, and must not stop claims. */
    private final Map<String, AskedServer> replicas = new ConcurrentHashMap<>();

    private volatile @Nullable Known known;
    private volatile @Nullable RecordsMayBeMissing missing;
    private @Nullable CompletableFuture<Void> next;

    private record Known(RedisDurability durability, Instant askedAt, long sinceNanos) {}

    DurabilityCheck(
            RedisConnection link,
            RedisIdempotencyConfiguration configuration,
            ScheduledExecutorService background,
            Consumer<RecordsMayBeMissing> alarm) {
        this.link = link;
        this.configuration = configuration;
        this.assumed = configuration.getAssumeDurability().orElse(null);
        this.required = configuration.getRequiredDurability().orElse(DurabilityLevel.NONE) != DurabilityLevel.NONE;
        this.background = background;
        this.alarm = alarm;
    }

    /** Throws when Redis is less durable than required, and watches it from now on. Called before any claim. */
    void start() {
        known = askNow();
        RedisDurability found = durability();
        if (!found.met()) {
            throw new ConfigurationException(found.problem("The application does not start."));
        }
        found.warnings().forEach(LOG::warn);
        LOG.info(
                "Idempotency records are in Redis, durability {} ({})",
                found.actual().setting(),
                found.found());
        link.onReconnect(this::look);
        long millis = configuration.getDurabilityCheckInterval().toMillis();
        background.scheduleWithFixedDelay(this::look, millis, millis, TimeUnit.MILLISECONDS);
    }

    private Known askNow() {
        Instant askedAt = Clock.systemUTC().instant();
        return new Known(ask(), askedAt, System.nanoTime());
    }

    private Known known() {
        return requireNonNull(known);
    }

    private RedisDurability durability() {
        return known().durability();
    }

    /** Returns the run id of the Redis process that may execute a claim; empty for any process. */
    String proof(String server) {
        if (!required) {
            return "";
        }
        RedisDurability last = durability();
        return last.servers().stream()
                .filter(master -> master.name().equals(server) && last.durable())
                .map(AskedServer::runId)
                .findFirst()
                .orElse(NONE);
    }

    /** Returns the proof after a Redis process has refused a claim, and asks that process if it was not asked yet. */
    String prove(String runId) {
        RedisDurability last = durability();
        boolean young = System.nanoTime() - known().sinceNanos() < YOUNG.toNanos();
        if (!last.hasAsked(runId) || !last.durable() && !young) {
            try {
                // a copy: a caller that gives up must not cancel the answer for the other callers
                Answers.await(look().copy(), configuration.getCommandTimeout());
            } catch (RedisCommandTimeoutException e) {
                LOG.debug("Redis did not say in time how durable it is", e);
            }
        }
        RedisDurability asked = durability();
        return asked.durable() && asked.hasAsked(runId) ? runId : NONE;
    }

    IllegalStateException refusal(RecordId id) {
        RedisDurability last = durability();
        String why = !last.durable()
                ? last.problem(askedAgain())
                : "a Redis process answers that was not asked for its durability yet (a fail-over or a restart), and did"
                        + " not say in time. Repeat the call; it works as soon as the process has answered.";
        return new IllegalStateException("Record " + id + " was not claimed and the body did not run: " + why);
    }

    private String askedAgain() {
        return "New claims are refused, what finishes work passes. Redis is asked again after every reconnect and every "
                + configuration.getDurabilityCheckInterval() + ".";
    }

    /** Asks in the background. Callers that come before the asking begins share its answer. */
    private synchronized CompletableFuture<Void> look() {
        next = next == null ? CompletableFuture.runAsync(this::askAgain, background) : next;
        return next;
    }

    private void askAgain() {
        synchronized (this) {
            next = null;
        }
        try {
            learn(askNow());
        } catch (RuntimeException e) {
            LOG.debug("Redis could not be asked again for its durability; what it said last counts", e);
        }
    }

    /** Returns the last report of a server that may lack records that it had acknowledged; null without one. */
    @Nullable
    RecordsMayBeMissing missing() {
        return missing;
    }

    private void learn(Known found) {
        Known before = known();
        known = found;
        tell(before.durability(), found.durability());
        String lost = found.durability().servers().stream()
                .flatMap(server -> server.lostSince(before.durability().servers()).stream())
                .collect(Collectors.joining("; "));
        if (!lost.isEmpty()) {
            RecordsMayBeMissing broken = new RecordsMayBeMissing(
                    "redis", before.askedAt(), Clock.systemUTC().instant(), lost);
            missing = broken;
            LOG.error(
                    "Redis may have lost idempotency records: {}. Their operations run again when they are called"
                            + " again. Compare what they did in that time with your other books. To prevent it,"
                            + " require idempotency.redis.replica-acknowledgements and"
                            + " idempotency.redis.required-durability: always.",
                    broken);
            broken.publish(alarm);
        }
    }

    private void tell(RedisDurability before, RedisDurability found) {
        if (before.durable() && !found.durable()) {
            LOG.error(found.problem(askedAgain()));
        } else if (!before.durable() && found.durable()) {
            LOG.info("Redis is as durable as required again, claims are taken ({})", found.found());
        } else if (found.durable() && before.actual() != found.actual()) {
            LOG.warn(
                    "The durability of Redis went from {} to {} ({})",
                    before.actual().setting(),
                    found.actual().setting(),
                    found.found());
        }
    }

    /** Asks all servers now, without comparing the answers with earlier ones. */
    RedisDurability ask() {
        List<CompletableFuture<AskedServer>> asked = link.masters().entrySet().stream()
                .sorted(Map.Entry.comparingByKey())
                .map(master -> ask(master.getKey(), master.getValue()))
                .toList();
        List<AskedServer> masters = asked.stream()
                .map(answer -> Answers.await(answer, configuration.getCommandTimeout()))
                .toList();
        return new RedisDurability(configuration, masters, required ? replicasOf(masters) : List.of());
    }

    private List<AskedServer> replicasOf(List<AskedServer> masters) {
        List<AskedServer> listed =
                masters.stream().flatMap(AskedServer::listedReplicas).map(this::replica).toList().stream()
                        .map(CompletableFuture::join)
                        .toList();
        replicas.keySet().retainAll(listed.stream().map(AskedServer::name).toList());
        return listed.stream().filter(AskedServer::mayBeMaster).toList();
    }

    private CompletableFuture<AskedServer> replica(Map<String, String> listed) {
        String host = String.valueOf(listed.get("ip"));
        int port = Integer.parseInt(listed.getOrDefault("port", "0"));
        String name = host + ":" + port;
        return CompletableFuture.completedFuture(name)
                .thenCompose(now -> link.asking(host, port, server -> ask(name, server)))
                .orTimeout(configuration.getCommandTimeout().toMillis(), TimeUnit.MILLISECONDS)
                .thenApply(answer -> {
                    replicas.put(name, answer);
                    return answer;
                })
                .exceptionally(
                        failure -> replicas.getOrDefault(name, AskedServer.unreachable(name, assumed, cause(failure))));
    }

    private static Throwable cause(Throwable failure) {
        return failure instanceof CompletionException && failure.getCause() != null ? failure.getCause() : failure;
    }

    private CompletableFuture<AskedServer> ask(String name, RedisClusterAsyncCommands<String, byte[]> server) {
        CompletionStage<Map<String, String>> config = server.configGet("*append*")
                .thenCombine(server.configGet("save"), (appending, saving) -> {
                    Map<String, String> all = new HashMap<>(appending);
                    all.putAll(saving);
                    return all;
                });
        return permitted(server.info().thenApply(info -> AskedServer.pairs(info.lines(), ":")))
                .thenCombine(
                        permitted(config),
                        (info, settings) -> new AskedServer(name, info == null ? Map.of() : info, settings, assumed))
                .toCompletableFuture();
    }

    /** Returns null where the server does not permit a command, as managed servers do; other failures stay failures. */
    private static CompletionStage<@Nullable Map<String, String>> permitted(
            CompletionStage<Map<String, String>> answer) {
        return answer.<@Nullable Map<String, String>>thenApply(found -> found).exceptionally(failure -> {
            if (cause(failure) instanceof RedisCommandExecutionException) {
                return null;
            }
            throw new CompletionException(cause(failure));
        });
    }
}
