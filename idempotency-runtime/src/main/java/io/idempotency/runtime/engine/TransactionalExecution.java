package io.idempotency.runtime.engine;

import io.idempotency.WhenInProgress;
import io.idempotency.runtime.Effect;
import io.idempotency.runtime.Outcome;
import io.idempotency.runtime.answer.Refusals;
import io.idempotency.runtime.answer.Replay;
import io.idempotency.runtime.answer.ResultEncoder;
import io.idempotency.runtime.call.Invocation;
import io.idempotency.runtime.call.NewKeyAdmission;
import io.idempotency.runtime.call.Operation;
import io.idempotency.runtime.store.Claim;
import io.idempotency.runtime.store.ClaimResult;
import io.idempotency.runtime.store.IdempotencyStore;
import io.idempotency.runtime.store.Ownership;
import io.idempotency.runtime.store.RecordState;
import io.idempotency.runtime.store.Settled;
import io.idempotency.runtime.store.TransactionalStore;
import io.idempotency.runtime.store.UnreadableRecordException;
import java.time.Duration;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import org.jspecify.annotations.Nullable;

/**
 * Executes a call whose claim, body and outcome share one transaction. Renews no lease and records nothing afterwards:
 * what is not committed never happened.
 */
record TransactionalExecution(ExecutionServices services, Unrecorded unrecorded) {

    /** How far the call has come, which decides what an exception of the transaction means. */
    private static final class Progress {
        private @Nullable ActiveClaim claimed;
        private @Nullable Throwable thrown;
        private @Nullable Outcome returned;
    }

    Outcome run(Invocation call, Claim claim) {
        TransactionalStore store = call.operation().store().transactional().orElseThrow();
        Progress progress = new Progress();
        try {
            return store.inTransaction(lockTimeout(call), view -> {
                Outcome returned = inTransaction(call, claim, view, progress);
                progress.returned = returned;
                return returned;
            });
        } catch (TransactionalStore.KeyLockedException e) {
            return Refusals.lockedByTransaction(call);
        } catch (UnreadableRecordException e) {
            return Refusals.unreadable(call, e);
        } catch (TransactionalStore.RollbackOnlyException e) {
            Outcome returned = Objects.requireNonNull(progress.returned, "work that returned");
            return progress.claimed == null || returned.recorded() != Outcome.Recorded.YES
                    ? returned
                    : undone(progress.claimed, Objects.requireNonNull(e.getCause()), Effect.NONE);
        } catch (Exception | Error e) {
            if (progress.claimed == null) {
                return Refusals.storeUnavailable(call, e);
            }
            return progress.thrown == null
                    ? undone(progress.claimed, e, Effect.UNKNOWN)
                    : undone(progress.claimed, progress.thrown, Effect.NONE);
        }
    }

    /**
     * Tells of a transaction that is not committed. A body may have committed what it had written so far, as statements
     * that change tables do on MySQL and H2: then its claim stays too, and is put in doubt.
     */
    private Outcome undone(ActiveClaim claimed, Throwable failure, Effect effect) {
        Operation operation = claimed.call().operation();
        IdempotencyStore store = operation.store();
        Ownership own = claimed.ownership();
        // after a rollback the record is again what the body took over
        Outcome.Recorded released =
                effect == Effect.NONE ? OutcomeCommand.Nothing.of(claimed).recorded() : Outcome.Recorded.RELEASED;
        Outcome rolledBack = new Outcome.Threw(failure, effect, released);
        if (!store.transactional().orElseThrow().hasOwnConnections()) {
            return rolledBack;
        }
        boolean stays = false;
        try {
            stays = BlockingCalls.ofStore(() -> store.find(own.id()))
                    .filter(record -> record.state() == RecordState.IN_PROGRESS
                            && record.owner().equals(own.owner()))
                    .isPresent();
            if (!stays) {
                return rolledBack;
            }
            BlockingCalls.ofStore(() -> doubt(claimed, failure).tell(store, own, operation.policy()));
            return new Outcome.Threw(failure, Effect.UNKNOWN, Outcome.Recorded.YES);
        } catch (Throwable e) { // it may be there: its row is locked, say, until the caller's transaction ends
            unrecorded.later(
                    operation,
                    own.id(),
                    StoreMessages.outcome(doubt(claimed, failure), own, operation.policy()),
                    told -> {});
            return new Outcome.Threw(
                    failure, Effect.UNKNOWN, stays ? Outcome.Recorded.DEGRADED : Outcome.Recorded.RELEASED);
        }
    }

    private static OutcomeCommand doubt(ActiveClaim claimed, Throwable failure) {
        return new OutcomeCommand.InDoubt(
                claimed.failures().reason("the body committed a part of its transaction, then it ended", failure));
    }

    /** Returns how long the claim waits for a transaction that has claimed the key; zero for hardly at all. */
    static Duration lockTimeout(Invocation call) {
        Operation.Policy policy = call.operation().policy();
        return policy.whenInProgress() == WhenInProgress.WAIT ? policy.waitTimeout() : Duration.ZERO;
    }

    private Outcome inTransaction(Invocation call, Claim claim, IdempotencyStore store, Progress progress) {
        Optional<NewKeyAdmission.Closed> closed = call.admission().closed();
        if (closed.isPresent() && store.find(call.id()).isEmpty()) {
            return Refusals.notAdmitted(call, closed.get());
        }
        long sent = services.time().nanos();
        ClaimResult result = MultiFormClaim.ask(store, claim.withoutArguments(), call.fingerprint());
        if (result instanceof ClaimResult.Acquired acquired) {
            Ownership ownership = new Ownership(claim.id(), claim.owner(), acquired.fence());
            ActiveClaim active = new ActiveClaim(call, ownership, acquired.attempt(), sent, services);
            progress.claimed = active;
            if (acquired.attempt() == 1) {
                call.admission().granted();
            }
            return record(active, store, body(active, progress));
        }
        return Replay.of(call, result);
    }

    private @Nullable Object body(ActiveClaim active, Progress progress) {
        Listeners.tellOfBody(active);
        CompletableFuture<@Nullable Object> body =
                BlockingCalls.started(active.call().body(), active);
        BlockingCalls.awaitEnd(services.time(), body);
        Throwable failure = BlockingCalls.failure(body);
        if (failure != null) {
            progress.thrown = BlockingCalls.unwrapped(failure);
            throw new CompletionException(failure); // rolls back; the caller gets progress.thrown
        }
        return body.join();
    }

    private static Outcome record(ActiveClaim active, IdempotencyStore store, @Nullable Object value) {
        if (active.declaredNoEffect()) {
            OutcomeCommand nothing = OutcomeCommand.Nothing.of(active);
            require(nothing.tell(store, active.ownership(), active.policy()));
            return new Outcome.Executed(value, nothing.recorded());
        }
        Duration retention = active.policy().retention();
        require(ResultEncoder.recorded(
                active.call().operation(),
                active.call().id(),
                value,
                result -> store.complete(active.ownership(), result, retention)));
        return new Outcome.Executed(value, Outcome.Recorded.YES);
    }

    /** Throws unless the record is still this call's: no other call can see it, so committing would be wrong. */
    private static void require(Settled settled) {
        if (settled instanceof Settled.Stale) {
            throw new IllegalStateException("The record of this transaction is not its own any more: " + settled);
        }
    }
}
