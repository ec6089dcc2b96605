package io.idempotency.http.server.route;

import io.micronaut.core.annotation.Nullable;
import io.micronaut.core.order.Ordered;
import io.micronaut.http.HttpRequest;
import io.micronaut.http.HttpResponse;
import io.micronaut.http.annotation.ResponseFilter;
import jakarta.inject.Singleton;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/**
 * Sees how the exception of an annotated method is answered, whoever does that, so that this answer is recorded; and puts a
 * recorded one in place of whatever else a duplicate would be answered. {@link RouteFilters} registers it where configured
 * routes are claimed.
 */
@Singleton
final class AnswerFilter implements Ordered {

    private final RouteResponses responses;
    private final int order;

    AnswerFilter(RouteResponses responses, FilterOrderConfiguration place) {
        this.responses = responses;
        this.order = place.getFilterOrder();
    }

    @Override
    public int getOrder() {
        return order;
    }

    /** Null for what is sent as it is: a stage would cost as much as everything else here. */
    @ResponseFilter
    @Nullable
    CompletionStage<Optional<HttpResponse<?>>> record(HttpRequest<?> request, HttpResponse<?> response) {
        AnsweredRoute.Recorded recorded = AnsweredRoute.replay(request).orElse(null);
        if (recorded != null) {
            return CompletableFuture.completedFuture(
                    Optional.of(responses.replayed(recorded.operation(), recorded.answer())));
        }
        AnsweredRoute pending = AnsweredRoute.pending(request).orElse(null);
        return pending == null ? null : pending.answered(request, response).thenApply(Optional::of);
    }
}
