package io.idempotency.jdbc;

import io.idempotency.jdbc.connection.JdbcStoreException;
import io.idempotency.jdbc.connection.StatementRunner;
import io.idempotency.jdbc.sql.Dialect.Trouble;
import io.idempotency.jdbc.sql.Sql.Param;
import io.idempotency.jdbc.sql.StatementValues;
import io.idempotency.jdbc.sql.Statements.Verb;
import io.idempotency.runtime.store.IdempotencyStore;
import io.idempotency.runtime.store.IdempotencyStore.ClaimsRefusedException;
import io.idempotency.runtime.store.RecordId;
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
 * Compares the database's clock with this JVM's monotonic clock. A clock that jumps ahead by a day forgets the keys of
 * that day and ends every lease, so nothing is claimed then. Thread-safe.
 */
final class ClockWatch {

    private static final String PROPERTY = "idempotency.jdbc.clock-jump-limit";

    private static final Logger LOG = LoggerFactory.getLogger(ClockWatch.class);

    private static final RecordId ROW = RecordId.of("idempotency-clock", null, null, "");

    private final String datasource;
    private final Duration limit;
    private final LongSupplier nanoTime;
    private @Nullable Reading last;
    private @Nullable String problem;

    private record Reading(long millis, long nanos) {}

    ClockWatch(String datasource, Duration limit, LongSupplier nanoTime) {
        this.datasource = datasource;
        this.limit = limit;
        this.nanoTime = nanoTime;
    }

    /**
     * Refuses a clock that was set back since the application last ran; warns of one far from this machine's clock.
     * Returns false where there is no table.
     */
    boolean start(StatementRunner database) {
        Instant now = now(database);
        believes(now, false);
        Duration apart = Duration.between(now, Instant.now()).abs();
        if (apart.compareTo(limit) > 0) {
            LOG.warn(
                    "The clock of the database of datasources.{} is {} apart from this machine's. If it was set ahead while"
                            + " the application was down, keys are forgotten and their operations can run AGAIN.",
                    datasource,
                    apart);
        }
        try {
            Optional<Instant> before = database.number(Verb.KEPT_TIME, row()).map(Instant::ofEpochMilli);
            before.filter(kept -> now.plus(limit).isBefore(kept)).ifPresent(kept -> {
                throw new ConfigurationException("The clock of the database of datasources." + datasource + " says "
                        + now + ", but the idempotency store saw " + kept + " on it before: it was set back. The"
                        + " application does not start. Set the clock right. If it is right now, start once with a"
                        + " larger " + PROPERTY + ": what was recorded meanwhile is kept for longer.");
            });
            if (before.isEmpty()) {
                keepTime(database);
            }
            return true;
        } catch (JdbcStoreException e) {
            if (!e.is(Trouble.NO_TABLE)) {
                throw e;
            }
            return false;
        }
    }

    /** Returns the parameters of a statement about the row that keeps the time and the timeline. */
    static StatementValues row() {
        return StatementValues.of(ROW);
    }

    static Instant now(StatementRunner database) {
        return Instant.ofEpochMilli(database.number(Verb.CLOCK, row()).orElseThrow());
    }

    /** Stores the time, so that the next start notices a clock that was set back. */
    void keepTime(StatementRunner database) {
        if (!believes(now(database), false)) {
            return; // the next start is to find that the clock was set back
        }
        StatementValues values = timed(row());
        if (database.update(Verb.KEEP_TIME, values) == 0
                && database.number(Verb.KEPT_TIME, row()).isEmpty()) {
            database.first(Verb.FIRST_TIME, values, row -> null); // does nothing when another node was first
        }
    }

    /**
     * Returns for how long, in microseconds, a fence outlives its key: for longer than a clock may step back that is
     * still believed, or the next fence of the key could be a lower one.
     */
    long fenceMemoryMicros() {
        Duration longer = limit.compareTo(IdempotencyStore.FENCE_MEMORY) > 0 ? limit : IdempotencyStore.FENCE_MEMORY;
        return TimeUnit.NANOSECONDS.toMicros(longer.toNanos());
    }

    /** Adds the expected time and the latest believed one, by which a statement notices that the clock jumped. */
    synchronized StatementValues timed(StatementValues values) {
        long expected = last == null ? 0 : expected(last);
        return values.with(Param.EXPECTED_MS, expected).with(Param.LATEST_MS, latestMs());
    }

    /** Returns the latest believed time, in epoch millis; statements that read a later one claim and delete nothing. */
    synchronized long latestMs() {
        return last == null ? Long.MAX_VALUE : expected(last) + limit.toMillis();
    }

    /**
     * Tells whether a reading of the clock is within the limit of the expected time, and then continues from it. A
     * clock that stands still, as H2's in a transaction, is not learnt from, and may be behind for as long as the fences
     * of removed records are remembered.
     */
    synchronized boolean believes(Instant reading, boolean standing) {
        long millis = reading.toEpochMilli();
        long ahead = last == null ? 0 : millis - expected(last);
        if (standing) {
            return ahead <= limit.toMillis() && -ahead < IdempotencyStore.FENCE_MEMORY.toMillis();
        }
        if (Math.abs(ahead) > limit.toMillis()) {
            if (problem == null) {
                problem = "The clock of the database of datasources." + datasource + " jumped "
                        + (ahead > 0 ? "ahead by " : "back by ") + Duration.ofMillis(Math.abs(ahead))
                        + ", which is more than " + PROPERTY + " (" + limit
                        + "): by that clock keys are forgotten and leases are over that are not.";
                LOG.error("{} New claims are refused, what finishes work passes.", problem);
            }
            return false;
        }
        last = new Reading(millis, nanoTime.getAsLong());
        if (problem != null) {
            LOG.info("The clock of the database of datasources.{} is right again, claims are taken", datasource);
            problem = null;
        }
        return true;
    }

    private long expected(Reading from) {
        return from.millis + TimeUnit.NANOSECONDS.toMillis(nanoTime.getAsLong() - from.nanos);
    }

    synchronized String problem() {
        return problem == null ? "the database's clock jumped." : problem;
    }

    ClaimsRefusedException refused(boolean standing) {
        String cause = standing
                ? "the transaction began more than " + IdempotencyStore.FENCE_MEMORY.toSeconds()
                        + " s ago, or its clock jumped. The clock of H2 stands still in a transaction, and by an old"
                        + " time a fence could fall. Begin the transaction later."
                : problem() + " Set the clock right, and claims are taken again. If it is right now (or this machine"
                        + " was suspended), start the application again, with a larger limit where it was set back.";
        return new ClaimsRefusedException("The record was not claimed and the body did not run: " + cause, null);
    }
}
