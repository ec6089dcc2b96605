package io.idempotency.http.client;

import io.idempotency.ApplicationShuttingDownException;
import io.idempotency.IdempotencyException;
import io.idempotency.IdempotencyKeyForeignException;
import io.idempotency.IdempotencyKeyReusedException;
import io.idempotency.IdempotencyKeyUsedElsewhereException;
import io.idempotency.IdempotencyStoreUnavailableException;
import io.idempotency.InvalidIdempotencyKeyException;
import io.idempotency.MissingIdempotencyKeyException;
import io.idempotency.OperationInProgressException;
import io.idempotency.OutcomeUnknownException;
import io.idempotency.PreviousAttemptFailedException;
import io.idempotency.ResultUnavailableException;
import io.micronaut.context.annotation.Requires;
import io.micronaut.http.client.HttpClient;
import io.micronaut.http.client.exceptions.HttpClientResponseException;
import jakarta.inject.Singleton;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

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
        IdempotencyException refusal = refusal(problem, answer, operation, said);
        if (refusal == null) {
            return answer;
        }
        // one operation of theirs did not run, another one may have
        return refusal.executed() == IdempotencyException.Executed.NO && !problem.saysNotExecuted()
                ? new OutcomeUnknownException(operation, null, said, answer)
                : refusal;
    }

    private static String said(RemoteProblem problem, HttpClientResponseException answer) {
        return "the called system"
                + (answer.getServiceId() == null ? "" : " '" + answer.getServiceId() + "'") + " answered "
                + answer.code() + " " + problem.code() + ": "
                + (problem.detail().isEmpty() ? answer.getMessage() : problem.detail());
    }

    private static @Nullable IdempotencyException refusal(
            RemoteProblem problem, HttpClientResponseException answer, String operation, String said) {
        return switch (problem.code()) {
            case "key-missing" -> new MissingIdempotencyKeyException(operation, null, said, answer);
            case "key-invalid" -> new InvalidIdempotencyKeyException(operation, null, said, answer);
            case RemoteProblem.IN_PROGRESS ->
                new OperationInProgressException(operation, null, said, retryAfter(answer), answer);
            case "key-reused" -> new IdempotencyKeyReusedException(operation, null, said, answer);
            case "key-foreign" -> new IdempotencyKeyForeignException(operation, null, said, answer);
            case "key-used-elsewhere" -> new IdempotencyKeyUsedElsewhereException(operation, null, said, answer);
            case "outcome-unknown" -> new OutcomeUnknownException(operation, null, said, answer);
            case "result-unavailable" -> new ResultUnavailableException(operation, null, said, answer);
            case "previous-attempt-failed" -> failedBefore(operation, said, problem, answer);
            case "store-unavailable" -> new IdempotencyStoreUnavailableException(operation, null, said, answer);
            case "shutting-down" -> new ApplicationShuttingDownException(operation, null, said, answer);
            default -> null;
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
