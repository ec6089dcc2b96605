package io.idempotency.jdbc;

import io.idempotency.jdbc.connection.JdbcStoreException;
import io.idempotency.runtime.store.Claim;
import io.idempotency.runtime.store.ClaimResult;
import io.idempotency.runtime.store.IdempotencyStore;
import io.idempotency.runtime.store.Ownership;
import io.idempotency.runtime.store.RecordId;
import io.idempotency.runtime.store.RecordsMayBeMissing;
import io.idempotency.runtime.store.StoredRecord;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Notices that a standby was promoted. PostgreSQL gives every history of writes a number, its timeline, and a promoted standby
 * begins a new one; what its predecessor had acknowledged and not yet sent is not there.
 *
 * <p>The timeline that claims are taken on stands in the table's row for the clock. A new one is reported. Where durability
 * {@code replicated} is required, a record of it is in doubt, and no claims are taken before an operator has settled that one.
 * Thread-safe.
 */
final class PromotionWatch {

    private static final Logger LOG = LoggerFactory.getLogger(PromotionWatch.class);

    /** What the question to the operator says that it is of. */
    static final String OPERATION = "idempotency-timeline";

    /** How often the question to the operator is looked at. */
    private static final Duration PATIENCE = Duration.ofSeconds(1);

    private static final Duration LEASE = Duration.ofMinutes(1);

    private final ClockRow clock;
    private final IdempotencyStore store;
    private final Durability durability;
    private final Duration interval;
    /** Whether an operator must confirm a new timeline. */
    private final boolean confirmed;

    private final Consumer<RecordsMayBeMissing> alarm;
    private final ReentrantLock looking = new ReentrantLock();
    private volatile long known;
    private volatile long lookedNanos;
    private volatile boolean refusing;
    private volatile @Nullable RecordsMayBeMissing missing;

    /**
     * Asks nothing yet.
     *
     * @param store keeps the question to the operator
     * @param alarm hears of what may be missing
     */
    PromotionWatch(
            JdbcStoreStart opened,
            JdbcStoreConfiguration configuration,
            IdempotencyStore store,
            Consumer<RecordsMayBeMissing> alarm) {
        this.clock = opened.table().clockRow();
        this.durability = opened.durability();
        this.interval = configuration.getDurabilityCheckInterval();
        this.confirmed = configuration.getRequiredDurability().equals(Optional.of(JdbcDurability.REPLICATED));
        this.store = store;
        this.alarm = alarm;
    }

    /** Looks for the first time, with the store's start: what cannot be known then is asked before the first claim. */
    void start() {
        try {
            clock.timeline().ifPresent(this::look);
            lookedNanos = System.nanoTime();
        } catch (JdbcStoreException e) {
            LOG.debug("The database did not say which timeline it is on; the first claim asks again", e);
        }
    }

    /**
     * Called before each claim; asks the server where its last answer is old, and where a connection was on another timeline.
     *
     * @throws JdbcStoreException while an operator has not confirmed the new timeline; nothing was claimed
     */
    void require() {
        if (confirmed && known == 0) {
            looking.lock(); // the first claims wait for an answer, later ones trust the last
        } else if (!isDue() || !looking.tryLock()) {
            refuse();
            return;
        }
        try {
            if (isDue()) {
                lookedNanos = System.nanoTime();
                ask();
            }
        } finally {
            looking.unlock();
        }
        refuse();
    }

    private void ask() {
        try {
            clock.timeline().ifPresent(this::look);
        } catch (JdbcStoreException e) {
            if (confirmed) {
                throw e;
            }
            LOG.debug("The database did not say which timeline it is on; the claim goes on", e);
        }
    }

    private boolean isDue() {
        Duration every = refusing ? PATIENCE : interval;
        return known == 0 || durability.promoted() || System.nanoTime() - lookedNanos >= every.toNanos();
    }

    private void refuse() {
        if (refusing) {
            throw new JdbcStoreException(
                    "The record was not claimed and the body did not run: a standby was promoted to timeline " + known
                            + ", and records may be missing. Compare what was done with your other books, then settle the"
                            + " record of the operation '" + OPERATION
                            + "' that is in doubt as completed: claims are taken"
                            + " again within a second (required by idempotency.jdbc.required-durability: replicated).",
                    null);
        }
    }

    /** When a standby was promoted while this node ran, or since it last ran; null without. */
    @Nullable
    RecordsMayBeMissing missing() {
        return missing;
    }

    private void look(long timeline) {
        if (timeline == known && !refusing) {
            return;
        }
        long accepted = clock.acceptedTimeline();
        boolean isNew = accepted != 0 && accepted != timeline;
        if (timeline != known && (known != 0 || isNew)) {
            report(timeline);
        }
        boolean asks = confirmed && isNew;
        refusing = asks; // before a connection to the new primary may claim
        durability.accept(timeline);
        known = timeline;
        refusing = asks && !isConfirmed(timeline);
        if (accepted != timeline && !refusing) {
            clock.acceptTimeline(timeline);
        }
    }

    /** Whether an operator has settled the question, which this asks where no node did. */
    private boolean isConfirmed(long timeline) {
        RecordId question = RecordId.of(OPERATION, null, null, Long.toString(timeline));
        String owner = UUID.randomUUID().toString();
        Claim claim = new Claim(question, OPERATION, "", owner, LEASE, IdempotencyStore.FOREVER, false);
        if (store.claim(claim) instanceof ClaimResult.Acquired acquired) {
            Ownership ownership = new Ownership(question, owner, acquired.fence());
            store.doubt(ownership, "A standby was promoted to timeline " + timeline, IdempotencyStore.FOREVER);
        }
        return store.find(question).filter(StoredRecord::hasOutcome).isPresent();
    }

    private void report(long timeline) {
        Instant now = Clock.systemUTC().instant();
        RecordsMayBeMissing found = new RecordsMayBeMissing(
                store.name(),
                clock.keptTime().orElse(now),
                now,
                "a standby was promoted (timeline " + timeline + "), and may not have received all that its predecessor"
                        + " had acknowledged");
        missing = found;
        LOG.error(
                "The database may have lost idempotency records: {}. Their operations run again when they are called again."
                        + " Compare what they did in that time with your other books. {}",
                found,
                confirmed
                        ? "No claims are taken before the record of the operation '" + OPERATION + "' is settled."
                        : "To prevent it, require idempotency.jdbc.required-durability: replicated.");
        alarm.accept(found);
    }
}
