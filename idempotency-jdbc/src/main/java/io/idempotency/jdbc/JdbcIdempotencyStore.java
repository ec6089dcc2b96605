package io.idempotency.jdbc;

import io.idempotency.jdbc.connection.OwnConnections;
import io.idempotency.jdbc.connection.Transactions;
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
import jakarta.annotation.PreDestroy;
import jakarta.inject.Named;
import jakarta.inject.Singleton;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Keeps records in one table of a relational database. Each statement is committed by itself on a connection that is
 * given back at once, and joins the caller's transaction only in {@link #inTransaction}. Thread-safe.
 */
@Singleton
@Named(JdbcIdempotencyStore.NAME)
public final class JdbcIdempotencyStore implements IdempotencyStore, TransactionalStore, SettlementSignals {

    static final String NAME = "jdbc";

    private static final Logger LOG = LoggerFactory.getLogger(JdbcIdempotencyStore.class);

    private final JdbcStoreStart opened;
    private final RecordTable table;
    private final Transactions transactions;
    private final @Nullable PromotionWatch timeline;

    /** Connects to the database. Refuses to start when that fails or when the table does not fit. */
    JdbcIdempotencyStore(
            JdbcStoreConfiguration configuration,
            ApplicationContext context,
            ApplicationEventPublisher<RecordsMayBeMissing> alarm) {
        this.opened = JdbcStoreStart.of(configuration, context);
        this.table = opened.table();
        this.transactions = new Transactions(configuration.getDatasource(), context);
        this.timeline = table.database().statements().has(Verb.TIMELINE)
                ? new PromotionWatch(
                        table.database(),
                        opened.durability(),
                        configuration.getDurabilityCheckInterval(),
                        new JdbcIdempotencyStore(opened, table, transactions),
                        alarm::publishEvent)
                : null;
    }

    /** Creates a store that does not check the timeline: for transactions, which check it first, and for the watch. */
    private JdbcIdempotencyStore(JdbcStoreStart opened, RecordTable table, Transactions transactions) {
        this.opened = opened;
        this.table = table;
        this.transactions = transactions;
        this.timeline = null;
    }

    @Override
    public String name() {
        return NAME;
    }

    @Override
    public ClaimResult claim(Claim claim) {
        checkFile();
        requireTimeline();
        // in a transaction, the mark would lock the owner out of its row until the commit
        ClaimResult answer = table.claim(
                claim, !table.database().joined() && opened.notifications().heard(claim.id()));
        checkFile();
        return answer;
    }

    private void checkFile() {
        if (opened.guard() != null) {
            opened.guard().check();
        }
    }

    private void requireTimeline() {
        if (timeline != null) {
            timeline.require();
        }
    }

    @Override
    public Settled complete(Ownership ownership, StoredResult result, Duration retention) {
        StatementValues values = StatementValues.of(ownership).settling(result, null, retention);
        return table.complete(values, ownership, result);
    }

    @Override
    public Settled fail(Ownership ownership, StoredFailure failure, Duration retention) {
        StatementValues values = StatementValues.of(ownership).settling(null, failure, retention);
        Predicate<StoredRecord> repeated = record -> RecordTable.same(failure, record.failure());
        return table.settle(Verb.FAIL, values, ownership, repeated, StoredRecord::hasOutcome);
    }

    @Override
    public Settled release(Ownership ownership) {
        Settled settled = table.settle(
                Verb.RELEASE, StatementValues.of(ownership), ownership, RecordTable.NEVER, RecordTable::everInDoubt);
        return settled.equals(new Settled.Stale(null)) ? new Settled.Applied() : settled;
    }

    @Override
    public Settled doubt(Ownership ownership, String reason, Duration retention) {
        StatementValues values = StatementValues.of(ownership)
                .with(Param.DOUBT, StatementValues.storable(reason))
                .with(Param.RETENTION_MS, retention);
        return table.settle(Verb.DOUBT, values, ownership, RecordTable::doubted, StoredRecord::hasOutcome);
    }

    @Override
    public List<Settled> renew(List<Renewal> renewals) {
        return table.renew(renewals);
    }

    @Override
    public Optional<StoredRecord> find(RecordId id) {
        return table.findBelieved(id);
    }

    @Override
    public Settled resolve(RecordId id, long fence, Resolution resolution, AuditNote note) {
        StatementValues values = StatementValues.of(id).with(Param.FENCE, fence).with(note);
        Verb verb = Verb.FORGET;
        if (resolution instanceof Resolution.Complete complete) {
            values.settling(complete.result(), null, complete.retention());
            verb = Verb.RESOLVE_COMPLETE;
        } else if (resolution instanceof Resolution.Fail fail) {
            values.settling(null, fail.failure(), fail.retention());
            verb = Verb.RESOLVE_FAIL;
        }
        return table.database().update(verb, values) == 1 ? RecordTable.APPLIED : new Settled.Stale(table.find(id));
    }

    /** Does not erase a record whose lease has not ended: its owner may still record an outcome. */
    @Override
    public Settled erase(RecordId id, AuditNote note) {
        for (int round = 0; round < RecordTable.ROUNDS; round++) {
            StoredRecord record = table.find(id);
            if (record == null || record.state() == RecordState.IN_PROGRESS) {
                return new Settled.Stale(record);
            }
            if (table.database().update(Verb.ERASE, erased(record).with(note)) == 1) {
                return RecordTable.APPLIED;
            }
            RecordTable.pause(round);
        }
        throw RecordTable.contended(id);
    }

    private static StatementValues erased(StoredRecord record) {
        StoredResult result = record.result() == null ? null : StoredResult.ERASED;
        StoredFailure failure =
                record.failure() == null ? null : record.failure().erased();
        long before = StatementValues.checksum(record, record.result(), record.failure());
        return StatementValues.of(record.id())
                .with(Param.FENCE, record.fence())
                .with(Param.STATE, record.state().name())
                .settling(result, null, IdempotencyStore.FOREVER)
                .with(Param.DOUBT, RecordTable.doubted(record) ? IdempotencyStore.ERASED : null)
                .with(Param.CHECKSUM, StatementValues.checksum(record, result, failure) - before)
                .with(Param.SEEN_CHECKSUM, before);
    }

    @Override
    public StoreHealth health() {
        checkFile();
        RecordsMayBeMissing missing = timeline == null ? null : timeline.missing();
        boolean believed = table.clock().believes(table.database());
        Map<String, String> details = new TreeMap<>(table.database().ask(opened.durability()::health));
        if (missing != null) {
            details.put("recordsMayBeMissing", missing.toString());
        }
        table.clock().problem().ifPresent(problem -> details.put("clock", problem));
        boolean refusing = timeline != null && timeline.isRefusing();
        return new StoreHealth(believed && !refusing && !details.containsKey(Durability.PROBLEM), details);
    }

    @Override
    public List<String> audit(RecordId id) {
        return table.database()
                .text(Verb.AUDIT, StatementValues.of(id))
                .map(trail -> trail.lines().toList())
                .orElse(List.of());
    }

    @Override
    public List<StoredRecord> list(RecordQuery query) {
        RecordQuery.Position after = query.after();
        StatementValues values = new StatementValues()
                .with(Param.STATE, query.state().name())
                .with(Param.OLDER_THAN_MS, query.olderThan())
                .with(Param.ANY_OPERATION, query.operation() == null ? 1 : 0)
                .with(Param.OPERATION, query.operation())
                .with(Param.AFTER_MS, (Object)
                        (after == null ? -1L : after.claimedAt().toEpochMilli()))
                .with(Param.AFTER_ID, after == null ? " " : after.id().value());
        Verb list = switch (query.state()) {
            case IN_PROGRESS -> Verb.LIST_IN_PROGRESS;
            case IN_DOUBT -> Verb.LIST_IN_DOUBT;
            case COMPLETED, FAILED -> Verb.LIST_SETTLED;
        };
        // rows that are left out do not make the page shorter, which would be taken for the last one
        for (int limit = query.limit(); ; ) {
            AtomicInteger seen = new AtomicInteger();
            List<StoredRecord> found =
                    table.database().rows(list, values.with(Param.LIMIT, limit), row -> readable(row, seen)).stream()
                            // a lease may end between the evaluation of the condition and the reading of the clock
                            .filter(record -> record.state() == query.state())
                            .limit(query.limit())
                            .toList();
            if (seen.get() < limit || found.size() == query.limit()) {
                return found;
            }
            limit += query.limit() - found.size();
        }
    }

    /** Counts and reads a record for a list. Returns null for an unreadable record, which must not hide the others. */
    private static @Nullable StoredRecord readable(ResultSet row, AtomicInteger seen) throws SQLException {
        seen.incrementAndGet();
        try {
            return RecordRow.read(row);
        } catch (UnreadableRecordException | IllegalArgumentException e) {
            LOG.warn("Left out of a list: {}", e.getMessage());
            return null;
        }
    }

    /** Returns an estimate; empty while the database has no statistics. */
    @Override
    public OptionalLong approximateSize() {
        return table.database()
                .text(Verb.APPROXIMATE_SIZE, new StatementValues())
                .map(text -> OptionalLong.of(Long.parseLong(text)))
                .orElse(OptionalLong.empty());
    }

    @Override
    public int purge(int limit) {
        return table.purge(limit);
    }

    @Override
    public Optional<TransactionalStore> transactional() {
        return Optional.of(this);
    }

    @Override
    public Optional<SettlementSignals> signals() {
        return Optional.of(this);
    }

    @Override
    public String dataSource() {
        return transactions.dataSource();
    }

    @Override
    public <T> T inTransaction(Duration lockTimeout, Work<T> work) {
        requireTimeline();
        return transactions.run(status ->
                work.in(new JdbcIdempotencyStore(opened, table.in(status.getConnection(), lockTimeout), transactions)));
    }

    @Override
    public Subscription listen(RecordId id, Runnable look) {
        return opened.notifications().listen(id, look);
    }

    /** Returns the connections that this store and its views in transactions share. */
    OwnConnections own() {
        return opened.own();
    }

    @PreDestroy
    void close() {
        opened.notifications().close();
        if (opened.guard() != null) {
            opened.guard().close();
        }
        own().close();
    }
}
