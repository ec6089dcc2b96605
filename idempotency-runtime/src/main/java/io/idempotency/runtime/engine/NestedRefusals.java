package io.idempotency.runtime.engine;

import io.idempotency.IdempotencyException;
import io.idempotency.IdempotencyException.Retry;
import io.idempotency.PreviousAttemptFailedException;
import io.idempotency.runtime.Effect;

/**
 * A body whose nested operation is refused for now (in progress, its store away, shutting down) has done nothing in that one, and
 * may have done anything before. So its own key becomes free only where the application says so; otherwise its caller is told about
 * this key, and not to come again with it.
 */
final class NestedRefusals {

    private NestedRefusals() {}

    /** Refusals by other systems, whose keys are not known here, are about those systems. */
    static boolean saysComeAgain(Throwable failure) {
        return failure instanceof IdempotencyException refusal
                && refusal.retry() == Retry.SAME_KEY
                && refusal.keyHash() != null;
    }

    static Throwable answerFor(ActiveClaim claim, Throwable thrown, Failures failures) {
        Throwable own = StageCalls.unwrapped(thrown);
        if (!saysComeAgain(own) || claim.call().operation().policy().transactional() || !claim.isProtected()) {
            return thrown;
        }
        Effect effect = failures.effect(own, claim);
        return failures.releases(effect, claim) ? thrown : about(claim, (IdempotencyException) own, effect);
    }

    private static IdempotencyException about(ActiveClaim claim, IdempotencyException refusal, Effect effect) {
        String happened = "the body called operation '" + refusal.operation() + "', which was refused for now ("
                + refusal.code() + "), after the body had begun";
        if (effect == Effect.FINAL) {
            return new PreviousAttemptFailedException(
                    claim.operation(),
                    claim.keyHash(),
                    happened + ". That is final for this key, as finalFor says, and the body is not run again.",
                    refusal.getClass().getName(),
                    null,
                    null,
                    refusal);
        }
        return Refusals.nestedRefused(claim.call(), happened, refusal);
    }
}
