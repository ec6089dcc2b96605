package io.idempotency.runtime.simulation;

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
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;

/** Stores that break one of their duties. */
final class BrokenStores {

    private BrokenStores() {}

    /** Grants what somebody else's lease still protects. */
    static final class GrantsWhatIsHeld extends Honest {
        GrantsWhatIsHeld(IdempotencyStore honest) {
            super(honest);
        }

        @Override
        public CompletionStage<ClaimResult> claim(Claim claim) {
            return super.claim(claim)
                    .thenApply(result -> result instanceof ClaimResult.Duplicate duplicate
                                    && duplicate.record().result() == null
                                    && duplicate.record().failure() == null
                            ? new ClaimResult.Acquired(duplicate.record().fence() + 1, 1)
                            : result);
        }
    }

    /** Tells everybody the same fence. */
    static final class OneFence extends Honest {
        OneFence(IdempotencyStore honest) {
            super(honest);
        }

        @Override
        public CompletionStage<ClaimResult> claim(Claim claim) {
            return super.claim(claim)
                    .thenApply(result -> result instanceof ClaimResult.Acquired acquired
                            ? new ClaimResult.Acquired(1, acquired.attempt())
                            : result);
        }
    }

    /** Says that an operator's word is applied, and forgets it. */
    static final class IgnoresOperators extends Honest {
        IgnoresOperators(IdempotencyStore honest) {
            super(honest);
        }

        @Override
        public CompletionStage<Settled> resolve(RecordId id, long fence, Resolution resolution, AuditNote note) {
            return CompletableFuture.completedFuture(new Settled.Applied());
        }
    }

    /** What an engine would do that takes a failing store for an answer. */
    static final class ReleasesOnFailure extends Honest {
        ReleasesOnFailure(IdempotencyStore honest) {
            super(honest);
        }

        @Override
        public CompletionStage<Settled> complete(Ownership ownership, StoredResult result, Duration retention) {
            return super.complete(ownership, result, retention)
                    .handle((settled, failure) ->
                            failure == null ? CompletableFuture.completedStage(settled) : super.release(ownership))
                    .thenCompose(Function.identity());
        }
    }

    /** Hands everything on. */
    private static class Honest implements IdempotencyStore {
        private final IdempotencyStore honest;

        Honest(IdempotencyStore honest) {
            this.honest = honest;
        }

        @Override
        public String name() {
            return honest.name();
        }

        @Override
        public boolean blocking() {
            return honest.blocking();
        }

        @Override
        public Optional<TransactionalStore> transactional() {
            return honest.transactional();
        }

        @Override
        public Optional<SettlementSignals> signals() {
            return honest.signals();
        }

        @Override
        public CompletionStage<ClaimResult> claim(Claim claim) {
            return honest.claim(claim);
        }

        @Override
        public CompletionStage<Settled> complete(Ownership ownership, StoredResult result, Duration retention) {
            return honest.complete(ownership, result, retention);
        }

        @Override
        public CompletionStage<Settled> fail(Ownership ownership, StoredFailure failure, Duration retention) {
            return honest.fail(ownership, failure, retention);
        }

        @Override
        public CompletionStage<Settled> release(Ownership ownership) {
            return honest.release(ownership);
        }

        @Override
        public CompletionStage<Settled> doubt(Ownership ownership, String reason, Duration retention) {
            return honest.doubt(ownership, reason, retention);
        }

        @Override
        public CompletionStage<Settled> renew(Ownership ownership, Duration lease, Duration retention) {
            return honest.renew(ownership, lease, retention);
        }

        @Override
        public CompletionStage<Optional<StoredRecord>> find(RecordId id) {
            return honest.find(id);
        }

        @Override
        public CompletionStage<List<StoredRecord>> list(RecordQuery query) {
            return honest.list(query);
        }

        @Override
        public CompletionStage<Settled> resolve(RecordId id, long fence, Resolution resolution, AuditNote note) {
            return honest.resolve(id, fence, resolution, note);
        }

        @Override
        public CompletionStage<List<String>> audit(RecordId id) {
            return honest.audit(id);
        }

        @Override
        public CompletionStage<Integer> purge(int limit) {
            return honest.purge(limit);
        }
    }
}
