package io.idempotency.jdbc;

import io.idempotency.jdbc.Sql.Param;
import io.idempotency.runtime.store.AuditNote;
import io.idempotency.runtime.store.Claim;
import io.idempotency.runtime.store.ClaimResult;
import io.idempotency.runtime.store.IdempotencyStore;
import io.idempotency.runtime.store.Ownership;
import io.idempotency.runtime.store.RecordId;
import io.idempotency.runtime.store.RecordQuery;
import io.idempotency.runtime.store.Resolution;
import io.idempotency.runtime.store.Settled;
import io.idempotency.runtime.store.SettlementSignals;
import io.idempotency.runtime.store.StoreHealth;
import io.idempotency.runtime.store.StoredFailure;
import io.idempotency.runtime.store.StoredRecord;
import io.idempotency.runtime.store.StoredResult;
import io.idempotency.runtime.store.TransactionalStore;
import io.micronaut.context.ApplicationContext;
import jakarta.annotation.PreDestroy;
import jakarta.inject.Named;
import jakarta.inject.Singleton;
import java.sql.Connection;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Predicate;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Keeps records in one table of a relational database. Every method is one statement, committed by itself on a
 * connection that is held no longer, and never part of the caller's transaction except in {@link #inTransaction}.
 * Methods block and return completed stages, failed ones when the database cannot be reached. Thread-safe.
 */
@Singleton
@Named(JdbcIdempotencyStore.NAME)
public final class JdbcIdempotencyStore implements IdempotencyStore, TransactionalStore, SettlementSignals {

    static final String NAME = "jdbc";
    private static final Predicate<StoredRecord> NEVER = record -> false;

    private final RecordTable table;
    private final Statements sql;
    private final Transactions transactions;
    private final SettledNotifications notifications;
    private final JdbcStoreInitializer opening;
    private final Optional<H2Guard> guard;
    private final @Nullable Connection transaction;

    /** Contacts the database, and refuses to start where that fails or the table does not fit. */
    JdbcIdempotencyStore(JdbcStoreConfiguration configuration, ApplicationContext context) {
        this(JdbcStoreInitializer.of(configuration, context), new Transactions(configuration.getDatasource(), context));
    }

    private JdbcIdempotencyStore(JdbcStoreInitializer opening, Transactions transactions) {
        this(opening, transactions, null);
    }

    private JdbcIdempotencyStore(
            JdbcStoreInitializer opening, Transactions transactions, @Nullable Connection transaction) {
        this.opening = opening;
        this.transaction = transaction;
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
    public boolean blocking() {
        return true;
    }

    @Override
    public CompletionStage<ClaimResult> claim(Claim claim) {
        return done(() -> {
            guard.ifPresent(H2Guard::check);
            ClaimResult answer = table.claim(claim, notifications.heard(claim.id()));
            guard.ifPresent(H2Guard::check);
            return answer;
        });
    }

    @Override
    public CompletionStage<Settled> complete(Ownership ownership, StoredResult result, Duration retention) {
        Values values = Values.of(ownership).settling(result, retention);
        Predicate<StoredRecord> repeated = record -> RecordTable.same(result, record.result());
        Supplier<Settled> complete =
                () -> table.settle(sql.complete(), values, ownership, repeated, StoredRecord::hasOutcome);
        return done(() ->
                result instanceof StoredResult.Present ? RejectedResults.told(transaction, complete) : complete.get());
    }

    @Override
    public CompletionStage<Settled> fail(Ownership ownership, StoredFailure failure, Duration retention) {
        Values values = Values.of(ownership).settling(failure, retention);
        Predicate<StoredRecord> repeated = record -> RecordTable.same(failure, record.failure());
        return done(() -> table.settle(sql.fail(), values, ownership, repeated, StoredRecord::hasOutcome));
    }

    @Override
    public CompletionStage<Settled> release(Ownership ownership) {
        return done(() -> {
            Settled settled =
                    table.settle(sql.release(), Values.of(ownership), ownership, NEVER, RecordTable::everInDoubt);
            return settled.equals(new Settled.Stale(null)) ? new Settled.Applied() : settled;
        });
    }

    @Override
    public CompletionStage<Settled> doubt(Ownership ownership, String reason, Duration retention) {
        Values values =
                Values.of(ownership).with(Param.DOUBT, Values.storable(reason)).with(Param.RETENTION_MS, retention);
        return done(() -> table.settle(sql.doubt(), values, ownership, RecordTable::doubted, StoredRecord::hasOutcome));
    }

    @Override
    public CompletionStage<Settled> renew(Ownership ownership, Duration lease, Duration retention) {
        Values values = Values.of(ownership).open(lease, retention);
        return done(() -> table.settle(sql.renew(), values, ownership, NEVER, record -> record.settledAt() != null));
    }

    @Override
    public CompletionStage<Optional<StoredRecord>> find(RecordId id) {
        return done(() -> table.findBelieved(id));
    }

    @Override
    public CompletionStage<List<StoredRecord>> list(RecordQuery query) {
        return done(() -> table.list(query));
    }

    @Override
    public CompletionStage<Settled> resolve(RecordId id, long fence, Resolution resolution, AuditNote note) {
        return done(() -> table.resolve(id, fence, resolution, note));
    }

    @Override
    public CompletionStage<List<String>> audit(RecordId id) {
        return done(() -> table.audit(id));
    }

    @Override
    public CompletionStage<StoreHealth> health() {
        return done(() -> {
            guard.ifPresent(H2Guard::check);
            return table.health();
        });
    }

    @Override
    public CompletionStage<OptionalLong> approximateSize() {
        return done(table::approximateSize);
    }

    @Override
    public CompletionStage<Integer> purge(int limit) {
        return done(() -> table.purge(limit));
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
        // a mark would keep the row from its owner until the commit
        return transactions.run(status -> work.in(new JdbcIdempotencyStore(
                opening.in(status.getConnection(), lockTimeout), transactions, status.getConnection())));
    }

    @Override
    public Subscription listen(RecordId id, Runnable look) {
        return notifications.listen(id, look);
    }

    @PreDestroy
    void close() {
        notifications.close();
        opening.unpooled().close();
        guard.ifPresent(H2Guard::close);
    }

    private static <T> CompletionStage<T> done(Supplier<T> work) {
        try {
            return CompletableFuture.completedFuture(work.get());
        } catch (RuntimeException e) {
            return CompletableFuture.failedFuture(e);
        }
    }
}
