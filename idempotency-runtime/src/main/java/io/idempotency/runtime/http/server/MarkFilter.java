package io.idempotency.runtime.http.server;

import io.idempotency.runtime.http.IdempotencyHeaders;
import io.micronaut.context.annotation.Requires;
import io.micronaut.http.HttpRequest;
import io.micronaut.http.MutableHttpResponse;
import io.micronaut.http.annotation.Filter;
import io.micronaut.http.annotation.ResponseFilter;
import io.micronaut.http.annotation.ServerFilter;

/** Puts the marks of the request onto its response, on error paths too. */
@ServerFilter(Filter.MATCH_ALL_PATTERN)
@Requires(classes = ServerFilter.class)
final class MarkFilter {

    @ResponseFilter
    void mark(HttpRequest<?> request, MutableHttpResponse<?> response) {
        if (request.getAttribute(RequestMarks.REPLAYED, Boolean.class).orElse(false)) {
            response.header(IdempotencyHeaders.IDEMPOTENT_REPLAYED, "true");
        }
        if (request.getAttribute(RequestMarks.IGNORED, Boolean.class).orElse(false)) {
            response.header(IdempotencyHeaders.IDEMPOTENCY_STATUS, "ignored");
        }
    }
}
