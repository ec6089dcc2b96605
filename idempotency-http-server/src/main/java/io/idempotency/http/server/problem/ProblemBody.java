package io.idempotency.http.server.problem;

import io.idempotency.IdempotencyException;
import io.idempotency.PreviousAttemptFailedException;
import io.micronaut.context.annotation.Requires;
import io.micronaut.core.annotation.Internal;
import io.micronaut.core.annotation.Nullable;
import io.micronaut.http.HttpMethod;
import io.micronaut.http.HttpRequest;
import io.micronaut.http.HttpResponse;
import io.micronaut.http.MediaType;
import io.micronaut.http.MutableHttpResponse;
import io.micronaut.http.server.exceptions.ExceptionHandler;
import io.micronaut.http.server.exceptions.response.Error;
import io.micronaut.http.server.exceptions.response.ErrorContext;
import io.micronaut.http.server.exceptions.response.ErrorResponseProcessor;
import io.micronaut.http.server.exceptions.response.JsonErrorResponseBodyProvider;
import io.micronaut.problem.HttpStatusType;
import io.micronaut.problem.ProblemErrorResponseProcessor;
import jakarta.inject.Singleton;
import java.net.URI;
import java.util.Optional;
import org.zalando.problem.ProblemBuilder;

/**
 * Writes the body of a refusal. An application's own {@code ErrorResponseProcessor} gets every refusal, with the
 * exception as the root cause; so does its {@code JsonErrorResponseBodyProvider} for JSON. Otherwise JSON clients get
 * {@code application/problem+json}, plain-text clients get text, and browsers get Micronaut's error page.
 */
@Internal
@Singleton
@Requires(classes = ExceptionHandler.class)
public final class ProblemBody {

    private final ErrorResponseProcessor<?> processor;
    private final boolean applicationsProcessor;
    private final boolean applicationsJson;
    private final ProblemTypes types;
    private final @Nullable ProblemJson cause;

    ProblemBody(
            ErrorResponseProcessor<?> processor,
            @Nullable JsonErrorResponseBodyProvider<?> json,
            ProblemTypes types,
            @Nullable ProblemJson cause) {
        this.types = types;
        this.processor = processor;
        this.cause = cause != null && cause.isFor(processor) ? cause : null;
        this.applicationsProcessor = this.cause == null && !micronauts(processor);
        this.applicationsJson = this.cause == null && json != null && !micronauts(json);
    }

    /** Micronaut's own classes are internal, in the package of their interface. */
    private static boolean micronauts(Object bean) {
        return bean.getClass().getPackageName().equals(ErrorResponseProcessor.class.getPackageName());
    }

    /**
     * Writes what duplicates get in place of an error page that Micronaut made of an exception's
     * text: the application meant that text for its log.
     *
     * @param request the request whose client decides about the representation
     * @param operation the operation that failed
     * @param status the status of the error page
     * @return a document of that status
     */
    public MutableHttpResponse<?> ofFailure(HttpRequest<?> request, String operation, int status) {
        PreviousAttemptFailedException failed = new PreviousAttemptFailedException(
                operation, "", "the attempt failed", "", null, HttpStatusClassifier.code(status));
        return write(request, failed, Problem.of(failed, types, false), HttpResponse.status(status, ""));
    }

    MutableHttpResponse<?> write(
            HttpRequest<?> request, IdempotencyException refusal, Problem problem, MutableHttpResponse<?> response) {
        Said said = new Said(problem.detail(), problem.title());
        if (applicationsProcessor || request.getMethod() == HttpMethod.HEAD) {
            return processed(request, refusal, response, said);
        }
        return switch (Representation.of(request.accept())) {
            case TEXT -> response.contentType(MediaType.TEXT_PLAIN_TYPE).body(problem.text());
            case HTML ->
                processed(
                        request,
                        throwable(refusal, problem),
                        response,
                        said,
                        new Said(problem.summary(" · "), problem.title()));
            case JSON ->
                cause == null && !applicationsJson
                        ? response.contentType(MediaType.APPLICATION_JSON_PROBLEM_TYPE)
                                .body(problem.members())
                        : processed(request, throwable(refusal, problem), response, said);
        };
    }

    private Throwable throwable(IdempotencyException refusal, Problem problem) {
        return cause == null ? refusal : cause.of(problem);
    }

    private MutableHttpResponse<?> processed(
            HttpRequest<?> request, Throwable thrown, MutableHttpResponse<?> response, Error... errors) {
        ErrorContext.Builder context = ErrorContext.builder(request).cause(thrown);
        for (Error error : errors) {
            context.error(error);
        }
        @SuppressWarnings("unchecked") // a processor sets the body it likes
        MutableHttpResponse<?> processed =
                ((ErrorResponseProcessor<Object>) processor).processResponse(context.build(), response);
        return processed;
    }

    /** A line of an error page. */
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

    /** Adapts refusals to micronaut-problem-json, which renders only the status of what is no throwable problem. */
    @Singleton
    @Requires(classes = ProblemErrorResponseProcessor.class)
    static final class ProblemJson {

        boolean isFor(ErrorResponseProcessor<?> processor) {
            return processor instanceof ProblemErrorResponseProcessor;
        }

        Throwable of(Problem problem) {
            ProblemBuilder builder = org.zalando.problem.Problem.builder()
                    .withType(URI.create(problem.type()))
                    .withTitle(problem.title())
                    .withStatus(new HttpStatusType(problem.status()))
                    .withDetail(problem.detail());
            problem.extensions().forEach(builder::with);
            return builder.build();
        }
    }
}
