package io.idempotency.jdbc;

import io.idempotency.jdbc.connection.JdbcStoreException;
import io.idempotency.jdbc.sql.Dialect.Trouble;
import io.idempotency.jdbc.sql.Sql.Param;
import io.idempotency.jdbc.sql.StatementValues;
import io.idempotency.jdbc.sql.Statements.Verb;
import io.idempotency.runtime.store.Claim;
import io.idempotency.runtime.store.ClaimResult;
import io.idempotency.runtime.store.IdempotencyStore;
import io.idempotency.runtime.store.IdempotencyStore.ClaimsRefusedException;
import io.idempotency.runtime.store.Ownership;
import io.idempotency.runtime.store.RecordId;
import io.idempotency.runtime.store.RecordsMayBeMissing;
import io.idempotency.runtime.store.StoredRecord;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Detects that a standby was promoted. PostgreSQL numbers its histories of writes: a promoted standby begins a new
 * timeline, which lacks what its predecessor had acknowledged and not yet sent.
 *
 * <p>The row of the clock keeps the accepted timeline. A new one is reported. Where durability {@code replicated} is
 * required, a record in doubt is made for it, and claims are refused until an operator has settled the record.
 * Thread-safe.
 */
final class PromotionWatch {

    private static final Logger LOG = LoggerFactory.getLogger(PromotionWatch.class);

    /** The operation of the record that an operator settles. */
    static final String OPERATION = "idempotency-timeline";

    /** How often that record is read while claims are refused. */
    private static final Duration PATIENCE = Duration.ofSeconds(1);

    private static final Duration LEASE = Duration.ofMinutes(1);

    private final RecordTable table;
    private final Durability durability;
    private final Consumer<RecordsMayBeMissing> alarm;
    private final ReentrantLock looking = new ReentrantLock();

    /** Why the last answer that had to come did not; guarded by the lock. */
    private @Nullable RuntimeException failed;

    private volatile long lookedNanos;
    private volatile boolean refusing;
    private volatile @Nullable String missing;
    private final AtomicReference<@Nullable RecordsMayBeMissing> unpublished = new AtomicReference<>();

    /** Asks for the timeline. When that fails, {@link #require} asks again. */
    PromotionWatch(RecordTable table, Durability durability, Consumer<RecordsMayBeMissing> alarm) {
        this.table = table;
        this.durability = durability;
        this.alarm = alarm;
        ask(false, true);
    }

    /**
     * Called before each claim. Asks the server when its last answer is old or a connection was on another timeline.
     *
     * @throws ClaimsRefusedException until an operator has confirmed the new timeline
     */
    void require() {
        if (isDue()) {
            learn(false);
        }
        if (refusing) {
            throw new ClaimsRefusedException(
                    "Claims are refused, and the body did not run: a standby was promoted to timeline "
                            + durability.accepted
                            + ", and records may be missing. Compare what was done with your other"
                            + " books, then settle the record of the operation '" + OPERATION + "' that is in doubt as"
                            + " completed: claims are taken again within a second (required by"
                            + " idempotency.jdbc.required-durability: replicated).",
                    null);
        }
    }

    private boolean isDue() {
        Duration every = refusing ? PATIENCE : durability.interval;
        return durability.promoted
                || durability.accepted == 0 && durability.isReplicationRequired()
                || System.nanoTime() - lookedNanos >= every.toNanos();
    }

    /** Tells whether the server's timeline is accepted, which it asks now. */
    boolean isAccepted() {
        learn(true);
        return !refusing;
    }

    /** Asks the server, whose answer has to come where it decides about claims: while they are refused, they stay so. */
    private void learn(boolean now) {
        try {
            ask(durability.isReplicationRequired(), now);
        } catch (JdbcStoreException | ClaimsRefusedException e) {
            if (!refusing) {
                throw e;
            }
        }
    }

    /** Asks one caller at a time. What is found is published afterwards: a listener may claim, or wait for who does. */
    private void ask(boolean must, boolean now) {
        looking.lock();
        try {
            if (now || isDue()) {
                ask(must);
            }
        } finally {
            looking.unlock();
            RecordsMayBeMissing found = unpublished.getAndSet(null);
            if (found != null) {
                found.publish(alarm);
            }
        }
    }

    private void ask(boolean must) {
        RuntimeException last = failed;
        if (must && last != null && System.nanoTime() - lookedNanos < PATIENCE.toNanos()) {
            throw last; // of a caller that this one waited for
        }
        lookedNanos = System.nanoTime();
        try {
            table.database().number(Verb.TIMELINE, ClockWatch.row()).ifPresent(this::look);
            failed = null;
        } catch (JdbcStoreException | ClaimsRefusedException e) {
            if (must && !(e instanceof JdbcStoreException sql && sql.is(Trouble.UNSUPPORTED))) {
                lookedNanos = System.nanoTime();
                failed = e;
                throw e;
            }
            failed = null;
            LOG.debug("The database did not say which timeline it is on; claims go on", e);
        }
    }

    /** Adds the report of a promotion to the details of the store's health. Tells whether claims are taken. */
    boolean health(Map<String, String> details) {
        String report = missing;
        if (report != null) {
            details.put("recordsMayBeMissing", report);
        }
        return !refusing;
    }

    private void look(long timeline) {
        long known = durability.accepted;
        if (timeline == known && !refusing) {
            return;
        }
        long accepted = table.database()
                .number(Verb.ACCEPTED_TIMELINE, ClockWatch.row())
                .orElse(0L);
        boolean isNew = accepted != 0 && accepted != timeline;
        if (timeline != known && (known != 0 || isNew)) {
            report(timeline);
        }
        boolean asks = isNew && durability.isReplicationRequired();
        refusing = asks; // set before accept(): no connection to the new primary may claim yet
        durability.accept(timeline);
        refusing = asks && !isConfirmed(timeline);
        if (accepted != timeline && !refusing) {
            table.database().update(Verb.ACCEPT_TIMELINE, row(timeline));
        }
    }

    private static StatementValues row(long timeline) {
        return ClockWatch.row().with(Param.FENCE, timeline);
    }

    /** Tells whether an operator has settled this timeline's record. Makes the record when no node has made it yet. */
    private boolean isConfirmed(long timeline) {
        RecordId question = RecordId.of(OPERATION, null, null, Long.toString(timeline));
        String owner = UUID.randomUUID().toString();
        Claim claim = new Claim(question, OPERATION, "", owner, LEASE, IdempotencyStore.FOREVER, false);
        if (table.claim(claim, false) instanceof ClaimResult.Acquired acquired) {
            Ownership ownership = new Ownership(question, owner, acquired.fence());
            table.doubt(ownership, "A standby was promoted to timeline " + timeline, IdempotencyStore.FOREVER);
        }
        StoredRecord record = table.find(question);
        return record != null && record.hasOutcome();
    }

    private void report(long timeline) {
        Instant now = Instant.now();
        Optional<Long> before = table.database().number(Verb.PROMOTED_TIME, row(timeline));
        RecordsMayBeMissing found = new RecordsMayBeMissing(
                JdbcIdempotencyStore.NAME,
                before.map(Instant::ofEpochMilli).orElse(now),
                now,
                "a standby was promoted (timeline " + timeline + "), and may not have received all that its predecessor"
                        + " had acknowledged");
        missing = found.toString();
        LOG.error(
                "The database may have lost idempotency records: {}. Their operations run again when they are called again."
                        + " Compare what they did in that time with your other books. {}",
                found,
                durability.isReplicationRequired()
                        ? "No claims are taken before the record of the operation '" + OPERATION + "' is settled."
                        : "To prevent it, require idempotency.jdbc.required-durability: replicated.");
        unpublished.set(found);
    }
}
