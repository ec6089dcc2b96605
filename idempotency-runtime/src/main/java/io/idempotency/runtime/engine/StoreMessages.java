package io.idempotency.runtime.engine;

import io.idempotency.runtime.call.CallFingerprint;
import io.idempotency.runtime.call.Operation;
import io.idempotency.runtime.store.Claim;
import io.idempotency.runtime.store.ClaimResult;
import io.idempotency.runtime.store.IdempotencyStore;
import io.idempotency.runtime.store.Ownership;
import io.idempotency.runtime.store.Settled;
import io.idempotency.runtime.store.StoredRecord;
import java.time.Duration;
import java.util.Optional;
import java.util.function.BiFunction;
import org.jspecify.annotations.Nullable;

/** The messages that {@link Unrecorded} sends to a store until it has taken them. */
final class StoreMessages {

    static final String NO_EFFECT_LATE =
            "the body ended without effect, but after its lease was over, when others may have been told otherwise";

    static final String NOT_RUN_LATE = "the body was not run, because the answer to its claim was lost; that was"
            + " known only after the lease, when others may have been told otherwise";

    private StoreMessages() {}

    /**
     * An idempotent command to the store. Holds no arguments, and no result except the one that it records.
     *
     * @param sending tells a store the outcome
     */
    record Message(OutcomeCommand outcome, BiFunction<OutcomeCommand, IdempotencyStore, Settled> sending) {

        Settled send(IdempotencyStore store) {
            return sending.apply(outcome, store);
        }

        /** Returns the size of the result in bytes; 0 without a result. */
        int bytes() {
            return outcome.bytes();
        }

        /** Returns the same command without its result; itself when it has none. */
        Message withoutResult(String reason) {
            OutcomeCommand without = outcome.withoutResult(reason);
            return without == outcome ? this : new Message(without, sending);
        }
    }

    /** Records the outcome of a claimed body. */
    static Message outcome(OutcomeCommand verdict, Ownership ownership, Operation.Policy policy) {
        return new Message(verdict, (outcome, store) -> outcome.tell(store, ownership, policy));
    }

    /** Records the outcome of a body that ran without a claim, unless another call has the key by then. */
    static Message unprotectedOutcome(
            OutcomeCommand verdict, Claim claim, CallFingerprint fingerprint, Operation.Policy policy) {
        Claim kept = claim.withoutArguments();
        return new Message(
                verdict,
                (outcome, store) -> claimed(store, kept, fingerprint)
                        .map(ownership -> outcome.tell(store, ownership, policy))
                        .orElseGet(() -> new Settled.Stale(null)));
    }

    /**
     * Gives back a claim whose answer was lost: if the store applied it, its body never runs. Once the lease has ended,
     * duplicates may have been told that the body is not run again, so the record stays in doubt, with the reason.
     */
    static Message givingBack(Claim claim, String late) {
        return new Message(
                new OutcomeCommand.Nothing(false),
                (nothing, store) -> giveBack(store, claim, late, store.find(claim.id())));
    }

    /** Claims the key; empty when another call has it. */
    private static Optional<Ownership> claimed(IdempotencyStore store, Claim claim, CallFingerprint fingerprint) {
        ClaimResult result = MultiFormClaim.ask(store, claim, fingerprint);
        if (result instanceof ClaimResult.Acquired acquired) {
            return Optional.of(new Ownership(claim.id(), claim.owner(), acquired.fence()));
        }
        return result instanceof ClaimResult.Duplicate duplicate
                        && duplicate.record().owner().equals(claim.owner())
                ? Optional.of(new Ownership(
                        claim.id(), claim.owner(), duplicate.record().fence()))
                : Optional.empty();
    }

    private static Settled giveBack(IdempotencyStore store, Claim claim, String late, Optional<StoredRecord> found) {
        if (found.isEmpty() || !found.get().owner().equals(claim.owner())) {
            return new Settled.Applied();
        }
        StoredRecord record = found.get();
        Ownership ownership = new Ownership(claim.id(), claim.owner(), record.fence());
        if (record.attempt() > 1) {
            // taken over from an owner whose outcome is still unknown: releasing would forget that
            return store.doubt(
                    ownership,
                    "taken over without effect; whether an earlier attempt had one is not known",
                    claim.retention());
        }
        return released(store, ownership, late, claim.retention());
    }

    /** Releases a record. Puts it in doubt where it must stay, and returns then what the release answered: stale, and held. */
    static Settled released(IdempotencyStore store, Ownership ownership, String late, Duration retention) {
        Settled released = store.release(ownership);
        Settled settled = stillHeld(released, ownership) ? store.doubt(ownership, late, retention) : released;
        return settled instanceof Settled.Applied ? released : settled;
    }

    /** Tells whether a stale record still has its owner: a store does not release a record that was ever in doubt. */
    static boolean stillHeld(@Nullable Settled settled, Ownership ownership) {
        return settled instanceof Settled.Stale stale
                && stale.current() != null
                && stale.current().heldBy(ownership);
    }
}
