package io.idempotency.runtime.engine;

import io.idempotency.runtime.Effect;
import io.idempotency.runtime.Outcome;
import io.idempotency.runtime.call.Operation;
import io.idempotency.runtime.store.Claim;
import io.idempotency.runtime.store.RecordId;
import io.idempotency.runtime.store.Settled;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Runs a body although the store did not answer. Records the outcome once the store can be reached, unless another call
 * has claimed the key by then. That also settles a claim that was applied although its answer was lost.
 */
record UnprotectedExecution(ClaimAttempt.Decision.Unasked unasked, ActiveClaim none, Unrecorded unrecorded)
        implements BodyExecution {

    private static final Logger LOG = LoggerFactory.getLogger(UnprotectedExecution.class);

    @Override
    public CompletableFuture<@Nullable Object> start() {
        LOG.warn(
                "Idempotent operation '{}' [key {}]: store '{}' could not be asked, and the body runs unprotected, as"
                        + " onStoreFailure = PROCEED says: {}",
                none.operation(),
                none.call().id(),
                none.call().operation().store().name(),
                Failures.text(unasked.failure()));
        Listeners.tellOfBody(none);
        return BlockingCalls.started(none.call().body()::run, none);
    }

    @Override
    public Ended finish(@Nullable Object value, @Nullable Throwable failure) {
        Outcome outcome;
        OutcomeCommand verdict;
        if (failure == null) {
            outcome = new Outcome.Executed(value, Outcome.Recorded.UNPROTECTED);
            verdict = OutcomeCommand.returned(none, value);
        } else {
            Effect effect = none.failures().effect(failure);
            outcome = new Outcome.Threw(Failures.ofBody(failure), effect, Outcome.Recorded.UNPROTECTED);
            verdict = OutcomeCommand.threw(none, failure, effect);
        }
        record(verdict);
        return new Ended(outcome, verdict.forDuplicates(), true);
    }

    private void record(OutcomeCommand verdict) {
        Operation operation = none.call().operation();
        Claim claim = unasked.request();
        if (verdict instanceof OutcomeCommand.Nothing) {
            unrecorded.abandon(operation, claim);
            return;
        }
        String name = operation.name();
        RecordId id = claim.id();
        unrecorded.later(
                operation,
                id,
                StoreMessages.unprotectedOutcome(verdict, claim, none.call().fingerprint(), operation.policy()),
                settled -> settled.ifPresent(what -> report(name, id, what)));
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
