package io.idempotency.http.server.route;

import io.idempotency.IdempotencyContext;
import io.idempotency.runtime.Effect;
import io.idempotency.runtime.Outcome;
import io.idempotency.runtime.engine.AnsweredFailure;
import io.micronaut.http.HttpRequest;
import io.micronaut.http.HttpResponse;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Flux;

/** One protected request, between the moment when its key is claimed and the moment when its answer is known. */
final class RouteCall {

    private final Route route;
    private final HttpRequest<?> request;
    private final RouteResponses responses;
    private final @Nullable RefusedArguments arguments;
    private final boolean innermost;
    private final RouteContext context = new RouteContext(this);

    /** Nothing once the request may go on; otherwise its answer. */
    private final CompletableFuture<Optional<HttpResponse<?>>> beginning = new CompletableFuture<>();

    /** What the route answered, as it is to be recorded. */
    private final CompletableFuture<RouteAnswer> answer = new CompletableFuture<>();

    /** What the client gets once that is recorded. */
    private final CompletableFuture<HttpResponse<?>> end = new CompletableFuture<>();

    /** The answer to an exception, which the first caller gets although it is the exception that is recorded. */
    private volatile @Nullable HttpResponse<?> given;

    /** Innermost is whether no filter stands between the claim and the route. */
    RouteCall(
            Route route,
            HttpRequest<?> request,
            RouteResponses responses,
            @Nullable RefusedArguments arguments,
            boolean innermost) {
        this.route = route;
        this.request = request;
        this.responses = responses;
        this.arguments = arguments;
        this.innermost = innermost;
    }

    RouteContext context() {
        return context;
    }

    /** The body of the operation: the rest of the filters and the route run before this returns, or later. */
    CompletionStage<RouteAnswer> run(IdempotencyContext claim) {
        context.claimed(claim);
        beginning.complete(Optional.empty());
        return answer;
    }

    CompletionStage<Optional<HttpResponse<?>>> beginning() {
        return beginning;
    }

    boolean runs() {
        return goesOn(beginning);
    }

    /** Whether it is known by now that the request may go on. */
    static boolean goesOn(CompletionStage<Optional<HttpResponse<?>>> begun) {
        return begun instanceof CompletableFuture<Optional<HttpResponse<?>>> known
                && known.isDone()
                && !known.isCompletedExceptionally()
                && known.join().isEmpty();
    }

    /** The route has answered, and every filter behind ours has seen it. */
    CompletionStage<HttpResponse<?>> answered(HttpResponse<?> response) {
        given = response;
        try {
            RouteVerdict verdict = RouteVerdict.of(request, response, route, arguments, innermost);
            int most = route.operation().policy().maxResultSize();
            if (verdict instanceof RouteVerdict.Undecided undecided) {
                Throwable open = new UndecidedAnswerException(undecided.status());
                answer.completeExceptionally(new AnsweredFailure(open, Effect.UNKNOWN, null));
                return end;
            } else if (verdict instanceof RouteVerdict.Thrown thrown) {
                Throwable told = context.answerFor(thrown.cause());
                if (told != thrown.cause()) {
                    given = null; // it speaks of another operation's key
                    answer.completeExceptionally(told);
                    return end;
                }
                responses
                        .failed(request, response, thrown.cause(), route.operation(), route.rule())
                        .thenAccept(failed -> {
                            given = failed.response();
                            answer.completeExceptionally(failed.failure());
                        });
                return end;
            }
            if (verdict instanceof RouteVerdict.NoEffect) {
                context.noEffect();
            } else if (RouteResponses.isPublisher(response.body())) {
                return CompletableFuture.completedFuture(watched(response));
            }
            responses.recordable(request, response, most).whenComplete(this::recordable);
        } catch (RuntimeException | Error e) {
            answer.completeExceptionally(e); // a body that cannot be written, for instance
            throw e;
        }
        return end;
    }

    /** Sent at once: what it is the answer to is over when its stream is. */
    private HttpResponse<?> watched(HttpResponse<?> response) {
        Flux<?> told = Flux.from(responses.publisher(response)).onErrorMap(context::answerFor);
        WatchedStream stream = new WatchedStream(told, route);
        stream.end()
                .whenComplete((end, failure) ->
                        recordable(failure == null ? RouteResponses.streamed(response) : null, failure));
        return response.toMutableResponse().body(stream);
    }

    private void recordable(@Nullable RouteAnswer value, @Nullable Throwable failure) {
        if (failure == null) {
            answer.complete(value);
        } else {
            given = null; // its stream broke
            answer.completeExceptionally(failure);
        }
    }

    /** The engine knows what the call came to. */
    void ended(@Nullable Outcome outcome, @Nullable Throwable defect) {
        try {
            if (defect != null) {
                throw RouteCall.<RuntimeException>asIs(defect);
            }
            HttpResponse<?> response = response(Objects.requireNonNull(outcome));
            end.complete(response);
            beginning.complete(Optional.of(response));
        } catch (Throwable e) {
            end.completeExceptionally(e);
            beginning.completeExceptionally(e);
        }
    }

    private HttpResponse<?> response(Outcome outcome) {
        if (outcome instanceof Outcome.Executed executed) {
            return answer(executed.value()).response();
        } else if (outcome instanceof Outcome.Replayed replayed) {
            return responses.replayed(answer(replayed.value()));
        } else if (outcome instanceof Outcome.Threw threw) {
            HttpResponse<?> response = given;
            if (response != null) {
                return response;
            }
            throw RouteCall.<RuntimeException>asIs(threw.failure());
        }
        Outcome.Refused refused = (Outcome.Refused) outcome;
        byte[] recorded = refused.answer();
        if (recorded != null) {
            return responses.replayed(route.operation().name(), recorded);
        }
        throw refused.reason();
    }

    private static RouteAnswer answer(@Nullable Object value) {
        return (RouteAnswer) Objects.requireNonNull(value);
    }

    @SuppressWarnings("unchecked")
    private static <E extends Throwable> RuntimeException asIs(Throwable failure) throws E {
        throw (E) failure;
    }
}
