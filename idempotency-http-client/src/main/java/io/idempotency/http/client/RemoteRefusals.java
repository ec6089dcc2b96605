package io.idempotency.http.client;

import io.idempotency.IdempotencyException;
import io.idempotency.IdempotencyException.Executed;
import io.idempotency.OperationInProgressException;
import io.idempotency.OutcomeUnknownException;
import io.idempotency.PreviousAttemptFailedException;
import io.idempotency.Refusal;
import io.idempotency.TooManyRecordsException;
import io.micronaut.context.annotation.Requires;
import io.micronaut.http.client.HttpClient;
import io.micronaut.http.client.exceptions.HttpClientResponseException;
import jakarta.inject.Singleton;
import java.time.Duration;

/** Turns the refusals of a system that speaks the profile back into the exceptions that it threw. */
@Singleton
@Requires(classes = HttpClient.class)
final class RemoteRefusals {

    private static final Duration SHORTEST_RETRY = Duration.ofSeconds(1);

    private final RemoteProblems problems;

    RemoteRefusals(RemoteProblems problems) {
        this.problems = problems;
    }

    /** Anything that is no refusal of the profile, and any that this version does not know, stays what it is. */
    Throwable typed(Throwable failure, String call) {
        if (!(failure instanceof HttpClientResponseException answered)) {
            return failure;
        }
        return problems.of(answered.getResponse())
                .<Throwable>map(problem -> typed(problem, answered, call))
                .orElse(failure);
    }

    private static Throwable typed(RemoteProblem problem, HttpClientResponseException answer, String call) {
        String operation = problem.operation() == null ? call : problem.operation();
        String said = said(problem, answer);
        Refusal kind = Refusal.named(problem.code()).orElse(null);
        if (kind == null) {
            return answer;
        }
        // one operation of theirs did not run, another one may have
        return kind.executed() == Executed.NO && problem.executed() != Executed.NO
                ? new OutcomeUnknownException(operation, null, said, answer)
                : refusal(kind, problem, answer, operation, said);
    }

    private static String said(RemoteProblem problem, HttpClientResponseException answer) {
        return "the called system"
                + (answer.getServiceId() == null ? "" : " '" + answer.getServiceId() + "'") + " answered "
                + answer.code() + " " + problem.code() + ": "
                + (problem.detail().isEmpty() ? answer.getMessage() : problem.detail());
    }

    private static IdempotencyException refusal(
            Refusal kind, RemoteProblem problem, HttpClientResponseException answer, String operation, String said) {
        return switch (kind) {
            case IN_PROGRESS -> new OperationInProgressException(operation, null, said, retryAfter(answer), answer);
            case TOO_MANY_RECORDS -> new TooManyRecordsException(operation, null, said, retryAfter(answer), answer);
            case PREVIOUS_ATTEMPT_FAILED -> failedBefore(operation, said, problem, answer);
            default -> kind.exception(operation, null, said, answer);
        };
    }

    private static IdempotencyException failedBefore(
            String operation, String said, RemoteProblem problem, HttpClientResponseException answer) {
        return new PreviousAttemptFailedException(
                operation,
                null,
                said,
                HttpClientResponseException.class.getName(),
                problem.detail(),
                "http:" + answer.code(),
                answer);
    }

    private static Duration retryAfter(HttpClientResponseException answer) {
        return RetryAfter.of(answer.getResponse().getHeaders())
                .filter(span -> !span.isZero())
                .orElse(SHORTEST_RETRY);
    }
}
