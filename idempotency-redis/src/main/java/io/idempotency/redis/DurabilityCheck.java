package io.idempotency.redis;

import io.idempotency.runtime.store.IdempotencyStore.ClaimsRefusedException;
import io.idempotency.runtime.store.RecordId;
import io.idempotency.runtime.store.RecordsMayBeMissing;
import io.lettuce.core.RedisBusyException;
import io.lettuce.core.RedisCommandExecutionException;
import io.lettuce.core.RedisCommandTimeoutException;
import io.lettuce.core.RedisLoadingException;
import io.lettuce.core.cluster.api.async.RedisClusterAsyncCommands;
import io.micronaut.context.exceptions.ConfigurationException;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Future;
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
 * process refuses it, so a fail-over cannot overtake the check. Asks replicas where a level is required. Thread-safe.
 */
final class DurabilityCheck {

    private static final Logger LOG = LoggerFactory.getLogger(RedisIdempotencyStore.class);

    /** The proof that no process accepts: a new claim is refused, an existing record is found. */
    private static final String NONE = "-";

    /** A refused claim does not ask again while the last answer is younger. */
    private static final Duration YOUNG = Duration.ofSeconds(1);

    private final RedisConnection<?> link;
    private final RedisIdempotencyConfiguration configuration;
    private final DurabilityLevel required;
    private final ScheduledExecutorService background;
    private final Consumer<RecordsMayBeMissing> alarm;

    private volatile RedisDurability known;

    /** The last report of a server that may lack records that it had acknowledged. */
    volatile @Nullable RecordsMayBeMissing missing;

    private @Nullable CompletableFuture<Void> next;

    DurabilityCheck(
            RedisConnection<?> link,
            RedisIdempotencyConfiguration configuration,
            ScheduledExecutorService background,
            Consumer<RecordsMayBeMissing> alarm) {
        this.link = link;
        this.configuration = configuration;
        this.required = configuration.getRequiredDurability().orElse(DurabilityLevel.NONE);
        this.background = background;
        this.alarm = alarm;
        this.known = new RedisDurability(configuration, required, List.of(), List.of(), Instant.EPOCH, 0);
    }

    static Thread thread(Runnable task) {
        Thread thread = new Thread(task, "idempotency-redis");
        thread.setDaemon(true);
        return thread;
    }

    /** Throws when Redis is less durable than required, and watches it from now on. Called before any claim. */
    void start() {
        RedisDurability found = ask();
        known = found;
        if (!found.met()) {
            throw new ConfigurationException(found.problem("The application does not start."));
        }
        found.warnings().forEach(LOG::warn);
        LOG.info("Idempotency records are in Redis, durability {} ({})", found.actual(), found.found());
        link.reconnected = this::look;
        long millis = configuration.getDurabilityCheckInterval().toMillis();
        background.scheduleWithFixedDelay(this::look, millis, millis, TimeUnit.MILLISECONDS);
    }

    /** Returns the run id of the Redis process that may execute a claim; empty for any process. */
    String proof(String server) {
        if (required == DurabilityLevel.NONE) {
            return "";
        }
        RedisDurability last = known;
        Optional<AskedServer> asked = AskedServer.named(server, last.servers());
        return last.durable() ? asked.map(AskedServer::runId).orElse(NONE) : NONE;
    }

    /** Returns the proof after a Redis process has refused a claim, and asks that process if it was not asked yet. */
    String prove(String runId) {
        RedisDurability last = known;
        boolean young = System.nanoTime() - last.answeredNanos() < YOUNG.toNanos();
        if (!last.hasAsked(runId) || !last.durable() && !young) {
            try {
                // a copy: a caller that gives up must not cancel the answer for the other callers
                link.await(look().copy());
            } catch (RedisCommandTimeoutException e) {
                LOG.debug("Redis did not say in time how durable it is", e);
            }
        }
        RedisDurability asked = known;
        return asked.durable() && asked.hasAsked(runId) ? runId : NONE;
    }

    ClaimsRefusedException refusal(RecordId id) {
        RedisDurability last = known;
        String why = !last.durable()
                ? last.problem(askedAgain())
                : "a Redis process was not asked for its durability yet (a fail-over or a restart), or did not say in"
                        + " time. Repeat the call; it works as soon as the process has answered.";
        return new ClaimsRefusedException("Record " + id + " was not claimed and the body did not run: " + why, null);
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
            learn(ask());
        } catch (RuntimeException e) {
            LOG.debug("Redis could not be asked again for its durability; what it said last counts", e);
        }
    }

    private void learn(RedisDurability found) {
        RedisDurability before = known;
        known = found;
        tell(before, found);
        String lost = found.servers().stream()
                .flatMap(server -> server.lostSince(before.servers()).stream())
                .collect(Collectors.joining("; "));
        if (!lost.isEmpty()) {
            RecordsMayBeMissing broken = new RecordsMayBeMissing("redis", before.askedAt(), Instant.now(), lost);
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
            LOG.warn("The durability of Redis went from {} to {} ({})", before.actual(), found.actual(), found.found());
        }
    }

    /** Asks all servers now, without comparing the answers with earlier ones. */
    RedisDurability ask() {
        Instant now = Instant.now();
        List<AskedServer> masters = link.masters().entrySet().stream()
                .sorted(Map.Entry.comparingByKey())
                .map(master -> master(master.getKey(), master.getValue()))
                .toList();
        // a loss may lie as far back as the oldest answer
        boolean old = masters.stream().anyMatch(known.servers()::contains);
        List<AskedServer> replicas = required == DurabilityLevel.NONE ? List.of() : replicasOf(masters);
        return new RedisDurability(
                configuration, required, masters, replicas, old ? known.askedAt() : now, System.nanoTime());
    }

    /** Asks a master. One that does not answer counts by its last answer, and hides no change of the other masters. */
    private AskedServer master(String name, RedisConnection.Master master) {
        try {
            return ask(name, master.commands());
        } catch (RuntimeException e) {
            if (e instanceof RedisCommandTimeoutException) {
                link.unanswered();
            }
            return AskedServer.named(name, known.servers()).orElseThrow(() -> e);
        }
    }

    /** Asks the replicas at the same time, for each may let the time-out pass. */
    private List<AskedServer> replicasOf(List<AskedServer> masters) {
        List<CompletableFuture<AskedServer>> asked = masters.stream()
                .flatMap(AskedServer::listedReplicas)
                .map(listed -> CompletableFuture.supplyAsync(
                        () -> replica(listed), task -> thread(task).start()))
                .toList();
        return asked.stream().map(CompletableFuture::join).toList();
    }

    private AskedServer replica(Map<String, String> listed) {
        String host = String.valueOf(listed.get("ip"));
        int port = Integer.parseInt(listed.getOrDefault("port", "0"));
        String name = host + ":" + port;
        try {
            return link.asking(host, port, server -> ask(name, server));
        } catch (RuntimeException | Error e) {
            // one that hangs cannot take a master's place, and must not stop claims
            return AskedServer.named(name, known.replicas())
                    .orElseGet(() -> AskedServer.unreachable(name, configuration.getAssumeDurability(), e));
        }
    }

    private AskedServer ask(String name, RedisClusterAsyncCommands<String, byte[]> server) {
        Future<String> info = server.info();
        Future<Map<String, String>> save = server.configGet("save");
        Future<Map<String, String>> appendfsync = server.configGet("*appendfsync*");
        Map<String, String> config = new HashMap<>(permitted(save, Map.of()));
        config.putAll(permitted(appendfsync, Map.of()));
        Map<String, String> said = AskedServer.pairs(permitted(info, "").lines(), ":");
        return new AskedServer(name, said, config, configuration.getAssumeDurability());
    }

    /** Waits for the answer to a command that managed servers do not permit. */
    private <T> T permitted(Future<T> answer, T otherwise) {
        try {
            return link.await(answer);
        } catch (RedisBusyException | RedisLoadingException e) {
            throw e; // what it permits is not known now
        } catch (RedisCommandExecutionException e) {
            return otherwise;
        }
    }
}
