package io.idempotency.runtime.http;

import io.idempotency.IdempotencyException;
import io.idempotency.OperationInProgressException;
import io.micronaut.context.annotation.Requires;
import io.micronaut.http.HttpHeaders;
import io.micronaut.http.HttpRequest;
import io.micronaut.http.HttpResponse;
import io.micronaut.http.HttpStatus;
import io.micronaut.http.MediaType;
import io.micronaut.http.MutableHttpResponse;
import io.micronaut.http.annotation.Produces;
import io.micronaut.http.server.exceptions.ExceptionHandler;
import jakarta.inject.Singleton;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;

/** Answers a refusal with a problem document (RFC 9457) that says whether the body ran and what to do next. */
@Singleton
@Produces(MediaType.APPLICATION_JSON_PROBLEM)
@Requires(classes = ExceptionHandler.class)
final class ProblemHandler implements ExceptionHandler<IdempotencyException, HttpResponse<?>> {

    private static final String TYPE_BASE = "/problems/idempotency/";
    private static final Duration STORE_RETRY = Duration.ofSeconds(1);

    @Override
    @SuppressWarnings("rawtypes") // as the interface declares it
    public HttpResponse<?> handle(HttpRequest request, IdempotencyException refusal) {
        ProblemStatus problem = ProblemStatus.of(refusal);
        HttpStatus status = problem.statusOf(refusal);
        MutableHttpResponse<Map<String, Object>> response = HttpResponse.<Map<String, Object>>status(status)
                .contentType(MediaType.APPLICATION_JSON_PROBLEM_TYPE)
                .header(HttpHeaders.CACHE_CONTROL, "no-store")
                .body(document(refusal, problem, status));
        if (problem == ProblemStatus.KEY_MISSING) {
            response.header(HttpHeaders.LINK, "<" + TYPE_BASE + refusal.code() + ">; rel=\"describedby\"");
        }
        if (refusal instanceof OperationInProgressException busy) {
            response.header(HttpHeaders.RETRY_AFTER, seconds(busy.retryAfter()));
        } else if (problem == ProblemStatus.STORE_UNAVAILABLE) {
            response.header(HttpHeaders.RETRY_AFTER, seconds(STORE_RETRY));
        }
        return response;
    }

    private static Map<String, Object> document(
            IdempotencyException refusal, ProblemStatus problem, HttpStatus status) {
        Map<String, Object> document = new LinkedHashMap<>();
        document.put("type", TYPE_BASE + refusal.code());
        document.put("title", problem.title());
        document.put("status", status.getCode());
        document.put("detail", refusal.getMessage());
        document.put("code", refusal.code());
        document.put("operation", refusal.operation());
        document.put("executed", word(refusal.executed()));
        document.put("retry", word(refusal.retry()));
        return document;
    }

    private static String word(Enum<?> value) {
        return value.name().toLowerCase(Locale.ROOT).replace('_', '-');
    }

    /** Whole seconds, rounded up: HTTP knows no smaller unit here. */
    private static String seconds(Duration duration) {
        return Long.toString(Math.max(1, duration.plusMillis(999).toSeconds()));
    }
}
