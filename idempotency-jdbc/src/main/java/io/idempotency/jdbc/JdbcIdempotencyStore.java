package io.idempotency.jdbc;

import io.idempotency.jdbc.connection.OwnConnections;
import io.idempotency.jdbc.connection.Transactions;
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
import io.micronaut.context.ApplicationContext;
import io.micronaut.context.event.ApplicationEventPublisher;
import jakarta.annotation.PreDestroy;
import jakarta.inject.Named;
import jakarta.inject.Singleton;
import java.sql.Connection;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.Predicate;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Keeps records in one table of a relational database. Every method is one statement, committed by itself on a
 * connection that is held no longer, and never part of the caller's transaction except in {@link #inTransaction}.
 * Thread-safe.
 */
@Singleton
@Named(JdbcIdempotencyStore.NAME)
public final class JdbcIdempotencyStore implements IdempotencyStore, TransactionalStore, SettlementSignals {

    static final String NAME = "jdbc";

    private final JdbcStoreStart opened;
    private final RecordTable table;
    private final Transactions transactions;
    private final @Nullable Connection transaction;
    private final @Nullable PromotionWatch timeline;

    /** Contacts the database, and refuses to start where that fails or the table does not fit. */
    JdbcIdempotencyStore(
            JdbcStoreConfiguration configuration,
            ApplicationContext context,
            ApplicationEventPublisher<RecordsMayBeMissing> alarm) {
        this.opened = JdbcStoreStart.of(configuration, context);
        this.table = opened.table();
        this.transactions = new Transactions(configuration.getDatasource(), context);
        this.transaction = null;
        this.timeline = new PromotionWatch(
                table.clockRow(),
                new JdbcIdempotencyStore(opened, transactions, null),
                opened.durability(),
                configuration.getDurabilityCheckInterval(),
                configuration.getRequiredDurability().equals(Optional.of(JdbcDurability.REPLICATED)),
                alarm::publishEvent);
        timeline.start();
    }

    /** Does not look at the timeline: within a transaction, which was asked for before it began, and for the look itself. */
    private JdbcIdempotencyStore(JdbcStoreStart opened, Transactions transactions, @Nullable Connection transaction) {
        this.opened = opened;
        this.table = opened.table();
        this.transactions = transactions;
        this.transaction = transaction;
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
        ClaimResult answer = table.claim(claim, opened.notifications().heard(claim.id()));
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
        Predicate<StoredRecord> repeated = record -> RecordTable.same(result, record.result());
        Supplier<Settled> complete =
                () -> table.settle(Verb.COMPLETE, values, ownership, repeated, StoredRecord::hasOutcome);
        return result instanceof StoredResult.Present
                ? RejectedResults.told(table.dialect(), transaction, complete)
                : complete.get();
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

    private RecordAdministration administration() {
        return new RecordAdministration(table);
    }

    @Override
    public List<StoredRecord> list(RecordQuery query) {
        return administration().list(query);
    }

    @Override
    public Settled resolve(RecordId id, long fence, Resolution resolution, AuditNote note) {
        return administration().resolve(id, fence, resolution, note);
    }

    @Override
    public Settled erase(RecordId id, AuditNote note) {
        return administration().erase(id, note);
    }

    @Override
    public List<String> audit(RecordId id) {
        return administration().audit(id);
    }

    @Override
    public StoreHealth health() {
        checkFile();
        return administration().health(opened.durability(), timeline == null ? null : timeline.missing());
    }

    @Override
    public OptionalLong approximateSize() {
        return administration().approximateSize();
    }

    @Override
    public int purge(int limit) {
        return administration().purge(limit);
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
        // a mark would keep the row from its owner until the commit
        return transactions.run(status -> work.in(new JdbcIdempotencyStore(
                opened.in(status.getConnection(), lockTimeout), transactions, status.getConnection())));
    }

    @Override
    public Subscription listen(RecordId id, Runnable look) {
        return opened.notifications().listen(id, look);
    }

    /** The connections that this store and all its views use. */
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
