package io.idempotency.http.server.problem;

import io.idempotency.IdempotencyException;
import io.idempotency.PreviousAttemptFailedException;
import io.micronaut.core.annotation.Internal;
import io.micronaut.core.annotation.Nullable;
import io.micronaut.http.HttpMethod;
import io.micronaut.http.HttpRequest;
import io.micronaut.http.HttpResponse;
import io.micronaut.http.MediaType;
import io.micronaut.http.MutableHttpResponse;
import io.micronaut.http.server.exceptions.response.Error;
import io.micronaut.http.server.exceptions.response.ErrorContext;
import io.micronaut.http.server.exceptions.response.ErrorResponseProcessor;
import io.micronaut.http.server.exceptions.response.JsonErrorResponseBodyProvider;
import jakarta.inject.Singleton;
import java.util.List;
import java.util.Optional;

/**
 * Writes the body of a refusal: by an application's own {@code ErrorResponseProcessor}, or
 * {@code JsonErrorResponseBodyProvider} for JSON, with the exception as the root cause. Otherwise JSON clients get
 * problem+json, plain-text clients text, and browsers Micronaut's error page, where micronaut-problem-json leaves it.
 */
@Internal
@Singleton
public record ProblemBody(
        ErrorResponseProcessor<?> processor, @Nullable JsonErrorResponseBodyProvider<?> json, ProblemTypes types) {

    /** Recognizes Micronaut's own beans by their package, which is that of their interface. */
    private static boolean micronauts(Object bean) {
        return bean.getClass().getPackageName().equals(ErrorResponseProcessor.class.getPackageName());
    }

    /** Writes the document that duplicates get in place of an error page, which has an exception's text. */
    public MutableHttpResponse<?> ofFailure(HttpRequest<?> request, String operation, int status) {
        PreviousAttemptFailedException failed = new PreviousAttemptFailedException(
                operation, "", "the attempt failed", "", null, HttpStatusClassifier.code(status), null);
        return write(request, failed, Problem.of(failed, types, false), HttpResponse.status(status, ""));
    }

    MutableHttpResponse<?> write(
            HttpRequest<?> request, IdempotencyException refusal, Problem problem, MutableHttpResponse<?> response) {
        Said said = new Said(problem.detail(), problem.title());
        boolean problemJson = processor.getClass().getPackageName().equals("io.micronaut.problem");
        if (!problemJson && !micronauts(processor) || request.getMethod() == HttpMethod.HEAD) {
            return processed(request, refusal, response, said);
        }
        Problem.Form form = Problem.Form.of(request.accept());
        return switch (form == Problem.Form.HTML && problemJson ? Problem.Form.JSON : form) {
            case TEXT -> response.contentType(MediaType.TEXT_PLAIN_TYPE).body(problem.text());
            case HTML -> processed(request, refusal, response, said, new Said(problem.summary(" · "), problem.title()));
            case JSON ->
                !problemJson && json != null && !micronauts(json)
                        ? processed(request, refusal, response, said)
                        : response.contentType(MediaType.APPLICATION_JSON_PROBLEM_TYPE)
                                .body(problem.members());
        };
    }

    private MutableHttpResponse<?> processed(
            HttpRequest<?> request, Throwable thrown, MutableHttpResponse<?> response, Error... errors) {
        ErrorContext.Builder context =
                ErrorContext.builder(request).cause(thrown).errors(List.of(errors));
        @SuppressWarnings("unchecked") // a processor sets the body it likes
        MutableHttpResponse<?> processed =
                ((ErrorResponseProcessor<Object>) processor).processResponse(context.build(), response);
        return processed;
    }

    private record Said(String message, String title) implements Error {
        @Override
        public String getMessage() {
            return message;
        }

        @Override
        public Optional<String> getTitle() {
            return Optional.of(title);
        }
    }
}
