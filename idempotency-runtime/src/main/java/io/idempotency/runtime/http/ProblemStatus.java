package io.idempotency.runtime.http;

import io.idempotency.IdempotencyException;
import io.idempotency.PreviousAttemptFailedException;
import io.micronaut.http.HttpStatus;
import java.util.Locale;

/** The status and the words of a refusal on the wire. */
enum ProblemStatus {
    KEY_MISSING(HttpStatus.BAD_REQUEST, "Idempotency-Key is missing"),
    KEY_INVALID(HttpStatus.BAD_REQUEST, "Idempotency-Key is malformed"),
    IN_PROGRESS(HttpStatus.CONFLICT, "A request with this key is in progress"),
    KEY_REUSED(HttpStatus.UNPROCESSABLE_ENTITY, "Idempotency-Key is already used with another payload"),
    KEY_USED_ELSEWHERE(HttpStatus.CONFLICT, "Idempotency-Key is already used for another operation"),
    OUTCOME_UNKNOWN(HttpStatus.CONFLICT, "The outcome of the first request is not known"),
    RESULT_UNAVAILABLE(HttpStatus.CONFLICT, "The request was executed and its result is not available"),
    PREVIOUS_ATTEMPT_FAILED(HttpStatus.CONFLICT, "The first request with this key failed"),
    STORE_UNAVAILABLE(HttpStatus.SERVICE_UNAVAILABLE, "The idempotency store is not available");

    private final HttpStatus status;
    private final String title;

    ProblemStatus(HttpStatus status, String title) {
        this.status = status;
        this.title = title;
    }

    String title() {
        return title;
    }

    static ProblemStatus of(IdempotencyException refusal) {
        return valueOf(refusal.code().toUpperCase(Locale.ROOT).replace('-', '_'));
    }

    /** As first answered where the body threw an HTTP status. */
    HttpStatus statusOf(IdempotencyException refusal) {
        if (refusal instanceof PreviousAttemptFailedException failed
                && failed.failureCode() != null
                && failed.failureCode().startsWith(HttpStatusClassifier.CODE_PREFIX)) {
            return HttpStatus.valueOf(
                    Integer.parseInt(failed.failureCode().substring(HttpStatusClassifier.CODE_PREFIX.length())));
        }
        return status;
    }
}
