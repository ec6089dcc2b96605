package io.idempotency.runtime.engine;

import io.idempotency.ResultUnavailableException;
import io.idempotency.runtime.Outcome;
import io.idempotency.runtime.answer.Refusals;
import io.idempotency.runtime.call.Invocation;
import io.idempotency.runtime.outcome.UnopenedOutcomeException;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/** Asks the application for a result that its record does not have. */
final class Reloading {

    private Reloading() {}

    /** Replaces a refusal that lacks only the result by what the reloader finds; any other outcome is unchanged. */
    static Outcome reloaded(Invocation call, Outcome outcome, ExecutionServices services) {
        Invocation.Reloader reloader = call.reloader();
        if (reloader == null
                || !(outcome instanceof Outcome.Refused refused)
                || !(refused.reason() instanceof ResultUnavailableException)
                || refused.reason().getCause() instanceof UnopenedOutcomeException) {
            return outcome;
        }
        CompletableFuture<@Nullable Object> result =
                BlockingCalls.started(reloader::reload, ActiveClaim.none(call, services));
        BlockingCalls.awaitEnd(services.time(), result);
        Throwable failure = BlockingCalls.failure(result);
        Object value = failure == null ? result.join() : null;
        if (value != null) {
            return new Outcome.Replayed(value);
        }
        Outcome.Refused unavailable = failure == null
                ? Refusals.notReloaded(call, "knows none", null)
                : Refusals.notReloaded(call, "failed", BlockingCalls.unwrapped(failure));
        unavailable.reason().addSuppressed(refused.reason());
        return unavailable;
    }
}
