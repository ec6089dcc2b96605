package io.idempotency.jdbc;

import static java.util.concurrent.CompletableFuture.completedFuture;

import io.idempotency.runtime.store.Claim;
import io.idempotency.runtime.store.ClaimResult;
import io.idempotency.runtime.store.IdempotencyStore;
import io.idempotency.runtime.store.Ownership;
import io.idempotency.runtime.store.RecordId;
import io.idempotency.runtime.store.RecordState;
import io.idempotency.runtime.store.Resolution;
import io.idempotency.runtime.store.Settled;
import io.idempotency.runtime.store.StoredFailure;
import io.idempotency.runtime.store.StoredRecord;
import io.idempotency.runtime.store.StoredResult;
import io.micronaut.context.ApplicationContext;
import jakarta.inject.Named;
import jakarta.inject.Singleton;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletionStage;
import java.util.function.Predicate;

/**
 * Keeps records in one table of a relational database. Every method is one statement, committed by itself on a
 * connection that is held no longer; what a statement did not change is read afterwards, to say why. Methods block, and
 * throw when the database cannot be reached. Thread-safe.
 */
@Singleton
@Named(JdbcIdempotencyStore.NAME)
public final class JdbcIdempotencyStore implements IdempotencyStore {

    static final String NAME = "jdbc";

    /** Each round means that another caller claimed, settled or released the same key in between. */
    private static final int ROUNDS = 64;

    private final Database database;
    private final Statements sql;

    /** Contacts the database and refuses to start where that fails. */
    JdbcIdempotencyStore(JdbcStoreConfiguration configuration, ApplicationContext context) {
        Opening opening = Opening.of(configuration, context);
        this.database = opening.database();
        this.sql = opening.sql();
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
        Values values = Values.of(claim);
        for (int round = 0; round < ROUNDS; round++) {
            StoredRecord record = database.claimed(sql.claim(), values);
            if (record == null) {
                record = database.record(sql.find(), values);
            }
            if (record != null) {
                return completedFuture(ClaimResult.of(claim, record));
            }
        }
        throw contended(claim.id());
    }

    @Override
    public CompletionStage<Settled> complete(Ownership ownership, StoredResult result, Duration retention) {
        Values values = Values.of(ownership).with(result).with(Param.RETENTION_MS, retention);
        return settle(sql.complete(), values, ownership, record -> Outcomes.same(result, record.result()));
    }

    @Override
    public CompletionStage<Settled> fail(Ownership ownership, StoredFailure failure, Duration retention) {
        Values values = Values.of(ownership).with(failure).with(Param.RETENTION_MS, retention);
        return settle(sql.fail(), values, ownership, record -> Outcomes.same(failure, record.failure()));
    }

    @Override
    public CompletionStage<Settled> release(Ownership ownership) {
        return settle(sql.release(), Values.of(ownership), ownership, record -> false)
                .thenApply(settled -> settled.equals(new Settled.Stale(null)) ? new Settled.Applied() : settled);
    }

    @Override
    public CompletionStage<Settled> doubt(Ownership ownership, String reason, Duration retention) {
        Values values =
                Values.of(ownership).with(Param.DOUBT, Values.storable(reason)).with(Param.RETENTION_MS, retention);
        return settle(sql.doubt(), values, ownership, Outcomes::doubted);
    }

    @Override
    public CompletionStage<Settled> renew(Ownership ownership, Duration lease, Duration retention) {
        Values values = Values.of(ownership).withLease(lease).with(Param.RETENTION_MS, retention);
        return settle(sql.renew(), values, ownership, record -> false);
    }

    @Override
    public CompletionStage<Optional<StoredRecord>> find(RecordId id) {
        return completedFuture(Optional.ofNullable(database.record(sql.find(), Values.of(id))));
    }

    @Override
    public CompletionStage<List<StoredRecord>> list(RecordState state, Duration olderThan, int limit) {
        Values values = new Values()
                .with(Param.STATE, state.name())
                .with(Param.OLDER_THAN_MS, olderThan)
                .with(Param.LIMIT, limit);
        // the clock ran on between the row's condition and its reading
        return completedFuture(database.records(sql.list(state), values).stream()
                .filter(record -> record.state() == state)
                .toList());
    }

    @Override
    public CompletionStage<Settled> resolve(RecordId id, long fence, Resolution resolution) {
        Values values = Values.of(id).with(Param.FENCE, fence);
        int changed;
        if (resolution instanceof Resolution.Complete complete) {
            values.with(complete.result()).with(Param.RETENTION_MS, complete.retention());
            changed = database.update(sql.resolveComplete(), values);
        } else if (resolution instanceof Resolution.Fail fail) {
            values.with(fail.failure()).with(Param.RETENTION_MS, fail.retention());
            changed = database.update(sql.resolveFail(), values);
        } else {
            changed = database.update(sql.forget(), values);
        }
        return completedFuture(
                changed == 1 ? new Settled.Applied() : new Settled.Stale(database.record(sql.find(), values)));
    }

    @Override
    public CompletionStage<Integer> purge(int limit) {
        return completedFuture(database.update(sql.purge(), new Values().with(Param.LIMIT, limit)));
    }

    private CompletionStage<Settled> settle(
            Sql verb, Values values, Ownership ownership, Predicate<StoredRecord> repeated) {
        boolean renewing = verb == sql.renew();
        for (int round = 0; round < ROUNDS; round++) {
            if (database.update(verb, values) == 1) {
                return completedFuture(new Settled.Applied());
            }
            StoredRecord current = database.record(sql.find(), values);
            if (current != null && current.heldBy(ownership) && repeated.test(current)) {
                return completedFuture(new Settled.Applied());
            }
            boolean open = current != null
                    && current.heldBy(ownership)
                    && !Outcomes.settled(current)
                    && !(renewing && Outcomes.doubted(current));
            if (!open) {
                return completedFuture(new Settled.Stale(current));
            }
        }
        throw contended(ownership.id());
    }

    private static JdbcStoreException contended(RecordId id) {
        return new JdbcStoreException(
                "Record " + id + " changed " + ROUNDS + " times while this call tried to. It was left to the others; if"
                        + " this was a claim, the body did not run. Send the call again.",
                null);
    }
}
