package io.idempotency.runtime.engine;

import io.idempotency.runtime.Effect;
import io.idempotency.runtime.Outcome;
import io.idempotency.runtime.store.Claim;
import io.idempotency.runtime.store.ClaimResult;
import io.idempotency.runtime.store.IdempotencyStore;
import io.idempotency.runtime.store.Ownership;
import io.idempotency.runtime.store.RecordId;
import io.idempotency.runtime.store.Settled;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Runs a body although the store could not be asked. What became of it is recorded once the store can be reached, unless
 * another call has claimed the key by then. A claim that was applied although its answer was lost is thereby settled, and
 * until then stands for what it is: a run whose outcome is not known.
 */
final class UnprotectedRun {

    private static final Logger LOG = LoggerFactory.getLogger(UnprotectedRun.class);

    private final ExecutionServices services;
    private final OutcomeRecorder recorder;
    private final Failures failures;

    UnprotectedRun(ExecutionServices services, OutcomeRecorder recorder, Failures failures) {
        this.services = services;
        this.recorder = recorder;
        this.failures = failures;
    }

    /** What the caller gets, and what duplicates on this JVM are to be told. */
    record Ran(Outcome outcome, Verdict verdict) {}

    CompletionStage<Ran> run(Invocation call, ClaimDecision.Unasked unasked) {
        ActiveClaim none = ActiveClaim.none(call, services);
        LOG.warn(
                "Idempotent operation '{}' [key {}]: store '{}' could not be asked, and the body runs unprotected, as"
                        + " onStoreFailure = PROCEED says: {}",
                none.operation(),
                call.id(),
                call.operation().store().name(),
                Failures.text(unasked.failure()));
        return StoreInvoker.<@Nullable Object>started(call.body()::run, none).handle((value, failure) -> {
            Ran ran = failure == null ? returned(none, value) : threw(none, failure);
            record(none, unasked.request(), ran.verdict());
            return ran;
        });
    }

    private static Ran returned(ActiveClaim none, @Nullable Object value) {
        return new Ran(new Outcome.Executed(value, Outcome.Recorded.UNPROTECTED), Verdict.returned(none, value));
    }

    private Ran threw(ActiveClaim none, Throwable failure) {
        Effect effect = failures.effect(failure, none);
        return new Ran(
                new Outcome.Threw(Failures.ofBody(failure), effect, Outcome.Recorded.UNPROTECTED),
                Verdict.threw(none, failure, effect, failures));
    }

    private void record(ActiveClaim none, Claim claim, Verdict verdict) {
        Operation operation = none.call().operation();
        String name = operation.name();
        RecordId id = claim.id();
        if (verdict instanceof Verdict.Nothing) {
            recorder.abandon(operation, claim);
            return;
        }
        recorder.tellLater(
                        operation,
                        id,
                        new Told(verdict, withoutTakeOver(claim), none.call().fingerprint(), operation.policy()))
                .thenAccept(settled -> settled.ifPresent(what -> report(name, id, what)));
    }

    /** What became of a body that had no claim. It keeps nothing else of the call. */
    private record Told(Verdict verdict, Claim claim, CallFingerprint fingerprint, Operation.Policy policy)
            implements RetryQueue.Verb {
        @Override
        public CompletionStage<Settled> tell(IdempotencyStore store) {
            return claimed(store, claim, fingerprint)
                    .thenCompose(owned -> owned.isPresent()
                            ? verdict.tell(store, owned.get(), policy)
                            : CompletableFuture.completedFuture(new Settled.Stale(null)));
        }

        @Override
        public int bytes() {
            return verdict.bytes();
        }

        @Override
        public RetryQueue.Verb withoutResult(String reason) {
            return new Told(verdict.withoutResult(reason), claim, fingerprint, policy);
        }
    }

    private static Claim withoutTakeOver(Claim claim) {
        return new Claim(
                claim.id(),
                claim.operation(),
                claim.fingerprint(),
                claim.owner(),
                claim.lease(),
                claim.retention(),
                false);
    }

    /** Empty when the key is another call's. */
    private static CompletionStage<Optional<Ownership>> claimed(
            IdempotencyStore store, Claim claim, CallFingerprint fingerprint) {
        return FormedClaim.ask(store, claim, fingerprint).thenApply(answered -> {
            ClaimResult result = answered.result();
            if (result instanceof ClaimResult.Acquired acquired) {
                return Optional.of(new Ownership(claim.id(), claim.owner(), acquired.fence()));
            }
            return result instanceof ClaimResult.Duplicate duplicate
                            && duplicate.record().owner().equals(claim.owner())
                    ? Optional.of(new Ownership(
                            claim.id(), claim.owner(), duplicate.record().fence()))
                    : Optional.empty();
        });
    }

    private static void report(String operation, RecordId id, Settled settled) {
        if (settled instanceof Settled.Stale) {
            LOG.error(
                    "Idempotent operation '{}' [key {}]: the body ran unprotected while the store could not be reached,"
                            + " and another call has claimed the key: the body has probably run more than once",
                    operation,
                    id);
        }
    }
}
