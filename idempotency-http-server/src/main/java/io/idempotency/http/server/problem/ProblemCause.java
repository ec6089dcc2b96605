package io.idempotency.http.server.problem;

import io.idempotency.IdempotencyException;
import io.micronaut.http.server.exceptions.response.ErrorResponseProcessor;

/** Adapts refusals to an error processor that renders the root cause. */
interface ProblemCause {

    boolean isFor(ErrorResponseProcessor<?> processor);

    Throwable of(IdempotencyException refusal, Problem problem);
}
