package io.idempotency.http.server.route;

import io.idempotency.OnFailure;
import io.idempotency.runtime.Effect;
import io.idempotency.runtime.Outcome;
import io.idempotency.runtime.engine.AnsweredFailure;
import io.micronaut.core.annotation.Nullable;
import io.micronaut.http.HttpRequest;
import io.micronaut.http.HttpResponse;
import io.micronaut.web.router.RouteAttributes;
import jakarta.inject.Singleton;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import reactor.core.publisher.Flux;

/**
 * Records what a configured route answered, and says what is sent. Nothing is forgotten that the application did not declare: an answer
 * that may have had an effect is final or unknown.
 */
@Singleton
final class RouteAnswers {

    private final RouteResponses responses;
    private final UnreachedRoutes unreached;
    private final boolean innermost;

    RouteAnswers(RouteResponses responses, UnreachedRoutes unreached, FilterOrderConfiguration place) {
        this.responses = responses;
        this.unreached = unreached;
        this.innermost = place.isInnermost();
    }

    /** The answer to a request for which the route was not asked. */
    CompletionStage<HttpResponse<?>> known(Route route, Outcome outcome) {
        return CompletableFuture.completedFuture(answer(route, outcome, null));
    }

    /** Records the answer of a route, and returns what the client gets. A body that cannot be written is a failure. */
    CompletionStage<HttpResponse<?>> recorded(RouteRun run, HttpRequest<?> request, HttpResponse<?> response) {
        try {
            Throwable thrown = RouteAttributes.getException(response).orElse(null);
            boolean reached = thrown == null || !unreached.refused(request, thrown, innermost);
            return thrown != null && reached
                    ? threw(run, request, response, thrown)
                    : answered(run, request, response, reached);
        } catch (RuntimeException | Error e) {
            return failed(run, e);
        }
    }

    /** Records that the route ended without an answer. */
    CompletionStage<HttpResponse<?>> failed(RouteRun run, Throwable failure) {
        return run.finish(null, failure).thenApply(outcome -> answer(run.route(), outcome, null));
    }

    private CompletionStage<HttpResponse<?>> threw(
            RouteRun run, HttpRequest<?> request, HttpResponse<?> response, Throwable thrown) {
        Throwable told = run.answerFor(thrown);
        if (told != thrown) {
            return failed(run, told);
        }
        return responses
                .failed(
                        request,
                        response,
                        thrown,
                        run.route().operation(),
                        run.route().rule())
                .thenCompose(failed -> run.finish(null, failed.failure())
                        .thenApply(outcome -> answer(run.route(), outcome, failed.response())));
    }

    private CompletionStage<HttpResponse<?>> answered(
            RouteRun run, HttpRequest<?> request, HttpResponse<?> response, boolean reached) {
        Effect effect = reached ? run.route().rule().effect(response.code()) : Effect.NONE;
        boolean released = effect == Effect.FINAL
                && AnswerRule.isError(response.code())
                && run.route().operation().policy().onFailure() == OnFailure.RELEASE;
        if (effect == Effect.UNKNOWN) {
            Throwable open = new UndecidedAnswerException(response.code());
            return run.finish(null, new AnsweredFailure(open, Effect.UNKNOWN, null))
                    .thenApply(outcome -> answer(run.route(), outcome, response));
        } else if (effect == Effect.NONE || released) {
            run.noEffect();
        } else if (RouteResponses.isPublisher(response.body())) {
            return CompletableFuture.completedFuture(watched(run, response));
        }
        return responses
                .recordable(request, response, run.route().operation().policy().maxResultSize())
                .handle(run::finish)
                .thenCompose(outcome -> outcome)
                .thenApply(outcome -> answer(run.route(), outcome, null));
    }

    /** Sent at once: what it is the answer to is over when its stream is. */
    private HttpResponse<?> watched(RouteRun run, HttpResponse<?> response) {
        Flux<?> told = Flux.from(responses.publisher(response)).onErrorMap(run::answerFor);
        WatchedStream stream = new WatchedStream(told, run.route());
        stream.end()
                .whenComplete((end, failure) ->
                        run.finish(failure == null ? RouteResponses.streamed(response) : null, failure));
        return response.toMutableResponse().body(stream);
    }

    /**
     * The answer that an outcome stands for.
     *
     * @param given the answer to the exception that is the outcome, which the first caller gets
     */
    private HttpResponse<?> answer(Route route, Outcome outcome, @Nullable HttpResponse<?> given) {
        if (outcome instanceof Outcome.Executed executed) {
            return ((RouteAnswer) Objects.requireNonNull(executed.value())).response();
        } else if (outcome instanceof Outcome.Replayed replayed) {
            return responses.replayed((RouteAnswer) Objects.requireNonNull(replayed.value()));
        } else if (outcome instanceof Outcome.Threw threw) {
            if (given != null) {
                return given;
            }
            throw new CompletionException(threw.failure());
        }
        Outcome.Refused refused = (Outcome.Refused) outcome;
        byte[] recorded = refused.answer();
        if (recorded != null) {
            return responses.replayed(route.operation().name(), recorded);
        }
        throw refused.reason();
    }
}
