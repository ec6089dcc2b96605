package io.idempotency.http.server.route;

import io.idempotency.IdempotencyException;
import io.idempotency.OnFailure;
import io.idempotency.http.server.HttpConfiguration;
import io.idempotency.http.server.problem.ProblemBody;
import io.idempotency.runtime.Effect;
import io.idempotency.runtime.Outcome;
import io.idempotency.runtime.UnkeptResultException;
import io.idempotency.runtime.call.FailureWithAnswer;
import io.idempotency.runtime.call.Operation;
import io.idempotency.runtime.failure.RedactedThrowable;
import io.micronaut.core.annotation.Nullable;
import io.micronaut.http.HttpRequest;
import io.micronaut.http.HttpResponse;
import io.micronaut.http.HttpStatus;
import io.micronaut.http.exceptions.HttpStatusException;
import io.micronaut.web.router.RouteAttributes;
import jakarta.inject.Singleton;
import java.io.IOException;
import java.util.Objects;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import reactor.core.publisher.Flux;

/**
 * Records what a configured route or an annotated method answered, and decides what is sent. An
 * answer is final or leaves the outcome unknown unless the application declares that it had no effect.
 */
@Singleton
final class RouteAnswers {

    private static final Logger LOG = LoggerFactory.getLogger(RouteAnswers.class);

    private final RouteResponses responses;
    private final ProblemBody documents;
    private final UnreachedRoutes unreached;
    private final boolean innermost;

    RouteAnswers(RouteResponses responses, ProblemBody documents, UnreachedRoutes unreached, HttpConfiguration place) {
        this.responses = responses;
        this.documents = documents;
        this.unreached = unreached;
        this.innermost = place.isInnermost();
    }

    /** A call whose exception is recorded together with its answer. */
    interface Recording {

        Operation operation();

        StatusRule rule();

        CompletionStage<Outcome> failed(FailureWithAnswer failure);
    }

    /** Records the answer of a configured route, and returns what is sent. A body that cannot be written is a failure. */
    CompletionStage<HttpResponse<?>> recorded(RouteRun run, HttpRequest<?> request, HttpResponse<?> response) {
        try {
            Throwable thrown = RouteAttributes.getException(response).orElse(null);
            if (thrown == null || unreached.refused(request, thrown, innermost)) {
                return answered(run, request, response, thrown == null);
            }
            Throwable told = run.answerFor(thrown);
            return told == thrown ? threw(run, request, response, thrown) : failed(run, request, told);
        } catch (RuntimeException | Error e) {
            return failed(run, request, e);
        }
    }

    /** Records that the route ended without an answer. */
    CompletionStage<HttpResponse<?>> failed(RouteRun run, HttpRequest<?> request, Throwable failure) {
        return run.finish(null, failure).thenApply(outcome -> answer(request, run.operation(), outcome, null));
    }

    private CompletionStage<HttpResponse<?>> answered(
            RouteRun run, HttpRequest<?> request, HttpResponse<?> response, boolean reached) {
        Operation operation = run.operation();
        Effect effect = reached ? run.rule().effect(response.code()) : Effect.NONE;
        boolean released = effect == Effect.FINAL
                && StatusRule.isError(response.code())
                && operation.policy().onFailure() == OnFailure.RELEASE;
        if (effect == Effect.UNKNOWN) {
            return run.failed(StatusRule.undecided(response.code(), effect))
                    .thenApply(outcome -> answer(request, operation, outcome, response));
        } else if (effect == Effect.NONE || released) {
            run.claim().noEffect();
        } else if (RouteResponses.isPublisher(response.body())) { // sent at once; the work is over when the stream is
            return CompletableFuture.completedFuture(responses.watched(
                    response,
                    operation.policy().lease(),
                    run::answerFor,
                    failure -> failure == null
                            ? run.finish(HttpResponse.ok(Flux.empty()), null) // a stream, which is not kept
                            : run.finish(null, brokenOff(run.rule(), failure))));
        }
        return responses
                .recordable(request, response, operation.policy().maxResultSize())
                .handle(run::finish)
                .thenCompose(outcome -> outcome)
                .thenApply(outcome -> answer(request, operation, outcome, null));
    }

    /** What the failure of a stream says of the route's work. Its status, if any, was not sent and is not recorded. */
    private static Throwable brokenOff(StatusRule rule, Throwable failure) {
        if (failure instanceof IdempotencyException) {
            return failure;
        }
        Effect effect = failure instanceof HttpStatusException thrown
                ? rule.effect(thrown.getStatus().getCode())
                : failure instanceof CancellationException ? Effect.UNKNOWN : Effect.FINAL;
        return new FailureWithAnswer(failure, effect, null);
    }

    /**
     * Records an exception with its answer, whatever goes wrong with that answer, and returns what is sent.
     *
     * @param response the answer of the application, or of Micronaut
     */
    CompletionStage<HttpResponse<?>> threw(
            Recording call, HttpRequest<?> request, HttpResponse<?> response, Throwable thrown) {
        Operation operation = call.operation();
        boolean mapped = isMapped(response);
        CompletionStage<HttpResponse<?>> kept;
        try {
            kept = responses.recordable(
                    request,
                    mapped ? response : documents.ofFailure(request, operation.name(), response.code()),
                    operation.policy().maxResultSize());
        } catch (RuntimeException | Error e) {
            kept = CompletableFuture.failedFuture(e);
        }
        return kept.<CompletionStage<HttpResponse<?>>>handle((answer, problem) -> {
                    byte[] bytes = problem == null ? encoded(operation, answer) : unrecorded(operation, problem);
                    HttpResponse<?> sent = mapped && problem == null ? answer : response;
                    Effect effect = call.rule().effect(response.code());
                    return call.failed(new FailureWithAnswer(thrown, effect, bytes))
                            .thenApply(outcome -> answer(request, operation, outcome, sent));
                })
                .thenCompose(answer -> answer);
    }

    /** Whether a method of the application made the answer. Otherwise it is a page with the message of the exception. */
    private static boolean isMapped(HttpResponse<?> response) {
        return RouteAttributes.getRouteInfo(response)
                .filter(route -> route.getDeclaringType() != Object.class)
                .isPresent();
    }

    private byte @Nullable [] encoded(Operation operation, HttpResponse<?> answer) {
        try {
            return responses.encoded(operation.name(), answer);
        } catch (UnkeptResultException e) {
            return null;
        } catch (IOException | RuntimeException e) {
            return unrecorded(operation, e);
        }
    }

    /** The exception is redacted, because what renders an error page may repeat its text. */
    private static byte @Nullable [] unrecorded(Operation operation, Throwable problem) {
        LOG.warn(
                "Idempotent operation '{}': the answer to a failure could not be recorded; the failure is",
                operation.name(),
                RedactedThrowable.of(problem));
        return null;
    }

    /**
     * Returns the answer that an outcome stands for: of a stale owner the recorded one, as for every other caller.
     *
     * @param outcome null after a defect of this library
     * @param given the answer to the exception that is the outcome, which the first caller gets
     */
    HttpResponse<?> answer(
            HttpRequest<?> request, Operation operation, @Nullable Outcome outcome, @Nullable HttpResponse<?> given) {
        if (outcome instanceof Outcome.Executed executed && executed.value() instanceof HttpResponse<?> response) {
            return response;
        } else if (outcome instanceof Outcome.Replayed replayed) {
            return responses.replayed(asReturned(request, replayed.value()));
        } else if (outcome instanceof Outcome.Refused refused) {
            byte[] recorded = refused.answer();
            if (recorded == null) {
                throw refused.reason();
            }
            return responses.replayed(operation.name(), recorded);
        } else if (given == null && outcome instanceof Outcome.Threw threw) {
            throw new CompletionException(threw.failure());
        }
        return Objects.requireNonNull(given);
    }

    /** As if the method had returned it. */
    private static HttpResponse<?> asReturned(HttpRequest<?> request, @Nullable Object value) {
        if (value instanceof HttpResponse<?> whole) {
            return whole;
        }
        HttpStatus status = RouteAttributes.getRouteInfo(request)
                .map(route -> route.findStatus(HttpStatus.OK))
                .orElse(HttpStatus.OK);
        return HttpResponse.status(status).body(value);
    }
}
