package io.idempotency.http.server.route;

import io.idempotency.runtime.Effect;
import io.idempotency.runtime.Outcome;
import io.idempotency.runtime.call.FailureWithAnswer;
import io.idempotency.runtime.call.Operation;
import io.idempotency.runtime.intercept.AnsweredCalls;
import io.micronaut.http.HttpRequest;
import io.micronaut.http.HttpResponse;
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

    /** The attributes of a request: the call that waits for its answer, and the one whose recorded answer it gets. */
    private static final String PENDING = "io.idempotency.answer";

    private static final String REPLAY = "io.idempotency.replay";

    private final HttpRequest<?> request;
    private final Operation operation;
    private final StatusRule rule;
    private final boolean retried;
    private final CompletableFuture<FailureWithAnswer> answer = new CompletableFuture<>();
    private final CompletableFuture<@Nullable Outcome> end = new CompletableFuture<>();
    private volatile @Nullable Throwable failure;
    private volatile Outcome.@Nullable Refused recorded;

    AnsweredRoute(HttpRequest<?> request, Operation operation, StatusRule rule, boolean retried) {
        this.request = request;
        this.operation = operation;
        this.rule = rule;
        this.retried = retried;
    }

    @Override
    public AnsweredCalls.@Nullable Returned returned(@Nullable Object value) {
        if (!(value instanceof HttpResponse<?> response)) {
            return null;
        }
        int status = response.code();
        Effect effect = rule.effect(status);
        return StatusRule.isError(status) || effect != Effect.FINAL
                ? new AnsweredCalls.Returned(
                        effect, StatusRule.undecided(status, effect), StatusRule.isServerError(status))
                : null;
    }

    @Override
    public @Nullable CompletionStage<FailureWithAnswer> thrown(Throwable thrown) {
        if (retried) {
            return null; // the next try is refused or runs, and must not wait for the answer to this one
        }
        synchronized (request) {
            if (request.getAttributes().getValue(PENDING) != null) { // get() would convert it
                return null; // the answer is another call's
            }
            request.setAttribute(PENDING, this);
        }
        failure = thrown;
        long lease = operation.policy().lease().toMillis();
        return answer.completeOnTimeout(
                new FailureWithAnswer(thrown, Effect.FINAL, null), lease, TimeUnit.MILLISECONDS);
    }

    @Override
    public void ended(@Nullable Outcome outcome) {
        if (outcome instanceof Outcome.Refused refused && refused.answer() != null) {
            recorded = refused;
            request.setAttribute(REPLAY, this);
        }
        end.complete(outcome);
    }

    /** The call of a request that has a recorded answer, or waits for the request's; null where there is none. */
    static @Nullable AnsweredRoute of(HttpRequest<?> request) {
        AnsweredRoute replay = (AnsweredRoute) request.getAttributes().getValue(REPLAY);
        return replay == null ? (AnsweredRoute) request.getAttributes().getValue(PENDING) : replay;
    }

    boolean isReplayed() {
        return recorded != null;
    }

    /** The response is known: it is recorded, and then sent; or the recorded one is sent in its place. */
    CompletionStage<HttpResponse<?>> answered(HttpRequest<?> asked, HttpResponse<?> response, RouteAnswers answers) {
        Throwable thrown = failure;
        if (recorded != null) {
            return CompletableFuture.completedFuture(answers.answer(request, operation, recorded, null));
        } else if (thrown == null || answer.isDone()) {
            return CompletableFuture.completedFuture(response);
        }
        return answers.threw(asked, response, thrown, operation, rule, failed -> {
            answer.complete(failed);
            return end;
        });
    }
}
