package io.idempotency.runtime.intercept;

import io.idempotency.runtime.store.AuditNote;
import io.idempotency.runtime.store.Claim;
import io.idempotency.runtime.store.ClaimResult;
import io.idempotency.runtime.store.IdempotencyStore;
import io.idempotency.runtime.store.Ownership;
import io.idempotency.runtime.store.RecordId;
import io.idempotency.runtime.store.RecordQuery;
import io.idempotency.runtime.store.Renewal;
import io.idempotency.runtime.store.Resolution;
import io.idempotency.runtime.store.Settled;
import io.idempotency.runtime.store.StoredFailure;
import io.idempotency.runtime.store.StoredRecord;
import io.idempotency.runtime.store.StoredResult;
import io.micronaut.context.annotation.Requires;
import jakarta.inject.Named;
import jakarta.inject.Singleton;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/** A store that cannot be reached. */
@Singleton
@Named("down")
@Requires(property = "test.down")
final class StoreThatIsDown implements IdempotencyStore {

    @Override
    public String name() {
        return "down";
    }

    private static <T> T down() {
        throw new UncheckedIOException(new IOException("connection refused"));
    }

    @Override
    public ClaimResult claim(Claim claim) {
        return down();
    }

    @Override
    public Settled complete(Ownership ownership, StoredResult result, Duration retention) {
        return down();
    }

    @Override
    public Settled fail(Ownership ownership, StoredFailure failure, Duration retention) {
        return down();
    }

    @Override
    public Settled release(Ownership ownership) {
        return down();
    }

    @Override
    public Settled doubt(Ownership ownership, String reason, Duration retention) {
        return down();
    }

    @Override
    public List<Settled> renew(List<Renewal> renewals) {
        return down();
    }

    @Override
    public Optional<StoredRecord> find(RecordId id) {
        return down();
    }

    @Override
    public List<StoredRecord> list(RecordQuery query) {
        return down();
    }

    @Override
    public Settled resolve(RecordId id, long fence, Resolution resolution, AuditNote note) {
        return down();
    }

    @Override
    public Settled erase(RecordId id, AuditNote note) {
        return down();
    }

    @Override
    public List<String> audit(RecordId id) {
        return down();
    }

    @Override
    public int purge(int limit) {
        return down();
    }
}
