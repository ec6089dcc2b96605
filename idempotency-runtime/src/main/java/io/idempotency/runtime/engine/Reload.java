package io.idempotency.runtime.engine;

import io.idempotency.IdempotencyException;
import io.idempotency.ResultUnavailableException;
import io.idempotency.runtime.Outcome;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/** Where a body is known to have succeeded and its result cannot be given, the application may find it. */
final class Reload {

    private final ExecutionServices services;

    Reload(ExecutionServices services) {
        this.services = services;
    }

    /** The reloaded result instead of a refusal for want of one; every other outcome as it is. */
    CompletionStage<Outcome> instead(Invocation call, Outcome outcome) {
        Invocation.Reloader reloader = call.reloader();
        return reloader != null
                        && outcome instanceof Outcome.Refused refused
                        && refused.reason() instanceof ResultUnavailableException
                        && !(refused.reason().getCause() instanceof UnopenedOutcomeException)
                ? reloaded(call, reloader, refused.reason())
                : CompletableFuture.completedFuture(outcome);
    }

    private CompletionStage<Outcome> reloaded(
            Invocation call, Invocation.Reloader reloader, IdempotencyException unavailable) {
        ActiveClaim none = ActiveClaim.none(call, services);
        return StoreInvoker.<@Nullable Object>started(reloader::reload, none).handle((value, failure) -> {
            if (value != null) {
                return new Outcome.Replayed(value);
            }
            IdempotencyException reason = failure == null
                    ? Refusals.notReloaded(call, "knows none", null)
                    : Refusals.notReloaded(call, "failed", StoreInvoker.unwrapped(failure));
            reason.addSuppressed(unavailable);
            return new Outcome.Refused(reason);
        });
    }
}
