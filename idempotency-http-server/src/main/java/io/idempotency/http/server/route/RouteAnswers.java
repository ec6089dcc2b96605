package io.idempotency.http.server.route;

import io.idempotency.IdempotencyContext;
import io.idempotency.IdempotencyException;
import io.idempotency.OnFailure;
import io.idempotency.Refusal;
import io.idempotency.http.server.HttpConfiguration;
import io.idempotency.http.server.problem.ProblemBody;
import io.idempotency.runtime.Effect;
import io.idempotency.runtime.Outcome;
import io.idempotency.runtime.UnkeptResultException;
import io.idempotency.runtime.call.FailureWithAnswer;
import io.idempotency.runtime.call.Operation;
import io.idempotency.runtime.call.RunningCall;
import io.idempotency.runtime.failure.RedactedThrowable;
import io.micronaut.core.propagation.PropagatedContextElement;
import io.micronaut.http.HttpRequest;
import io.micronaut.http.HttpResponse;
import io.micronaut.http.HttpStatus;
import io.micronaut.web.router.MethodBasedRouteInfo;
import io.micronaut.web.router.RouteAttributes;
import io.micronaut.web.router.RouteInfo;
import io.micronaut.web.router.RouteMatch;
import jakarta.inject.Singleton;
import java.io.IOException;
import java.util.Objects;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import reactor.core.publisher.Flux;

/** Records the answers of configured routes and annotated methods, and chooses the response to send. */
@Singleton
record RouteAnswers(
        RouteResponses responses, ProblemBody documents, UnreachedRoutes unreached, HttpConfiguration place) {

    private static final Logger LOG = LoggerFactory.getLogger(RouteAnswers.class);

    /** Records a configured route's answer and returns the response. A body that cannot be written is a failure. */
    CompletionStage<HttpResponse<?>> recorded(Run run, HttpRequest<?> request, HttpResponse<?> response) {
        run.seen().complete(true);
        try {
            Throwable thrown = RouteAttributes.getException(response).orElse(null);
            if (thrown == null || unreached.refused(run.match(), thrown, place.isInnermost())) {
                return answered(run, request, response, effect(run, response, thrown == null));
            }
            Throwable own = run.answerFor(thrown);
            Route route = run.route();
            return own != thrown
                    ? failed(run, own)
                    : threw(route.operation(), route.rule(), request, response, thrown, it -> run.finish(null, it));
        } catch (RuntimeException | Error e) {
            return failed(run, e);
        }
    }

    CompletionStage<HttpResponse<?>> failed(Run run, Throwable failure) {
        return run.finish(null, failure).thenApply(outcome -> answer(run.route().operation(), outcome, null));
    }

    /** Returns a response's effect. Micronaut itself answers a lost connection, with 400 and in the name of no route. */
    private Effect effect(Run run, HttpResponse<?> response, boolean reached) {
        RouteInfo<?> answering = RouteAttributes.getRouteInfo(response).orElse(null);
        boolean isError = answering instanceof MethodBasedRouteInfo<?, ?> method && method.isErrorRoute();
        if (!reached || place.isInnermost() && run.match() == null && isError) {
            return Effect.NONE;
        }
        // Micronaut's text tells its answer from a filter's own, where filters are behind
        boolean lost = run.match() != null
                && answering == null
                && response.code() == HttpStatus.BAD_REQUEST.getCode()
                && (place.isInnermost()
                        || "Stream closed".equals(response.getBody().orElse(null)));
        return lost ? Effect.UNKNOWN : run.route().rule().effect(response.code());
    }

    private CompletionStage<HttpResponse<?>> answered(
            Run run, HttpRequest<?> request, HttpResponse<?> given, Effect effect) {
        HttpResponse<?> response = responses.withEvents(given);
        Operation operation = run.route().operation();
        StatusRule rule = run.route().rule();
        boolean released = effect == Effect.FINAL
                && StatusRule.isError(response.code())
                && operation.policy().onFailure() == OnFailure.RELEASE;
        if (effect == Effect.UNKNOWN) {
            return run.finish(null, StatusRule.undecided(response.code(), effect))
                    .thenApply(outcome -> answer(operation, outcome, response));
        } else if (effect == Effect.NONE || released) {
            run.claim().noEffect();
        } else if (RouteResponses.isPublisher(response.body())) { // sent at once; the work ends with the stream
            return CompletableFuture.completedFuture(responses.watched(
                    response,
                    operation.policy().lease(),
                    run::answerFor,
                    (failure, sent) -> failure == null
                            ? run.finish(HttpResponse.ok(Flux.empty()), null) // a stream, which is not kept
                            : run.finish(null, brokenOff(rule, failure, sent))));
        }
        return responses
                .recordable(request, response, operation.policy().maxResultSize())
                .handle(run::finish)
                .thenCompose(Function.identity())
                .thenApply(outcome -> answer(operation, outcome, null));
    }

    /** Returns a stream's failure with its effect. The failure's status was not sent and is not recorded. */
    private static Throwable brokenOff(StatusRule rule, Throwable failure, boolean sent) {
        if (failure instanceof IdempotencyException) {
            return failure;
        }
        Effect effect = failure instanceof CancellationException ? Effect.UNKNOWN : rule.effect(failure);
        return new FailureWithAnswer(failure, sent && effect == Effect.NONE ? Effect.UNKNOWN : effect, null);
    }

    /** Records an exception and, where possible, the application's answer to it; returns the response to send. */
    CompletionStage<HttpResponse<?>> threw(
            Operation operation,
            StatusRule rule,
            HttpRequest<?> request,
            HttpResponse<?> response,
            Throwable thrown,
            Function<FailureWithAnswer, CompletionStage<Outcome>> record) {
        // by a method of the application; if not, the answer has the exception's message
        boolean mapped = RouteAttributes.getRouteInfo(response)
                .filter(route -> route.getDeclaringType() != Object.class)
                .isPresent();
        return CompletableFuture.completedFuture(response)
                .thenCompose(made -> responses.recordable(
                        request,
                        mapped ? made : documents.ofFailure(request, operation.name(), made.code()),
                        operation.policy().maxResultSize()))
                .handle((answer, problem) -> {
                    byte[] bytes = problem == null ? encoded(operation, answer) : unrecorded(operation, problem);
                    HttpResponse<?> sent = mapped && problem == null ? answer : response;
                    return record.apply(new FailureWithAnswer(thrown, rule.effect(response.code()), bytes))
                            .<HttpResponse<?>>thenApply(outcome -> answer(operation, outcome, sent));
                })
                .thenCompose(Function.identity());
    }

    private byte @Nullable [] encoded(Operation operation, HttpResponse<?> answer) {
        try {
            return responses.codecs().of(operation.name()).encode(answer);
        } catch (UnkeptResultException e) {
            return null;
        } catch (IOException | RuntimeException e) {
            return unrecorded(operation, e);
        }
    }

    /** Logs a redacted exception, since the renderer of an error page may repeat the failure's text. Returns null. */
    private static byte @Nullable [] unrecorded(Operation operation, Throwable problem) {
        LOG.warn(
                "Idempotent operation '{}': the answer to a failure could not be recorded; the failure is",
                operation.name(),
                RedactedThrowable.of(problem));
        return null;
    }

    /**
     * Returns the response to an outcome; null is a defect of this library. The first caller gets the given answer to
     * an exception. A stale owner gets the recorded one, as every duplicate does; its retry gets it where a value is
     * recorded, of which only the route makes a response.
     */
    HttpResponse<?> answer(Operation operation, @Nullable Outcome outcome, @Nullable HttpResponse<?> given) {
        if (outcome instanceof Outcome.Executed executed && executed.value() instanceof HttpResponse<?> response) {
            return response;
        } else if (outcome instanceof Outcome.Replayed replayed) {
            if (replayed.value() instanceof HttpResponse<?> whole) {
                return responses.replayed(whole);
            }
            String message = "this call was overtaken. The same key gets what is recorded.";
            throw Refusal.IN_PROGRESS.exception(operation.name(), null, message, null);
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

    /**
     * A request to a configured route under a granted claim, as a context for the filters and the route behind it.
     *
     * @param match the controller's method, since a method for errors takes its place in the request; null for none
     * @param seen whether an answer was given to record
     */
    record Run(
            Route route,
            IdempotencyContext claim,
            CompletionStage<Outcome> outcome,
            @Nullable RouteMatch<?> match,
            CompletableFuture<@Nullable Object> body,
            CompletableFuture<Boolean> seen)
            implements PropagatedContextElement {

        private CompletionStage<Outcome> finish(@Nullable Object value, @Nullable Throwable failure) {
            if (failure == null) {
                body.complete(value);
            } else {
                body.completeExceptionally(failure);
            }
            return outcome;
        }

        /** Returns the exception to answer with, since another operation's refusal may not apply to this key. */
        private Throwable answerFor(Throwable thrown) {
            return claim instanceof RunningCall running ? running.answerFor(thrown) : thrown;
        }
    }
}
