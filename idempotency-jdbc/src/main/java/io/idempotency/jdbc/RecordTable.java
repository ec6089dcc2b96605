package io.idempotency.jdbc;

import io.idempotency.jdbc.connection.ConnectionSource.NotSentException;
import io.idempotency.jdbc.connection.JdbcStoreException;
import io.idempotency.jdbc.connection.StatementRunner;
import io.idempotency.jdbc.sql.Dialect;
import io.idempotency.jdbc.sql.RecordRow;
import io.idempotency.jdbc.sql.Sql.Param;
import io.idempotency.jdbc.sql.StatementValues;
import io.idempotency.jdbc.sql.Statements.Verb;
import io.idempotency.runtime.store.Claim;
import io.idempotency.runtime.store.ClaimResult;
import io.idempotency.runtime.store.Ownership;
import io.idempotency.runtime.store.RecordId;
import io.idempotency.runtime.store.RecordState;
import io.idempotency.runtime.store.Renewal;
import io.idempotency.runtime.store.Settled;
import io.idempotency.runtime.store.StoredFailure;
import io.idempotency.runtime.store.StoredRecord;
import io.idempotency.runtime.store.StoredResult;
import java.sql.Connection;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * The table, asked one statement at a time. What decides is always the statement that writes; what it did not change is
 * read afterwards, to say why, and a reading that contradicts it means that others were in between: then it is asked
 * again.
 *
 * @param database where statements run
 * @param clock whether the database's is believed
 * @param replays whether to ask before claiming
 */
record RecordTable(StatementRunner database, ClockWatch clock, ReplayRatio replays) {

    static final Predicate<StoredRecord> NEVER = record -> false;

    static final int ROUNDS = 64;
    private static final int ROUNDS_AT_ONCE = 4;
    private static final long LONGEST_PAUSE_NANOS = 5_000_000;
    static final Settled APPLIED = new Settled.Applied();

    RecordTable in(Connection transaction, Duration lockTimeout) {
        return new RecordTable(database.in(transaction, lockTimeout), clock, new ReplayRatio(101));
    }

    /**
     * Claims.
     *
     * @param waits whether the caller is told when the record that it finds in progress is settled
     */
    ClaimResult claim(Claim claim, boolean waits) {
        try {
            for (int round = 0; round < ROUNDS; round++) {
                ClaimResult answer = claimed(claim, waits);
                if (!(answer instanceof ClaimResult.Duplicate duplicate && keptAsSeen(duplicate.record()))) {
                    return answer;
                }
            }
            throw contended(claim.id());
        } catch (JdbcStoreException e) {
            StoredRecord there = e.getCause() instanceof NotSentException ? find(claim.id()) : null;
            if (there == null || takesOver(claim, there)) {
                throw e;
            }
            return ClaimResult.of(claim, there); // this writes nothing
        }
    }

    private ClaimResult claimed(Claim claim, boolean waits) {
        StatementValues id = StatementValues.of(claim.id());
        StoredRecord record = replays.asksFirst() ? database.find(id) : null;
        for (int round = 0; round < ROUNDS; round++) {
            if (record == null) {
                RecordRow.Inserted fresh = database.inserted(Verb.CLAIM, written(claim));
                if (fresh != null) {
                    return believed(claim, new ClaimResult.Acquired(fresh.fence(), 1), fresh.claimedAt());
                }
                record = database.current(id);
            }
            if (record != null && clock.believes(record.readAt())) {
                if (takesOver(claim, record)) {
                    record = database.reclaimed(written(claim)) ? database.current(id) : null;
                } else if (waits && !marked(claim, record)) {
                    record = null;
                }
            } else if (record == null && database.reclaimed(written(claim))) {
                record = database.current(id);
            }
            if (record != null) {
                return believed(claim, ClaimResult.of(claim, record), record.readAt());
            }
            if (round == ROUNDS_AT_ONCE && !clock.believes(clockRow().now())) {
                throw clock.refused();
            }
            pause(round);
        }
        throw contended(claim.id());
    }

    /** A replay has no need of it. */
    private StatementValues written(Claim claim) {
        return StatementValues.of(claim).with(Param.LATEST_MS, (Object) clock.latestMs());
    }

    /** Whether the settlement of another owner's record is signalled to the waiting caller; false where it was settled meanwhile. */
    private boolean marked(Claim claim, StoredRecord record) {
        return record.settledAt() != null
                || record.owner().equals(claim.owner())
                || !database.statements().has(Verb.MARK)
                || database.text(Verb.MARK, StatementValues.of(claim.id())).isPresent();
    }

    private ClaimResult believed(Claim claim, ClaimResult answer, Instant readAt) {
        replays.learn(
                answer instanceof ClaimResult.Duplicate found && found.record().hasOutcome());
        if (clock.believes(readAt)) {
            return answer;
        }
        if (answer instanceof ClaimResult.Acquired own && own.attempt() == 1) {
            database.update(Verb.RELEASE, StatementValues.of(new Ownership(claim.id(), claim.owner(), own.fence())));
        }
        throw clock.refused();
    }

    Dialect dialect() {
        return database.statements().dialect();
    }

    ClockRow clockRow() {
        return new ClockRow(database, clock);
    }

    /** Only chooses the statement to send: that one decides by itself. */
    private static boolean takesOver(Claim claim, StoredRecord record) {
        return claim.takeOver()
                && record.state() == RecordState.IN_DOUBT
                && ClaimResult.of(claim, record) instanceof ClaimResult.Duplicate;
    }

    /**
     * Changes the record of an owner.
     *
     * @param verb counts one row when it was applied
     * @param values its parameters
     * @param ownership who asks
     * @param repeated whether the owner's record shows that the same was applied before
     * @param closed whether the verb leaves the owner's record alone
     */
    Settled settle(
            Verb verb,
            StatementValues values,
            Ownership ownership,
            Predicate<StoredRecord> repeated,
            Predicate<StoredRecord> closed) {
        for (int round = 0; round < ROUNDS; round++) {
            if (database.update(verb, values) == 1) {
                return APPLIED;
            }
            StoredRecord current = find(ownership.id());
            if (current == null || !current.heldBy(ownership)) {
                return new Settled.Stale(current);
            }
            if (repeated.test(current)) {
                return APPLIED;
            }
            if (closed.test(current)) {
                return new Settled.Stale(current);
            }
            pause(round);
        }
        throw contended(ownership.id());
    }

    /**
     * Renews all in one batch, and what that did not renew one by one: a row that another transaction has locked ends the batch, and
     * must not end the leases of others.
     */
    List<Settled> renew(List<Renewal> renewals) {
        List<StatementValues> values = renewals.stream()
                .map(each -> StatementValues.of(each.ownership()).open(each.lease(), each.retention()))
                .toList();
        int[] changed = renewals.size() == 1 ? new int[1] : renewedAtOnce(values);
        List<Settled> answers = new ArrayList<>();
        JdbcStoreException failure = null;
        for (int i = 0; i < changed.length; i++) {
            Ownership own = renewals.get(i).ownership();
            try {
                answers.add(
                        changed[i] == 1
                                ? APPLIED
                                : settle(Verb.RENEW, values.get(i), own, NEVER, record -> record.settledAt() != null));
            } catch (JdbcStoreException e) {
                failure = e;
            }
        }
        if (failure != null) {
            throw failure;
        }
        return answers;
    }

    private int[] renewedAtOnce(List<StatementValues> values) {
        try {
            return database.updates(Verb.RENEW, values);
        } catch (JdbcStoreException e) {
            return new int[values.size()];
        }
    }

    /** Removes the row of an owner, and with it the memory of its fence: only for a key that is never claimed again. */
    void remove(Ownership ownership) {
        database.update(Verb.REMOVE, StatementValues.of(ownership));
    }

    @Nullable
    StoredRecord find(RecordId id) {
        for (int round = 0; round < ROUNDS; round++) {
            StoredRecord record = database.find(StatementValues.of(id));
            if (record == null || !keptAsSeen(record)) {
                return record;
            }
        }
        throw contended(id);
    }

    /**
     * Keeps that a lease was over when it was read, because a clock that is set back would let its owner release the
     * record. Not in a transaction, which would keep the row from its owner, and forget it by a rollback.
     *
     * @return true when the record is to be read again
     */
    private boolean keptAsSeen(StoredRecord record) {
        boolean news =
                record.abandoned() && record.doubt() == null && !database.joined() && clock.believes(record.readAt());
        if (news) {
            database.update(Verb.SEEN, StatementValues.of(record.id()).with(Param.FENCE, record.fence()));
        }
        return news;
    }

    /** Removes at most so many expired rows, and keeps the time now and then. */
    int purge(int limit) {
        StatementValues values =
                new StatementValues().with(Param.LIMIT, limit).with(Param.LATEST_MS, (Object) clock.latestMs());
        int removed = database.update(Verb.PURGE, values);
        if (clock.keepsTime()) {
            clockRow().keepTime();
        }
        return removed;
    }

    /** For callers that wait: by a clock that jumped they would be told of a lease that is not over. */
    Optional<StoredRecord> findBelieved(RecordId id) {
        StoredRecord record = find(id);
        if (record != null && !clock.believes(record.readAt())) {
            throw clock.refused();
        }
        return Optional.ofNullable(record);
    }

    /** Many calls at one key stop each other for ever if none of them gives way. */
    static void pause(int round) {
        if (round >= ROUNDS_AT_ONCE) {
            LockSupport.parkNanos(ThreadLocalRandom.current().nextLong(LONGEST_PAUSE_NANOS));
        }
    }

    static JdbcStoreException contended(RecordId id) {
        return new JdbcStoreException(
                "Record " + id + " changed " + ROUNDS + " times while this call tried to. It was left to the others; if"
                        + " this was a claim, the body did not run. Send the call again.",
                null);
    }

    /** Whether a record shows what a call wanted to make of it: then the call was applied before, and its answer was lost. */
    static boolean same(StoredResult asked, @Nullable StoredResult stored) {
        if (asked instanceof StoredResult.Omitted omitted && stored instanceof StoredResult.Omitted there) {
            return omitted.size() == there.size() && there.reason().equals(StatementValues.storable(omitted.reason()));
        }
        return asked.equals(stored);
    }

    static boolean same(StoredFailure asked, @Nullable StoredFailure stored) {
        return new StoredFailure(
                        asked.type(), StatementValues.storable(asked.message()), StatementValues.storable(asked.code()))
                .equals(stored);
    }

    /** Put in doubt by its owner, rather than by a lease that ran out. */
    static boolean doubted(StoredRecord record) {
        return record.settledAt() != null && !record.hasOutcome();
    }

    /** Whether others may have been told that its outcome is unknown, or know it. */
    static boolean everInDoubt(StoredRecord record) {
        return record.state() != RecordState.IN_PROGRESS || record.doubt() != null;
    }
}
