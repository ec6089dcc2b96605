package io.idempotency.redis;

import io.idempotency.runtime.store.RecordId;
import io.micronaut.context.exceptions.ConfigurationException;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Compares what Redis does with what was asked of it: at start-up, after every reconnect and change of the topology, and
 * at intervals. In between, every claim names the process that was asked, and any other process refuses it: so a
 * fail-over cannot get ahead of the question. Thread-safe; nothing here blocks.
 */
final class DurabilityCheck implements AutoCloseable {

    private static final Logger LOG = LoggerFactory.getLogger(RedisIdempotencyStore.class);

    /** Proves no process: what would be claimed is refused, what is there is found. */
    private static final String NONE = "-";

    /** An answer this young is not asked for again by every claim that is refused. */
    private static final Duration YOUNG = Duration.ofSeconds(1);

    private final RedisConnection link;
    private final DurabilityProbe probe;
    private final boolean required;
    private final Duration interval;
    private final Duration patience;
    private volatile Known known = new Known(null, 0);
    private boolean asking;
    private @Nullable CompletableFuture<Void> next;
    private @Nullable Future<?> regular;
    private Runnable unhook = () -> {};

    private record Known(@Nullable RedisDurability durability, long sinceNanos) {}

    DurabilityCheck(RedisConnection link, RedisIdempotencyConfiguration configuration) {
        this.link = link;
        this.probe = new DurabilityProbe(link, configuration);
        this.required = DurabilityProbe.required(configuration);
        this.interval = configuration.getDurabilityCheckInterval();
        this.patience = configuration.getCommandTimeout();
    }

    CompletionStage<RedisDurability> ask() {
        return probe.ask();
    }

    /** Fails when Redis does less than was asked of it, and watches it from now on. */
    void start(RedisDurability found) {
        if (!found.met()) {
            throw new ConfigurationException(found.problem("The application does not start."));
        }
        found.warnings().forEach(LOG::warn);
        LOG.info(
                "Idempotency records are in Redis, durability {} ({})",
                found.actual().setting(),
                found.found());
        known = new Known(found, System.nanoTime());
        synchronized (this) {
            unhook = link.onReconnect(this::look);
            regular = link.resources()
                    .eventExecutorGroup()
                    .scheduleWithFixedDelay(
                            this::look, interval.toMillis(), interval.toMillis(), TimeUnit.MILLISECONDS);
        }
    }

    /** What the process that claims must be; empty for any. */
    String proof(String server) {
        RedisDurability now = known.durability();
        if (!required) {
            return "";
        }
        return now == null || !now.durable() ? NONE : now.runIdOf(server).orElse(NONE);
    }

    /** What to claim with after a process has refused, once it was asked or cannot be asked in time. Never fails. */
    CompletionStage<String> prove(String runId) {
        Known now = known;
        RedisDurability last = now.durability();
        if (last != null
                && last.hasAsked(runId)
                && (last.durable() || System.nanoTime() - now.sinceNanos() < YOUNG.toNanos())) {
            return CompletableFuture.completedFuture(proofOf(runId));
        }
        return look().copy()
                .completeOnTimeout(null, patience.toMillis(), TimeUnit.MILLISECONDS)
                .thenApply(asked -> proofOf(runId));
    }

    private String proofOf(String runId) {
        RedisDurability now = known.durability();
        return now != null && now.durable() && now.hasAsked(runId) ? runId : NONE;
    }

    IllegalStateException refusal(RecordId id) {
        RedisDurability now = known.durability();
        String why = now != null && !now.durable()
                ? now.problem(askedAgain())
                : "a Redis process answers that was not asked for its durability yet (a fail-over or a restart), and did"
                        + " not say in time. Repeat the call; it works as soon as the process has answered.";
        return new IllegalStateException("Record " + id + " was not claimed and the body did not run: " + why);
    }

    private String askedAgain() {
        return "New claims are refused, what finishes work passes. Redis is asked again after every reconnect and every "
                + interval + ".";
    }

    /** Asks as soon as nobody is asking; whoever comes meanwhile shares the next answer, not one that is under way. */
    synchronized CompletableFuture<Void> look() {
        CompletableFuture<Void> turn = next == null ? new CompletableFuture<>() : next;
        next = turn;
        if (!asking) {
            begin();
        }
        return turn;
    }

    private synchronized void begin() {
        CompletableFuture<Void> turn = next;
        next = null;
        if (turn != null) {
            asking = true;
            CompletableFuture.completedFuture(null)
                    .thenCompose(now -> probe.ask())
                    .whenComplete((found, failure) -> {
                        try {
                            learn(found, failure);
                        } finally {
                            synchronized (this) {
                                asking = false;
                                begin();
                            }
                            turn.complete(null);
                        }
                    });
        }
    }

    private void learn(@Nullable RedisDurability found, @Nullable Throwable failure) {
        if (found == null) {
            LOG.debug("Redis could not be asked again for its durability; what it said last counts", failure);
            return;
        }
        RedisDurability before = known.durability();
        known = new Known(found, System.nanoTime());
        if (before == null || before.durable() && found.durable() && before.actual() == found.actual()) {
            return;
        }
        if (!found.durable()) {
            if (before.durable()) {
                LOG.error(found.problem(askedAgain()));
            }
        } else if (!before.durable()) {
            LOG.info("Redis is as durable as required again, claims are taken ({})", found.found());
        } else {
            LOG.warn(
                    "The durability of Redis went from {} to {} ({})",
                    before.actual().setting(),
                    found.actual().setting(),
                    found.found());
        }
    }

    @Override
    public synchronized void close() {
        unhook.run();
        if (regular != null) {
            regular.cancel(false);
        }
    }
}
