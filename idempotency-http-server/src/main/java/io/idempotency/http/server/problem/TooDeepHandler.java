package io.idempotency.http.server.problem;

import io.idempotency.definition.FingerprintWriter.TooDeepException;
import io.micronaut.context.annotation.Requires;
import io.micronaut.http.HttpRequest;
import io.micronaut.http.HttpResponse;
import io.micronaut.http.server.exceptions.ExceptionHandler;
import io.micronaut.http.server.exceptions.response.ErrorContext;
import io.micronaut.http.server.exceptions.response.ErrorResponseProcessor;
import jakarta.inject.Singleton;

/** Answers 400 where a request nests too deep to be compared: it is the client that chose how deep. */
@Singleton
@Requires(classes = ExceptionHandler.class)
final class TooDeepHandler implements ExceptionHandler<TooDeepException, HttpResponse<?>> {

    private final ErrorResponseProcessor<?> responses;

    TooDeepHandler(ErrorResponseProcessor<?> responses) {
        this.responses = responses;
    }

    @Override
    @SuppressWarnings("rawtypes") // as it is inherited
    public HttpResponse<?> handle(HttpRequest request, TooDeepException exception) {
        ErrorContext error = ErrorContext.builder(request)
                .cause(exception)
                .errorMessage("The request nests deeper than this server compares. Nothing was done.")
                .build();
        return responses.processResponse(error, HttpResponse.badRequest());
    }
}
