package io.idempotency.http.server.route;

import io.idempotency.runtime.Effect;
import io.idempotency.runtime.Outcome;
import io.idempotency.runtime.engine.AnsweredFailure;
import io.idempotency.runtime.engine.Operation;
import io.idempotency.runtime.intercept.AnsweredCalls;
import io.micronaut.http.HttpRequest;
import io.micronaut.http.HttpResponse;
import io.micronaut.http.HttpStatus;
import io.micronaut.web.router.RouteAttributes;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * One call of an annotated method that a request was routed to. After an exception the claim is held until the response is
 * known, and the response until it is recorded. Where none comes, because the client is gone for instance, the failure is
 * recorded without it after one lease.
 */
final class AnsweredRoute implements AnsweredCalls.Answered {

    private static final String PENDING = "io.idempotency.answer";
    private static final String REPLAY = "io.idempotency.replay";

    private final HttpRequest<?> request;
    private final Operation operation;
    private final AnswerRule rule;
    private final RouteResponses responses;
    private final boolean retried;
    private final CompletableFuture<AnsweredFailure> answer = new CompletableFuture<>();
    private final CompletableFuture<@Nullable Outcome> end = new CompletableFuture<>();
    private volatile @Nullable Throwable failure;

    /**
     * A recorded answer.
     *
     * @param operation whose it is
     * @param answer encoded
     */
    @SuppressWarnings("ArrayRecordComponent") // handed through, never compared
    record Recorded(String operation, byte[] answer) {}

    AnsweredRoute(
            HttpRequest<?> request, Operation operation, AnswerRule rule, RouteResponses responses, boolean retried) {
        this.request = request;
        this.operation = operation;
        this.rule = rule;
        this.responses = responses;
        this.retried = retried;
    }

    @Override
    public AnsweredCalls.@Nullable Returned returned(@Nullable Object value) {
        if (!(value instanceof HttpResponse<?> response)) {
            return null;
        }
        int status = response.code();
        Effect effect = rule.effect(status);
        return AnswerRule.isError(status) || effect != Effect.FINAL
                ? new AnsweredCalls.Returned(
                        effect,
                        new AnsweredFailure(new UndecidedAnswerException(status), effect, null),
                        AnswerRule.isServerError(status))
                : null;
    }

    @Override
    public @Nullable CompletionStage<AnsweredFailure> thrown(Throwable thrown) {
        if (retried) {
            return null; // the next try is refused or runs, and must not wait for the answer to this one
        }
        synchronized (request) {
            if (pending(request).isPresent()) {
                return null; // the answer is another call's
            }
            request.setAttribute(PENDING, this);
        }
        failure = thrown;
        long lease = operation.policy().lease().toMillis();
        return answer.completeOnTimeout(unanswered(thrown), lease, TimeUnit.MILLISECONDS);
    }

    private static AnsweredFailure unanswered(Throwable thrown) {
        return new AnsweredFailure(thrown, Effect.FINAL, null);
    }

    @Override
    public void ended(@Nullable Outcome outcome) {
        if (outcome instanceof Outcome.Refused refused && refused.answer() != null) {
            request.setAttribute(REPLAY, new Recorded(operation.name(), refused.answer()));
        }
        end.complete(outcome);
    }

    /** The call of a request that waits for its answer. */
    static Optional<AnsweredRoute> pending(HttpRequest<?> request) {
        return Optional.ofNullable((AnsweredRoute) request.getAttributes().getValue(PENDING)); // get() would convert it
    }

    /** The recorded answer that a request is to get. */
    static Optional<Recorded> replay(HttpRequest<?> request) {
        return Optional.ofNullable((Recorded) request.getAttributes().getValue(REPLAY));
    }

    /** The response is known: it is recorded, and then sent. */
    CompletionStage<HttpResponse<?>> answered(HttpRequest<?> asked, HttpResponse<?> response) {
        Throwable thrown = failure;
        if (thrown == null || answer.isDone()) {
            return CompletableFuture.completedFuture(response);
        }
        return responses.failed(asked, response, thrown, operation, rule).thenCompose(recordable -> {
            answer.complete(recordable.failure());
            return end.thenApply(outcome -> told(outcome, recordable.response()));
        });
    }

    /** After a stale owner the recorded outcome is the one that every caller learns, this one included. */
    private HttpResponse<?> told(@Nullable Outcome outcome, HttpResponse<?> response) {
        if (outcome instanceof Outcome.Refused refused) {
            byte[] recorded = refused.answer();
            if (recorded == null) {
                throw refused.reason();
            }
            return responses.replayed(operation.name(), recorded);
        }
        return outcome instanceof Outcome.Replayed replayed ? asReturned(replayed.value()) : response;
    }

    /** As if the method had returned it. */
    private HttpResponse<?> asReturned(@Nullable Object value) {
        if (value instanceof HttpResponse<?> whole) {
            return whole;
        }
        HttpStatus status = RouteAttributes.getRouteInfo(request)
                .map(route -> route.findStatus(HttpStatus.OK))
                .orElse(HttpStatus.OK);
        return value == null
                ? HttpResponse.status(status)
                : HttpResponse.status(status).body(value);
    }
}
