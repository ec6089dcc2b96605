package io.idempotency.jdbc;

import io.idempotency.jdbc.connection.JdbcStoreException;
import io.idempotency.jdbc.connection.StatementRunner;
import io.idempotency.jdbc.sql.Dialect;
import io.idempotency.jdbc.sql.RecordRow;
import io.idempotency.jdbc.sql.Sql.Param;
import io.idempotency.jdbc.sql.StatementValues;
import io.idempotency.jdbc.sql.Statements.Verb;
import io.idempotency.runtime.group.ReplayCount;
import io.idempotency.runtime.store.Claim;
import io.idempotency.runtime.store.ClaimResult;
import io.idempotency.runtime.store.IdempotencyStore.ClaimsRefusedException;
import io.idempotency.runtime.store.Ownership;
import io.idempotency.runtime.store.RecordId;
import io.idempotency.runtime.store.RecordState;
import io.idempotency.runtime.store.Renewal;
import io.idempotency.runtime.store.Settled;
import io.idempotency.runtime.store.StoredFailure;
import io.idempotency.runtime.store.StoredRecord;
import io.idempotency.runtime.store.StoredResult;
import io.idempotency.runtime.store.UnreadableRecordException;
import java.sql.Connection;
import java.sql.SQLTransientConnectionException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Predicate;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The table of records. The statement that writes decides. When it changes no row, the row is read to learn why; when
 * the row contradicts the statement, another statement came in between, and the statement is sent again.
 */
record RecordTable(StatementRunner database, ClockWatch clock, ReplayCount replays) {

    static final Settled APPLIED = new Settled.Applied();
    private static final int ROUNDS = 64;
    private static final int ROUNDS_AT_ONCE = 4;
    private static final long LONGEST_PAUSE_NANOS = 5_000_000;

    RecordTable in(Connection transaction, Duration lockTimeout) {
        return new RecordTable(database.in(transaction, lockTimeout), clock, new ReplayCount());
    }

    /** Claims a key. Marks a record in progress for a caller that waits, so that its settlement is notified. */
    ClaimResult claim(Claim claim, boolean waits) {
        try {
            return claimed(claim, waits);
        } catch (JdbcStoreException e) {
            StoredRecord there = e.isNotSent() ? findInstead(claim.id(), e) : null;
            if (there == null) {
                throw e;
            }
            ClaimResult answer = ClaimResult.of(claim, there);
            boolean mayBeLost =
                    there.state() == RecordState.IN_DOUBT && database.check().isReplicationRequired();
            if (answer instanceof ClaimResult.Acquired || takesOver(claim, there) || mayBeLost) {
                throw e.asRefusal(); // the server may not keep what was sent for this claim before, or what is told
            }
            return answer;
        }
    }

    private @Nullable StoredRecord findInstead(RecordId id, JdbcStoreException refusal) {
        try {
            StoredRecord there = find(id);
            if (there != null) {
                require(there.readAt());
            }
            return there;
        } catch (JdbcStoreException e) {
            refusal.addSuppressed(e);
            throw refusal.asRefusal();
        }
    }

    private ClaimResult claimed(Claim claim, boolean waits) {
        StatementValues id = StatementValues.of(claim.id());
        StoredRecord first = replays.prevail() ? database.find(id) : null;
        ClaimResult fresh = first == null ? inserted(claim) : null;
        if (fresh != null) {
            return fresh;
        }
        try { // from here on the key is known
            ClaimResult answer = first == null ? null : found(claim, first, waits);
            return answer != null ? answer : agreed(claim.id(), () -> met(claim, id, waits));
        } catch (JdbcStoreException e) {
            throw e.asRefusal();
        }
    }

    private @Nullable ClaimResult inserted(Claim claim) {
        RecordRow.Inserted row = database.claim(clock.timed(StatementValues.of(claim)));
        return row == null ? null : believed(claim, new ClaimResult.Acquired(row.fence(), 1), row.claimedAt());
    }

    /** Claims a key that had a row a moment ago; null when another call came in between. */
    private @Nullable ClaimResult met(Claim claim, StatementValues id, boolean waits) {
        StoredRecord record = database.current(id);
        ClaimResult answer = record == null ? reclaimed(claim, waits) : found(claim, record, waits);
        return answer == null ? inserted(claim) : answer;
    }

    /** Claims a row that has expired or is to be taken over; null when another call came in between. */
    private @Nullable ClaimResult reclaimed(Claim claim, boolean waits) {
        if (database.update(Verb.RECLAIM, clock.timed(StatementValues.of(claim))) == 1) {
            StoredRecord record = database.current(StatementValues.of(claim.id()));
            return record == null ? null : found(claim, record, waits);
        }
        require(ClockWatch.now(database));
        return null;
    }

    /** Answers a claim from the row that it met; null when another call came in between. */
    private @Nullable ClaimResult found(Claim claim, StoredRecord record, boolean waits) {
        if (clock.believes(record.readAt(), isStanding())) {
            if (takesOver(claim, record)) {
                return reclaimed(claim, waits);
            }
            if (waits && !marked(claim, record)) {
                return null;
            }
        }
        ClaimResult answer = believed(claim, ClaimResult.of(claim, record), record.readAt());
        boolean told = answer instanceof ClaimResult.Duplicate && record.state() == RecordState.IN_DOUBT;
        boolean news = told && isNews(record);
        // a caller that is told of a doubt acts on it: after a fail-over, the key must not run
        if (news || told && database.check().isReplicationRequired() && isKeptAsSeen(record)) {
            keepAsSeen(record);
        }
        return news ? null : answer;
    }

    /** Marks another owner's record as waited for. Returns false when the record was settled meanwhile. */
    private boolean marked(Claim claim, StoredRecord record) {
        return record.settledAt() != null
                || record.owner().equals(claim.owner())
                || database.text(Verb.MARK, StatementValues.of(claim.id())).isPresent();
    }

    private ClaimResult believed(Claim claim, ClaimResult answer, Instant readAt) {
        if (clock.believes(readAt, isStanding())) {
            return replays.counted(answer);
        }
        ClaimsRefusedException refused = clock.refused(isStanding());
        if (answer instanceof ClaimResult.Acquired own && own.attempt() == 1) {
            try {
                Ownership claimed = new Ownership(claim.id(), claim.owner(), own.fence());
                database.update(Verb.RELEASE, clock.timed(StatementValues.of(claimed)));
            } catch (JdbcStoreException e) {
                refused.addSuppressed(e);
            }
        }
        throw refused;
    }

    void require(Instant readAt) {
        if (!clock.believes(readAt, isStanding())) {
            throw clock.refused(isStanding());
        }
    }

    private boolean isStanding() {
        return database.isJoined() && database.statements().dialect() == Dialect.H2;
    }

    /** Tells whether to send the statement that takes a record in doubt over; that statement decides by itself. */
    private static boolean takesOver(Claim claim, StoredRecord record) {
        return claim.takeOver()
                && record.state() == RecordState.IN_DOUBT
                && ClaimResult.of(claim, record) instanceof ClaimResult.Duplicate;
    }

    /**
     * Changes an owner's record. Answers applied also for a record that is {@code repeated}, because it has the change
     * already, and stale for one that is {@code closed} to the change.
     */
    Settled settle(
            Verb verb,
            StatementValues values,
            Ownership ownership,
            Predicate<StoredRecord> repeated,
            Predicate<StoredRecord> closed) {
        return agreed(ownership.id(), () -> {
            if (database.update(verb, clock.timed(values)) == 1) {
                return APPLIED;
            }
            StoredRecord current = find(ownership.id());
            if (current == null || !current.heldBy(ownership)) {
                return new Settled.Stale(current);
            }
            if (repeated.test(current)) {
                return APPLIED;
            }
            return closed.test(current) ? new Settled.Stale(current) : null;
        });
    }

    /** Repeats an attempt until it answers. Pauses after the first rounds, so that other calls for the key finish. */
    static <T> T agreed(RecordId id, Supplier<@Nullable T> attempt) {
        for (int round = 0; round < ROUNDS; round++) {
            T answer = attempt.get();
            if (answer != null) {
                return answer;
            }
            if (round >= ROUNDS_AT_ONCE) {
                LockSupport.parkNanos(ThreadLocalRandom.current().nextLong(LONGEST_PAUSE_NANOS));
            }
        }
        throw new JdbcStoreException(
                "Record " + id + " changed " + ROUNDS + " times while this call tried to change it."
                        + " If this was a claim, the body did not run. Send the call again.");
    }

    /** Records an outcome. Throws {@code ResultRejectedException} for one that the database can never store. */
    Settled settle(Ownership own, @Nullable StoredResult result, @Nullable StoredFailure failure, Duration retention) {
        StatementValues values = StatementValues.of(own).settling(result, failure, retention);
        Predicate<StoredRecord> repeated =
                record -> values.isSame(StatementValues.of(own).settling(record.result(), record.failure(), retention));
        try {
            return settle(Verb.SETTLE, values, own, repeated, StoredRecord::hasOutcome);
        } catch (JdbcStoreException e) {
            throw e.orRejected();
        }
    }

    Settled doubt(Ownership ownership, String reason, Duration retention) {
        StatementValues values = StatementValues.of(ownership)
                .with(Param.DOUBT, StatementValues.storable(reason))
                .with(Param.RETENTION_MS, retention);
        Predicate<StoredRecord> repeated = record -> record.settledAt() != null && !record.hasOutcome();
        return settle(Verb.DOUBT, values, ownership, repeated, StoredRecord::hasOutcome);
    }

    /** Renews all in one batch, then singly what the batch did not renew: one locked row must not end other leases. */
    List<Settled> renew(List<Renewal> renewals) {
        List<StatementValues> values = renewals.stream()
                .map(each -> StatementValues.of(each.ownership()).open(each.lease(), each.retention()))
                .map(clock::timed)
                .toList();
        int[] changed = renewals.size() == 1 ? new int[1] : renewedAtOnce(values);
        List<Settled> answers = new ArrayList<>();
        Settled away = null;
        for (int i = 0; i < changed.length; i++) {
            Settled answer = changed[i] == 1 ? APPLIED : away;
            if (answer == null) {
                answer = renewed(renewals.get(i).ownership(), values.get(i));
            }
            answers.add(answer);
            if (answer instanceof Settled.Unanswered none
                    && none.failure().getCause() instanceof SQLTransientConnectionException) {
                away = answer; // the others would wait for a connection as long, in vain
            }
        }
        return answers;
    }

    private Settled renewed(Ownership own, StatementValues values) {
        try {
            return settle(Verb.RENEW, values, own, record -> false, record -> record.settledAt() != null);
        } catch (JdbcStoreException | UnreadableRecordException e) {
            return new Settled.Unanswered(e);
        }
    }

    private int[] renewedAtOnce(List<StatementValues> values) {
        try {
            return database.updates(Verb.RENEW, values);
        } catch (JdbcStoreException e) {
            return new int[values.size()];
        }
    }

    @Nullable
    StoredRecord find(RecordId id) {
        StoredRecord record = database.find(StatementValues.of(id));
        if (record == null || !isNews(record)) {
            return record;
        }
        try {
            keepAsSeen(record);
        } catch (ClaimsRefusedException | JdbcStoreException e) {
            if (e instanceof JdbcStoreException sql && !sql.isNotSent()) {
                throw e;
            } // otherwise no standby has it, but a look refuses no key for good
        }
        return database.find(StatementValues.of(id));
    }

    /** Tells whether a lease was over when the record was read, which is not stored yet. */
    private boolean isNews(StoredRecord record) {
        return record.abandoned() && record.doubt() == null && isKeptAsSeen(record);
    }

    /** Not in a transaction, which would lock the row. */
    private boolean isKeptAsSeen(StoredRecord record) {
        return !database.isJoined() && clock.believes(record.readAt(), false);
    }

    /**
     * Stores that a lease was over when it was read: otherwise, once the clock is set back, its owner could release the
     * record. Where that is stored already, standbys have it afterwards, if they have to.
     */
    private void keepAsSeen(StoredRecord record) {
        database.update(Verb.SEEN, StatementValues.of(record.id()).with(Param.FENCE, record.fence()));
    }

    /** Deletes at most {@code limit} expired rows, and returns how many. */
    int purge(int limit) {
        StatementValues values = clock.timed(new StatementValues())
                .with(Param.LIMIT, limit)
                .with(Param.FENCE_MEMORY_US, clock.fenceMemoryMicros());
        return database.update(Verb.PURGE, values);
    }
}
