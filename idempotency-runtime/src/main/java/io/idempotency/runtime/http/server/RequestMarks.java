package io.idempotency.runtime.http.server;

import io.idempotency.runtime.Outcome;
import io.idempotency.runtime.OutcomeListener;
import io.micronaut.context.annotation.Requires;
import io.micronaut.http.HttpRequest;
import io.micronaut.http.context.ServerRequestContext;
import jakarta.inject.Singleton;

/**
 * Notes on the current request what became of its idempotent calls, however deep below the controller they are. A
 * request counts as replayed when at least one call was replayed and no body ran.
 */
@Singleton
@Requires(classes = HttpRequest.class)
final class RequestMarks implements OutcomeListener {

    static final String REPLAYED = "io.idempotency.replayed";
    static final String IGNORED = "io.idempotency.ignored";

    @Override
    public void onOutcome(String operation, Outcome outcome) {
        ServerRequestContext.currentRequest().ifPresent(request -> {
            if (outcome instanceof Outcome.Executed || outcome instanceof Outcome.Threw) {
                request.setAttribute(REPLAYED, false);
                if (outcome.recorded() == Outcome.Recorded.UNPROTECTED) {
                    request.setAttribute(IGNORED, true);
                }
            } else if (outcome instanceof Outcome.Replayed
                    && request.getAttribute(REPLAYED).isEmpty()) {
                request.setAttribute(REPLAYED, true);
            }
        });
    }

    @Override
    public void onUnprotected(String operation) {
        ServerRequestContext.currentRequest().ifPresent(request -> request.setAttribute(IGNORED, true));
    }
}
