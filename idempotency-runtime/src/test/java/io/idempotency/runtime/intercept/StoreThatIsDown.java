package io.idempotency.runtime.intercept;

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
import io.idempotency.runtime.store.StoredFailure;
import io.idempotency.runtime.store.StoredRecord;
import io.idempotency.runtime.store.StoredResult;
import io.idempotency.runtime.store.TransactionalStore;
import io.micronaut.context.annotation.Requires;
import jakarta.inject.Named;
import jakarta.inject.Singleton;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/** A store that nobody can reach. */
@Singleton
@Named("down")
@Requires(property = "test.down")
final class StoreThatIsDown implements IdempotencyStore {

    @Override
    public String name() {
        return "down";
    }

    private static <T> CompletionStage<T> down() {
        return CompletableFuture.failedFuture(new IOException("connection refused"));
    }

    @Override
    public Optional<TransactionalStore> transactional() {
        return Optional.empty();
    }

    @Override
    public Optional<SettlementSignals> signals() {
        return Optional.empty();
    }

    @Override
    public boolean blocking() {
        return false;
    }

    @Override
    public CompletionStage<ClaimResult> claim(Claim claim) {
        return down();
    }

    @Override
    public CompletionStage<Settled> complete(Ownership ownership, StoredResult result, Duration retention) {
        return down();
    }

    @Override
    public CompletionStage<Settled> fail(Ownership ownership, StoredFailure failure, Duration retention) {
        return down();
    }

    @Override
    public CompletionStage<Settled> release(Ownership ownership) {
        return down();
    }

    @Override
    public CompletionStage<Settled> doubt(Ownership ownership, String reason, Duration retention) {
        return down();
    }

    @Override
    public CompletionStage<Settled> renew(Ownership ownership, Duration lease, Duration retention) {
        return down();
    }

    @Override
    public CompletionStage<Optional<StoredRecord>> find(RecordId id) {
        return down();
    }

    @Override
    public CompletionStage<List<StoredRecord>> list(RecordQuery query) {
        return down();
    }

    @Override
    public CompletionStage<Settled> resolve(RecordId id, long fence, Resolution resolution, AuditNote note) {
        return down();
    }

    @Override
    public CompletionStage<List<String>> audit(RecordId id) {
        return down();
    }

    @Override
    public CompletionStage<Integer> purge(int limit) {
        return down();
    }
}
