package io.idempotency.http.client;

import io.idempotency.IdempotencyException;
import io.idempotency.IdempotencyException.Executed;
import io.idempotency.OutcomeUnknownException;
import io.idempotency.PreviousAttemptFailedException;
import io.idempotency.Refusal;
import io.idempotency.runtime.Effect;
import io.idempotency.runtime.FailureClassifier;
import io.idempotency.runtime.http.RemoteRefusal;
import io.micronaut.context.annotation.Requires;
import io.micronaut.http.client.HttpClient;
import io.micronaut.http.client.exceptions.HttpClientResponseException;
import jakarta.inject.Singleton;
import java.time.Duration;
import java.util.Optional;

/**
 * Turns the refusals of a system that speaks the profile back into the exceptions that it threw. What such a refusal says of the
 * execution there decides what becomes of an operation around the call.
 */
@Singleton
@Requires(classes = HttpClient.class)
final class RemoteRefusals implements FailureClassifier, RemoteRefusal {

    private static final Duration SHORTEST_RETRY = Duration.ofSeconds(1);

    private final RemoteProblems problems;

    RemoteRefusals(RemoteProblems problems) {
        this.problems = problems;
    }

    @Override
    public boolean isRemote(IdempotencyException refusal) {
        return refusal.getCause() instanceof HttpClientResponseException
                || refusal.getCause() instanceof LogicalCall.UnsentCallException;
    }

    @Override
    public Optional<Effect> effect(Throwable failure) {
        return failure instanceof IdempotencyException refusal && isRemote(refusal)
                ? Optional.of(refusal.executed() == Executed.UNKNOWN ? Effect.UNKNOWN : Effect.FINAL)
                : Optional.empty();
    }

    /** The exception for a failure; the failure itself where it is no refusal of the profile, or one that this version does not know. */
    Throwable typed(Throwable failure, String call) {
        return failure instanceof HttpClientResponseException answer
                ? problems.of(answer.getResponse())
                        .<Throwable>map(problem -> typed(problem, answer, call))
                        .orElse(failure)
                : failure;
    }

    private static Throwable typed(RemoteProblems.Problem problem, HttpClientResponseException answer, String call) {
        Refusal kind = Refusal.named(problem.code()).orElse(null);
        if (kind == null) {
            return answer;
        }
        String operation = problem.operation() == null ? call : problem.operation();
        String said = "the called system"
                + (answer.getServiceId() == null ? "" : " '" + answer.getServiceId() + "'") + " answered "
                + answer.code() + " " + problem.code() + ": "
                + (problem.detail().isEmpty() ? answer.getMessage() : problem.detail());
        if (kind.executed() == Executed.NO && problem.executed() != Executed.NO) {
            // one of their operations did not run, and another one may have
            return new OutcomeUnknownException(operation, null, said, answer);
        } else if (kind == Refusal.PREVIOUS_ATTEMPT_FAILED) {
            return new PreviousAttemptFailedException(
                    operation,
                    null,
                    said,
                    HttpClientResponseException.class.getName(),
                    problem.detail(),
                    "http:" + answer.code(),
                    answer);
        }
        Duration retryAfter = RemoteProblems.retryAfter(answer.getResponse().getHeaders())
                .filter(span -> !span.isZero())
                .orElse(SHORTEST_RETRY);
        return kind.exception(operation, null, said, retryAfter, answer);
    }
}
