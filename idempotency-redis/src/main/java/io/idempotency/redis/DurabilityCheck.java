package io.idempotency.redis;

import io.idempotency.redis.connection.Answers;
import io.idempotency.redis.connection.RedisConnection;
import io.idempotency.runtime.store.RecordId;
import io.idempotency.runtime.store.RecordsMayBeMissing;
import io.lettuce.core.RedisCommandTimeoutException;
import io.micronaut.context.exceptions.ConfigurationException;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Compares what Redis does with what was asked of it: at start-up, after every reconnect and change of the topology, and
 * at intervals, on the store's background thread. In between, every claim names the process that was asked, and any other process
 * refuses it: so a fail-over cannot get ahead of the question. Thread-safe.
 */
final class DurabilityCheck {

    private static final Logger LOG = LoggerFactory.getLogger(RedisIdempotencyStore.class);

    /** Proves no process: what would be claimed is refused, what is there is found. */
    private static final String NONE = "-";

    /** An answer this young is not asked for again by every claim that is refused. */
    private static final Duration YOUNG = Duration.ofSeconds(1);

    private final RedisConnection link;
    private final DurabilityProbe probe;
    private final ScheduledExecutorService background;
    private final boolean required;
    private final Duration interval;
    private final Duration patience;
    private final Consumer<RecordsMayBeMissing> alarm;
    private volatile Known known = new Known(null, Instant.EPOCH, 0);
    private volatile @Nullable RecordsMayBeMissing missing;
    private @Nullable Future<?> next;

    /** What was found out by a question asked at that time. */
    private record Known(@Nullable RedisDurability durability, Instant askedAt, long sinceNanos) {}

    DurabilityCheck(
            RedisConnection link,
            RedisIdempotencyConfiguration configuration,
            ScheduledExecutorService background,
            Consumer<RecordsMayBeMissing> alarm) {
        this.link = link;
        this.probe = new DurabilityProbe(link, configuration);
        this.background = background;
        this.alarm = alarm;
        this.required = probe.required();
        this.interval = configuration.getDurabilityCheckInterval();
        this.patience = configuration.getCommandTimeout();
    }

    /** Asks now, and draws no conclusions. */
    RedisDurability ask() {
        return probe.ask();
    }

    /** Fails when Redis does less than was asked of it, and watches it from now on. */
    void start() {
        Instant askedAt = now();
        RedisDurability found = ask();
        if (!found.met()) {
            throw new ConfigurationException(found.problem("The application does not start."));
        }
        found.warnings().forEach(LOG::warn);
        LOG.info(
                "Idempotency records are in Redis, durability {} ({})",
                found.actual().setting(),
                found.found());
        known = new Known(found, askedAt, System.nanoTime());
        link.onReconnect(this::look);
        background.scheduleWithFixedDelay(this::look, interval.toMillis(), interval.toMillis(), TimeUnit.MILLISECONDS);
    }

    /** What the process that claims must be; empty for any. */
    String proof(String server) {
        RedisDurability now = known.durability();
        if (!required) {
            return "";
        }
        return now == null || !now.durable() ? NONE : now.runIdOf(server).orElse(NONE);
    }

    /** What to claim with after a process has refused, once it was asked or cannot be asked in time. */
    String prove(String runId) {
        Known now = known;
        RedisDurability last = now.durability();
        boolean young = System.nanoTime() - now.sinceNanos() < YOUNG.toNanos();
        if (last == null || !last.hasAsked(runId) || !last.durable() && !young) {
            try {
                Answers.await(look(), patience);
            } catch (RedisCommandTimeoutException e) {
                LOG.debug("Redis did not say in time how durable it is", e);
            }
        }
        RedisDurability asked = known.durability();
        return asked != null && asked.durable() && asked.hasAsked(runId) ? runId : NONE;
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

    /** Asks in the background; all that come before the question begins share its answer. */
    private synchronized Future<?> look() {
        Future<?> asked = next == null ? background.submit(this::askAgain) : next;
        next = asked;
        return asked;
    }

    private void askAgain() {
        synchronized (this) {
            next = null;
        }
        try {
            Instant askedAt = now();
            learn(probe.ask(), askedAt);
        } catch (RuntimeException e) {
            LOG.debug("Redis could not be asked again for its durability; what it said last counts", e);
        }
    }

    /** The last time at which a server did not have all that it had acknowledged; null without one. */
    @Nullable
    RecordsMayBeMissing missing() {
        return missing;
    }

    private static Instant now() {
        return Clock.systemUTC().instant();
    }

    private void compare(RedisDurability before, RedisDurability found, Instant from) {
        Continuity.broken(before, found, from, now()).ifPresent(broken -> {
            missing = broken;
            LOG.error(
                    "Redis may have lost idempotency records: {}. Their operations run again when they are called again."
                            + " Compare what they did in that time with your other books. To prevent it, require"
                            + " idempotency.redis.replica-acknowledgements and idempotency.redis.required-durability:"
                            + " always.",
                    broken);
            alarm.accept(broken);
        });
    }

    private void learn(RedisDurability found, Instant askedAt) {
        Known last = known;
        RedisDurability before = last.durability();
        known = new Known(found, askedAt, System.nanoTime());
        if (before != null) {
            compare(before, found, last.askedAt());
        }
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
}
