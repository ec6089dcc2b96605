package io.idempotency.runtime.engine;

import io.idempotency.OnAbandoned;
import io.idempotency.runtime.Effect;
import io.idempotency.runtime.Outcome;
import io.idempotency.runtime.answer.Refusals;
import io.idempotency.runtime.answer.Replay;
import io.idempotency.runtime.answer.ResultEncoder;
import io.idempotency.runtime.call.FailureWithAnswer;
import io.idempotency.runtime.call.Invocation;
import io.idempotency.runtime.call.Operation;
import io.idempotency.runtime.outcome.RecordedFailure;
import io.idempotency.runtime.store.IdempotencyStore;
import io.idempotency.runtime.store.Ownership;
import io.idempotency.runtime.store.RecordId;
import io.idempotency.runtime.store.Settled;
import io.idempotency.runtime.store.StoredFailure;
import io.idempotency.runtime.store.StoredResult;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** The outcome of a body and the store command that records it. Copies what it needs of the result at construction. */
sealed interface OutcomeCommand {

    /** Records the outcome on behalf of an owner. Idempotent. */
    Settled tell(IdempotencyStore store, Ownership ownership, Operation.Policy policy);

    /** Returns what the caller is told about the record once the store has it. */
    default Outcome.Recorded recorded() {
        return Outcome.Recorded.YES;
    }

    /** Returns the size of the result in bytes; 0 without a result. */
    default int bytes() {
        return 0;
    }

    /** Returns the same command without its result, its answer, or its failure's message and code; itself when it has none. */
    default OutcomeCommand withoutResult(String reason) {
        return this;
    }

    /** Returns the outcome of each duplicate that waited; null when the next duplicate may run the body. */
    @Nullable
    Function<Invocation, Outcome> forDuplicates();

    /**
     * The body returned a result, or failed and its caller got an answer.
     *
     * @param alone the failure without its answer; null for a result
     */
    record Completed(StoredResult result, @Nullable Failed alone) implements OutcomeCommand {

        Completed(StoredResult result) {
            this(result, null);
        }

        @Override
        public Settled tell(IdempotencyStore store, Ownership ownership, Operation.Policy policy) {
            return store.complete(ownership, result, policy.retention());
        }

        @Override
        public int bytes() {
            return result instanceof StoredResult.Present present ? present.bytes().length : 0;
        }

        @Override
        public OutcomeCommand withoutResult(String reason) {
            if (alone != null) {
                return alone; // without its bytes a result is told as a success
            }
            return result instanceof StoredResult.Present
                    ? new Completed(new StoredResult.Omitted(Failures.reason(reason), bytes()))
                    : this;
        }

        @Override
        public Function<Invocation, Outcome> forDuplicates() {
            return duplicate -> Replay.result(duplicate, result, null);
        }
    }

    /** The body failed for good. */
    record Failed(StoredFailure failure) implements OutcomeCommand {
        @Override
        public Settled tell(IdempotencyStore store, Ownership ownership, Operation.Policy policy) {
            return store.fail(ownership, failure, policy.retention());
        }

        @Override
        public OutcomeCommand withoutResult(String reason) {
            StoredFailure without = failure.erased();
            return without.equals(failure) ? this : new Failed(without);
        }

        @Override
        public Function<Invocation, Outcome> forDuplicates() {
            return duplicate -> Replay.failure(duplicate, failure);
        }
    }

    /** The outcome is not known. */
    record InDoubt(String reason) implements OutcomeCommand {
        @Override
        public Settled tell(IdempotencyStore store, Ownership ownership, Operation.Policy policy) {
            return store.doubt(ownership, reason, policy.inDoubtRetention());
        }

        @Override
        public Function<Invocation, Outcome> forDuplicates() {
            return duplicate -> Refusals.unknown(duplicate, reason, null);
        }
    }

    /** The body had no effect. The key becomes free, unless the body took over from one that may have had an effect. */
    record Nothing(boolean tookOver) implements OutcomeCommand {
        private static final String TOOK_OVER =
                "the last attempt had no effect, and whether an earlier one had is not known";

        static Nothing of(ActiveClaim claim) {
            return new Nothing(claim.attempt() > 1 && claim.policy().onAbandoned() == OnAbandoned.TAKE_OVER);
        }

        @Override
        public Settled tell(IdempotencyStore store, Ownership ownership, Operation.Policy policy) {
            return tookOver
                    ? store.doubt(ownership, TOOK_OVER, policy.inDoubtRetention())
                    : StoreMessages.released(store, ownership, StoreMessages.NO_EFFECT_LATE, policy.inDoubtRetention());
        }

        @Override
        public @Nullable Function<Invocation, Outcome> forDuplicates() {
            return null;
        }

        @Override
        public Outcome.Recorded recorded() {
            return tookOver ? Outcome.Recorded.IN_DOUBT : Outcome.Recorded.RELEASED;
        }
    }

    /** Returns the command for a body that returned. */
    static OutcomeCommand returned(ActiveClaim claim, @Nullable Object value) {
        return claim.declaredNoEffect() ? Nothing.of(claim) : new Completed(claim.encoded(value));
    }

    /** Returns the command for a body that threw. */
    static OutcomeCommand threw(ActiveClaim claim, Throwable failure, Effect effect) {
        Failures failures = claim.failures();
        if (failures.releases(effect)) {
            return Nothing.of(claim);
        }
        if (effect == Effect.UNKNOWN) {
            return new InDoubt(failures.reason("the body ended", failure));
        }
        StoredFailure described = failures.describe(failure);
        Operation operation = claim.call().operation();
        RecordId id = claim.call().id();
        Failed alone = new Failed(RecordedFailure.sealed(operation.seal(), id, described));
        return Failures.answered(failure)
                .map(FailureWithAnswer::answer)
                .flatMap(answer -> ResultEncoder.of(operation, id, new RecordedFailure(described, answer)))
                .<OutcomeCommand>map(answered -> new Completed(answered, alone))
                .orElse(alone);
    }
}
