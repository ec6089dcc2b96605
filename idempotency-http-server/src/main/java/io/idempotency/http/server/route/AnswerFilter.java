package io.idempotency.http.server.route;

import io.micronaut.core.order.Ordered;
import io.micronaut.http.HttpRequest;
import io.micronaut.http.HttpResponse;
import io.micronaut.http.annotation.ResponseFilter;
import jakarta.inject.Singleton;
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

    @ResponseFilter
    CompletionStage<HttpResponse<?>> record(HttpRequest<?> request, HttpResponse<?> response) {
        AnsweredRoute.Recorded recorded = AnsweredRoute.replay(request).orElse(null);
        if (recorded != null) {
            return CompletableFuture.completedFuture(responses.replayed(recorded.operation(), recorded.answer()));
        }
        return AnsweredRoute.pending(request)
                .map(call -> call.answered(request, response))
                .orElseGet(() -> CompletableFuture.completedFuture(response));
    }
}
