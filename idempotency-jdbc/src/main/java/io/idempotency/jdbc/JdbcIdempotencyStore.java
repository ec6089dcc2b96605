package io.idempotency.jdbc;

import io.idempotency.jdbc.connection.JdbcStoreException;
import io.idempotency.jdbc.sql.RecordRow;
import io.idempotency.jdbc.sql.Sql.Param;
import io.idempotency.jdbc.sql.StatementValues;
import io.idempotency.jdbc.sql.Statements.Verb;
import io.idempotency.runtime.store.AuditNote;
import io.idempotency.runtime.store.Claim;
import io.idempotency.runtime.store.ClaimResult;
import io.idempotency.runtime.store.IdempotencyStore;
import io.idempotency.runtime.store.Ownership;
import io.idempotency.runtime.store.RecordId;
import io.idempotency.runtime.store.RecordQuery;
import io.idempotency.runtime.store.RecordState;
import io.idempotency.runtime.store.RecordsMayBeMissing;
import io.idempotency.runtime.store.Renewal;
import io.idempotency.runtime.store.Resolution;
import io.idempotency.runtime.store.Settled;
import io.idempotency.runtime.store.SettlementSignals;
import io.idempotency.runtime.store.StoreHealth;
import io.idempotency.runtime.store.StoredFailure;
import io.idempotency.runtime.store.StoredRecord;
import io.idempotency.runtime.store.StoredResult;
import io.idempotency.runtime.store.TransactionalStore;
import io.idempotency.runtime.store.UnreadableRecordException;
import io.micronaut.context.ApplicationContext;
import io.micronaut.context.event.ApplicationEventPublisher;
import io.micronaut.transaction.exceptions.UnexpectedRollbackException;
import jakarta.annotation.PreDestroy;
import jakarta.inject.Inject;
import jakarta.inject.Named;
import jakarta.inject.Singleton;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Keeps records in one table of a relational database. Each statement is committed by itself on a connection that is
 * given back at once, and joins the caller's transaction only in {@link #inTransaction}. Thread-safe.
 */
@Singleton
@Named(JdbcIdempotencyStore.NAME)
public final class JdbcIdempotencyStore implements IdempotencyStore, TransactionalStore {

    static final String NAME = "jdbc";

    private static final Logger LOG = LoggerFactory.getLogger(JdbcIdempotencyStore.class);

    final JdbcStoreStart opened;
    private final RecordTable table;

    @Inject
    JdbcIdempotencyStore(
            JdbcStoreConfiguration configuration,
            ApplicationContext context,
            ApplicationEventPublisher<RecordsMayBeMissing> alarm) {
        this.opened = new JdbcStoreStart(configuration, context, alarm::publishEvent);
        this.table = opened.table;
    }

    private JdbcIdempotencyStore(JdbcStoreStart opened, RecordTable table) {
        this.opened = opened;
        this.table = table;
    }

    @Override
    public String name() {
        return NAME;
    }

    @Override
    public ClaimResult claim(Claim claim) {
        boolean answered = false;
        try {
            requireUsable();
            boolean joined = table.database().isJoined();
            // in a transaction, the mark would lock the owner out of its row until the commit
            boolean waits = !joined && opened.notifications != null && opened.notifications.heard(claim.id());
            Optional<ClaimResult> recorded = joined ? opened.recorded(claim) : Optional.empty();
            ClaimResult answer = recorded.orElseGet(() -> table.claim(claim, waits));
            answered = true;
            requireUsable(); // a standby may have been promoted while the claim waited for a connection
            return answer;
        } catch (JdbcStoreException e) {
            throw answered || !e.isAway() ? e.asRefusal() : e;
        } catch (IllegalStateException e) { // the caller that sent it for several died
            throw new ClaimsRefusedException(String.valueOf(e.getMessage()), e);
        }
    }

    private void requireUsable() {
        if (opened.guard != null) {
            opened.guard.check();
        }
        if (opened.timeline != null) {
            opened.timeline.require();
        }
    }

    @Override
    public Settled complete(Ownership ownership, StoredResult result, Duration retention) {
        return table.settle(ownership, result, null, retention);
    }

    @Override
    public Settled fail(Ownership ownership, StoredFailure failure, Duration retention) {
        return table.settle(ownership, null, failure, retention);
    }

    @Override
    public Settled release(Ownership ownership) {
        Settled settled = table.settle(
                Verb.RELEASE,
                StatementValues.of(ownership),
                ownership,
                record -> false,
                // a duplicate may have been told the outcome, or that it is unknown
                record -> record.state() != RecordState.IN_PROGRESS || record.doubt() != null);
        return settled.equals(new Settled.Stale(null)) ? RecordTable.APPLIED : settled;
    }

    @Override
    public Settled doubt(Ownership ownership, String reason, Duration retention) {
        return table.doubt(ownership, reason, retention);
    }

    @Override
    public List<Settled> renew(List<Renewal> renewals) {
        return table.renew(renewals);
    }

    @Override
    public Optional<StoredRecord> find(RecordId id) {
        Optional<StoredRecord> found = Optional.ofNullable(table.find(id));
        found.ifPresent(record -> table.require(record.readAt())); // by a clock that jumped its lease could seem over
        return found;
    }

    @Override
    public Settled resolve(RecordId id, long fence, Resolution resolution, AuditNote note) {
        StatementValues values = StatementValues.of(id).with(Param.FENCE, fence).with(note);
        if (resolution instanceof Resolution.Complete complete) {
            values.settling(complete.result(), null, complete.retention());
        } else if (resolution instanceof Resolution.Fail fail) {
            values.settling(null, fail.failure(), fail.retention());
        }
        Verb verb = resolution instanceof Resolution.Forget ? Verb.FORGET : Verb.RESOLVE;
        try {
            int changed = table.database().update(verb, values);
            return changed == 1 ? RecordTable.APPLIED : new Settled.Stale(table.find(id));
        } catch (JdbcStoreException e) {
            throw e.orRejected();
        }
    }

    /** Does not erase a record whose lease has not ended: its owner may still record an outcome. */
    @Override
    public Settled erase(RecordId id, AuditNote note) {
        return RecordTable.agreed(id, () -> {
            StoredRecord record = table.find(id);
            if (record == null || record.state() == RecordState.IN_PROGRESS) {
                return new Settled.Stale(record);
            }
            return table.database().update(Verb.ERASE, erased(record).with(note)) == 1 ? RecordTable.APPLIED : null;
        });
    }

    private static StatementValues erased(StoredRecord record) {
        StoredResult result = record.result() == null ? null : StoredResult.ERASED;
        StoredFailure failure =
                record.failure() == null ? null : record.failure().erased();
        long before = StatementValues.checksum(record, record.result(), record.failure());
        return StatementValues.of(record.id())
                .with(Param.FENCE, record.fence())
                .settling(result, null, IdempotencyStore.FOREVER)
                .with(Param.STATE, record.state().name())
                .with(Param.DOUBT, record.hasOutcome() || record.abandoned() ? null : IdempotencyStore.ERASED)
                .with(Param.CHECKSUM, StatementValues.checksum(record, result, failure) - before)
                .with(Param.SEEN_CHECKSUM, before);
    }

    @Override
    public StoreHealth health() {
        if (opened.guard != null) {
            opened.guard.check();
        }
        Map<String, String> details = table.database().ask(opened.durability::health);
        boolean believed = table.clock().believes(ClockWatch.now(table.database()), false);
        if (!believed) {
            details.put("clock", table.clock().problem());
        }
        boolean taken = opened.timeline == null || opened.timeline.health(details);
        return new StoreHealth(believed && taken && !details.containsKey(Durability.PROBLEM), details);
    }

    @Override
    public List<String> audit(RecordId id) {
        return table.database().text(Verb.AUDIT, StatementValues.of(id)).stream()
                .flatMap(String::lines)
                .toList();
    }

    @Override
    public List<StoredRecord> list(RecordQuery query) {
        RecordQuery.Position after = query.after();
        StatementValues values = new StatementValues()
                .with(Param.STATE, query.state().name())
                .with(Param.OLDER_THAN_MS, query.olderThan())
                .with(Param.ANY_OPERATION, query.operation() == null ? 1 : 0)
                .with(Param.OPERATION, StatementValues.storable(query.operation()))
                .with(Param.AFTER_MS, after == null ? -1L : after.claimedAt().toEpochMilli())
                .with(Param.AFTER_ID, after == null ? " " : after.id().value());
        Verb list = switch (query.state()) {
            case IN_PROGRESS -> Verb.LIST_IN_PROGRESS;
            case IN_DOUBT -> Verb.LIST_IN_DOUBT;
            case COMPLETED, FAILED -> Verb.LIST_SETTLED;
        };
        // rows that are left out do not make the page shorter, which would be taken for the last one
        for (int limit = query.limit(); ; ) {
            List<Optional<StoredRecord>> rows =
                    table.database().rows(list, values.with(Param.LIMIT, limit), JdbcIdempotencyStore::readable);
            List<StoredRecord> found = rows.stream()
                    .flatMap(Optional::stream)
                    // a lease may end between the evaluation of the condition and the reading of the clock
                    .filter(record -> record.state() == query.state())
                    .limit(query.limit())
                    .toList();
            if (rows.size() < limit || found.size() == query.limit()) {
                return found;
            }
            limit *= 2;
        }
    }

    /** Reads a record for a list; empty for an unreadable record, which must not hide the others. */
    private static Optional<StoredRecord> readable(ResultSet row) throws SQLException {
        try {
            return Optional.ofNullable(RecordRow.read(row));
        } catch (UnreadableRecordException | IllegalArgumentException e) {
            LOG.warn("Left out of a list: {}", e.getMessage());
            return Optional.empty();
        }
    }

    /** Returns an estimate; empty while the database has no statistics. */
    @Override
    public OptionalLong approximateSize() {
        return table.database().number(Verb.APPROXIMATE_SIZE, new StatementValues()).stream()
                .mapToLong(Long::longValue)
                .findFirst();
    }

    @Override
    public int purge(int limit) {
        int removed = table.purge(limit);
        if (removed < limit) { // once in a run, whose other batches are full
            opened.keepTime();
        }
        return removed;
    }

    @Override
    public Optional<TransactionalStore> transactional() {
        return opened.shared ? Optional.of(this) : Optional.empty();
    }

    @Override
    public Optional<SettlementSignals> signals() {
        return Optional.ofNullable(opened.notifications);
    }

    @Override
    public String dataSource() {
        return opened.datasource;
    }

    @Override
    public boolean hasOwnConnections() {
        return opened.own.pooled();
    }

    @Override
    public <T> T inTransaction(Duration lockTimeout, Work<T> work) {
        requireUsable(); // while no connection is held, which may be the only one
        opened.requireTransaction();
        return opened.inTransaction(status -> {
            if (status.getConnection().getAutoCommit()) {
                throw new ClaimsRefusedException(
                        "The body did not run: the @Transactional around the call has no transaction to join (SUPPORTS,"
                                + " NOT_SUPPORTED or NEVER). Let it be REQUIRED, or call the operation outside of it.",
                        null);
            }
            T answer = work.in(new JdbcIdempotencyStore(opened, table.in(status.getConnection(), lockTimeout)));
            if (status.isRollbackOnly()) { // of which Micronaut tells its own caller only
                throw new RollbackOnlyException(
                        new UnexpectedRollbackException("The body marked its transaction as rollback-only"));
            }
            return answer;
        });
    }

    @PreDestroy
    void close() {
        if (opened.notifications != null) {
            opened.notifications.close();
        }
        if (opened.guard != null) {
            opened.guard.close();
        }
        opened.own.close();
    }
}
