package io.idempotency.jdbc;

import io.idempotency.jdbc.connection.JdbcStoreException;
import io.idempotency.jdbc.sql.Dialect;
import io.idempotency.jdbc.sql.Dialect.Trouble;
import io.micronaut.context.exceptions.ConfigurationException;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Compares the database's clock with this JVM's monotonic one. A database whose clock jumps ahead by a day has forgotten
 * every key of that day at once, and ended every lease: nothing is claimed then. Thread-safe.
 */
final class ClockWatch {

    static final String PROPERTY = "idempotency.jdbc.clock-jump-limit";

    private static final Logger LOG = LoggerFactory.getLogger(ClockWatch.class);

    private static final Duration KEPT_EVERY = Duration.ofMinutes(1);

    private final String datasource;
    private final Duration limit;
    private final LongSupplier nanoTime;
    private @Nullable Reading last;
    private long keptNanos;
    private @Nullable String problem;

    private record Reading(long millis, long nanos) {}

    ClockWatch(String datasource, Duration limit, LongSupplier nanoTime) {
        if (limit.isNegative() || limit.toMillis() == 0) {
            throw new ConfigurationException(PROPERTY + " is " + limit + "; it must be positive, for instance 5m");
        }
        this.datasource = datasource;
        this.limit = limit;
        this.nanoTime = nanoTime;
        this.keptNanos = nanoTime.getAsLong();
    }

    /** The first look: a clock that was set back since the application last ran, or that this machine contradicts. */
    void start(ClockRow row, Dialect dialect) {
        Instant now = row.now();
        believes(now);
        Duration apart = Duration.between(now, Instant.now()).abs();
        if (apart.compareTo(limit) > 0) {
            LOG.warn(
                    "The clock of the database of datasources.{} is {} apart from this machine's. If it was set ahead while"
                            + " the application was down, keys are forgotten and their operations can run AGAIN.",
                    datasource,
                    apart);
        }
        try {
            row.keptTime().filter(kept -> now.plus(limit).isBefore(kept)).ifPresent(kept -> {
                throw new ConfigurationException("The clock of the database of datasources." + datasource + " says "
                        + now
                        + ", but the idempotency store saw " + kept
                        + " on it before: it was set back. The application does"
                        + " not start. Set the clock right. If it is right now, start once with a larger " + PROPERTY
                        + ": what was recorded meanwhile is kept for longer.");
            });
            row.keepTime();
        } catch (JdbcStoreException e) {
            if (!e.is(Trouble.NO_TABLE, dialect)) {
                throw e;
            }
        }
    }

    /** The latest time that is believed now; a statement that reads a later one claims and removes nothing. */
    synchronized long latestMs() {
        return last == null ? Long.MAX_VALUE : expected(last) + limit.toMillis();
    }

    /** Whether this reading is where the clock should be by now; if it is, the clock is followed from there. */
    synchronized boolean believes(Instant reading) {
        long millis = reading.toEpochMilli();
        long ahead = last == null ? 0 : millis - expected(last);
        if (Math.abs(ahead) > limit.toMillis()) {
            if (problem == null) {
                problem = jumped(ahead);
                LOG.error("{} New claims are refused, what finishes work passes.", problem);
            }
            return false;
        }
        last = new Reading(millis, nanoTime.getAsLong());
        if (problem != null) {
            LOG.info(
                    "The clock of the database of datasources.{} is where it should be again, claims are taken",
                    datasource);
            problem = null;
        }
        return true;
    }

    /** True for one caller, once a minute. */
    synchronized boolean keepsTime() {
        long now = nanoTime.getAsLong();
        boolean due = now - keptNanos >= KEPT_EVERY.toNanos();
        keptNanos = due ? now : keptNanos;
        return due;
    }

    /** Empty while the clock is believed. */
    synchronized Optional<String> problem() {
        return Optional.ofNullable(problem);
    }

    JdbcStoreException refused() {
        return new JdbcStoreException(
                "The record was not claimed and the body did not run: "
                        + problem().orElse("the database's clock jumped.")
                        + " Set the clock right, and claims are taken again."
                        + " If it is right now (or this machine was suspended), start the application again.",
                null);
    }

    private long expected(Reading from) {
        return from.millis + TimeUnit.NANOSECONDS.toMillis(nanoTime.getAsLong() - from.nanos);
    }

    private String jumped(long ahead) {
        return "The clock of the database of datasources." + datasource + " jumped "
                + (ahead > 0 ? "ahead by " : "back by ") + Duration.ofMillis(Math.abs(ahead)) + ", which is more than "
                + PROPERTY + " (" + limit + "): by that clock keys are forgotten and leases are over that are not.";
    }
}
