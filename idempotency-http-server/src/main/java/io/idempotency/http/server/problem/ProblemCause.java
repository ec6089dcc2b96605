package io.idempotency.http.server.problem;

import io.idempotency.IdempotencyException;
import io.micronaut.http.server.exceptions.response.ErrorResponseProcessor;

/** Knows an error processor of Micronaut's that takes what it writes from the root cause. */
interface ProblemCause {

    boolean isFor(ErrorResponseProcessor<?> processor);

    Throwable of(IdempotencyException refusal, Problem problem);
}
