package io.idempotency.jdbc;

import io.idempotency.jdbc.Sql.Param;
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

    private final RecordTable table;
    private final Statements sql;
    private final Transactions transactions;
    private final SettledNotifications notifications;
    private final JdbcStoreInitializer opening;
    private final Optional<H2Guard> guard;
    private final @Nullable Connection transaction;
    private final @Nullable PromotionWatch timeline;

    /** Contacts the database, and refuses to start where that fails or the table does not fit. */
    JdbcIdempotencyStore(
            JdbcStoreConfiguration configuration,
            ApplicationContext context,
            ApplicationEventPublisher<RecordsMayBeMissing> alarm) {
        this(
                configuration,
                JdbcStoreInitializer.of(configuration, context),
                new Transactions(configuration.getDatasource(), context),
                alarm);
    }

    private JdbcIdempotencyStore(
            JdbcStoreConfiguration configuration,
            JdbcStoreInitializer opening,
            Transactions transactions,
            ApplicationEventPublisher<RecordsMayBeMissing> alarm) {
        this(
                opening,
                transactions,
                null,
                new PromotionWatch(
                        opening.table().clockRow(),
                        new JdbcIdempotencyStore(opening, transactions, null, null),
                        opening.durability(),
                        configuration.getDurabilityCheckInterval(),
                        configuration.getRequiredDurability().equals(Optional.of(JdbcDurability.REPLICATED)),
                        alarm::publishEvent));
        if (timeline != null) {
            timeline.start();
        }
    }

    private JdbcIdempotencyStore(
            JdbcStoreInitializer opening,
            Transactions transactions,
            @Nullable Connection transaction,
            @Nullable PromotionWatch timeline) {
        this.opening = opening;
        this.transaction = transaction;
        this.timeline = timeline;
        this.guard = opening.guard();
        this.notifications = opening.notifications();
        this.table = opening.table();
        this.sql = table.sql();
        this.transactions = transactions;
    }

    @Override
    public String name() {
        return NAME;
    }

    @Override
    public ClaimResult claim(Claim claim) {
        guard.ifPresent(H2Guard::check);
        requireTimeline();
        ClaimResult answer = table.claim(claim, notifications.heard(claim.id()));
        guard.ifPresent(H2Guard::check);
        return answer;
    }

    /** A claim within a transaction has been asked for before the transaction began. */
    private void requireTimeline() {
        if (timeline != null) {
            timeline.require();
        }
    }

    @Override
    public Settled complete(Ownership ownership, StoredResult result, Duration retention) {
        StatementValues values = StatementValues.of(ownership).settling(result, retention);
        Predicate<StoredRecord> repeated = record -> RecordTable.same(result, record.result());
        Supplier<Settled> complete =
                () -> table.settle(sql.complete(), values, ownership, repeated, StoredRecord::hasOutcome);
        return result instanceof StoredResult.Present ? RejectedResults.told(transaction, complete) : complete.get();
    }

    @Override
    public Settled fail(Ownership ownership, StoredFailure failure, Duration retention) {
        StatementValues values = StatementValues.of(ownership).settling(failure, retention);
        Predicate<StoredRecord> repeated = record -> RecordTable.same(failure, record.failure());
        return table.settle(sql.fail(), values, ownership, repeated, StoredRecord::hasOutcome);
    }

    @Override
    public Settled release(Ownership ownership) {
        Settled settled = table.settle(
                sql.release(), StatementValues.of(ownership), ownership, RecordTable.NEVER, RecordTable::everInDoubt);
        return settled.equals(new Settled.Stale(null)) ? new Settled.Applied() : settled;
    }

    @Override
    public Settled doubt(Ownership ownership, String reason, Duration retention) {
        StatementValues values = StatementValues.of(ownership)
                .with(Param.DOUBT, StatementValues.storable(reason))
                .with(Param.RETENTION_MS, retention);
        return table.settle(sql.doubt(), values, ownership, RecordTable::doubted, StoredRecord::hasOutcome);
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
        guard.ifPresent(H2Guard::check);
        return administration().health(timeline == null ? null : timeline.missing());
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
                opening.in(status.getConnection(), lockTimeout), transactions, status.getConnection(), null)));
    }

    @Override
    public Subscription listen(RecordId id, Runnable look) {
        return notifications.listen(id, look);
    }

    /** The connections that this store and all its views use. */
    OwnConnections own() {
        return opening.own();
    }

    @PreDestroy
    void close() {
        notifications.close();
        guard.ifPresent(H2Guard::close);
        own().close();
    }
}
