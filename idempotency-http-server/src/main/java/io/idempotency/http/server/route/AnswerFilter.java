package io.idempotency.http.server.route;

import io.idempotency.http.server.HttpConfiguration;
import io.micronaut.core.order.Ordered;
import io.micronaut.core.propagation.PropagatedContext;
import io.micronaut.http.HttpRequest;
import io.micronaut.http.HttpResponse;
import io.micronaut.http.annotation.Filter;
import io.micronaut.http.annotation.ResponseFilter;
import io.micronaut.http.annotation.ServerFilter;
import java.util.Optional;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/**
 * Records the answer to the exception of an annotated method, and replaces any other answer to a
 * duplicate by the recorded one. Where filters stand behind the claim of configured routes, it records
 * their answers too, after those filters.
 */
@ServerFilter(Filter.MATCH_ALL_PATTERN)
final class AnswerFilter implements Ordered {

    private final RouteAnswers answers;
    private final int order;
    private final boolean innermost;

    AnswerFilter(RouteAnswers answers, HttpConfiguration place) {
        this.answers = answers;
        this.order = place.getFilterOrder();
        this.innermost = place.isInnermost();
    }

    @Override
    public int getOrder() {
        return order;
    }

    /** Returns null for an answer that is sent as it is. */
    @ResponseFilter
    @Nullable
    CompletionStage<Optional<HttpResponse<?>>> record(HttpRequest<?> request, HttpResponse<?> response) {
        AnsweredRoutes.Call call = AnsweredRoutes.of(request);
        RouteRun run = innermost || call != null && call.isReplayed()
                ? null
                : PropagatedContext.getOrEmpty().find(RouteRun.class).orElse(null);
        if (run != null) {
            return answers.recorded(run, request, response).thenApply(Optional::of);
        }
        return call == null ? null : call.answered(request, response, answers).thenApply(Optional::of);
    }
}
