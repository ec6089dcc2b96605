package io.idempotency.http.server.problem;

import io.idempotency.PreviousAttemptFailedException;
import io.micronaut.context.annotation.Requires;
import io.micronaut.http.HttpRequest;
import io.micronaut.http.HttpResponse;
import io.micronaut.http.MutableHttpResponse;
import io.micronaut.http.server.exceptions.ExceptionHandler;
import jakarta.inject.Singleton;

/**
 * The problem document that duplicates get in place of an error page that Micronaut made of an exception's text: the application meant that
 * text for its log.
 */
@Singleton
@Requires(classes = ExceptionHandler.class)
public final class FailureDocuments {

    private final ProblemTypes types;
    private final ProblemBody body;

    FailureDocuments(ProblemTypes types, ProblemBody body) {
        this.types = types;
        this.body = body;
    }

    /**
     * Describes a failure.
     *
     * @param request the request whose client decides about the representation
     * @param operation the operation that failed
     * @param status the status of the error page
     * @return a document of that status
     */
    public MutableHttpResponse<?> of(HttpRequest<?> request, String operation, int status) {
        PreviousAttemptFailedException failed = new PreviousAttemptFailedException(
                operation, "", "the attempt failed", "", null, HttpStatusClassifier.code(status));
        return body.write(request, failed, Problem.of(failed, types, false), HttpResponse.status(status, ""));
    }
}
