package io.idempotency.http.server;

import io.idempotency.runtime.http.IdempotencyHeaders;
import io.micronaut.context.annotation.Requires;
import io.micronaut.core.order.Ordered;
import io.micronaut.http.HttpHeaders;
import io.micronaut.http.HttpRequest;
import io.micronaut.http.MutableHttpHeaders;
import io.micronaut.http.MutableHttpResponse;
import io.micronaut.http.annotation.Filter;
import io.micronaut.http.annotation.ResponseFilter;
import io.micronaut.http.annotation.ServerFilter;
import io.micronaut.http.filter.ServerFilterPhase;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/** Puts the marks of the request onto its response, on error paths too. */
@ServerFilter(Filter.MATCH_ALL_PATTERN)
@Requires(classes = ServerFilter.class)
final class MarkFilter implements Ordered {

    private static final List<String> MARKS = List.of(
            IdempotencyHeaders.IDEMPOTENT_REPLAYED,
            IdempotencyHeaders.IDEMPOTENCY_ORIGINAL,
            IdempotencyHeaders.IDEMPOTENCY_STATUS);

    /** Of a refusal. */
    private static final List<String> WITH_MARKS = List.of(HttpHeaders.RETRY_AFTER, HttpHeaders.LINK);

    private final boolean original;

    MarkFilter(HttpConfiguration configuration) {
        this.original = configuration.isOriginal();
    }

    /** Around every filter that may make an idempotent call or answer for one. */
    @Override
    public int getOrder() {
        return ServerFilterPhase.FIRST.before();
    }

    @ResponseFilter
    void mark(HttpRequest<?> request, MutableHttpResponse<?> response) {
        RequestMarks.of(request).ifPresent(marks -> {
            // a call that is refused for its key is no mark, and is the whole answer all the same
            boolean refused = response.getHeaders().contains(IdempotencyHeaders.IDEMPOTENCY_STATUS);
            if (marks.replayed() && !refused) {
                response.getHeaders().set(IdempotencyHeaders.IDEMPOTENT_REPLAYED, "true");
                if (original) {
                    marks.original()
                            .ifPresent(
                                    calls -> response.getHeaders().set(IdempotencyHeaders.IDEMPOTENCY_ORIGINAL, calls));
                }
                if (!response.getHeaders().contains(HttpHeaders.CACHE_CONTROL)) {
                    response.getHeaders().set(HttpHeaders.CACHE_CONTROL, "no-store");
                }
            }
            if (refused && marks.answeredOnce()) {
                return;
            }
            marks.status().ifPresent(status -> addStatus(response.getHeaders(), status));
        });
        expose(response.getHeaders());
    }

    /** Where the whole answer is a refusal, that stays in front of what became of the calls. */
    private static void addStatus(MutableHttpHeaders headers, String status) {
        String whole = headers.get(IdempotencyHeaders.IDEMPOTENCY_STATUS);
        headers.set(IdempotencyHeaders.IDEMPOTENCY_STATUS, whole == null ? status : whole + ", " + status);
    }

    /** Lets scripts of a permitted origin read what the response says about idempotency. */
    private static void expose(MutableHttpHeaders headers) {
        if (!headers.contains(HttpHeaders.ACCESS_CONTROL_ALLOW_ORIGIN)
                || MARKS.stream().noneMatch(headers::contains)) {
            return;
        }
        List<String> exposed = new ArrayList<>(headers.getAll(HttpHeaders.ACCESS_CONTROL_EXPOSE_HEADERS));
        Stream.concat(MARKS.stream(), WITH_MARKS.stream())
                .filter(headers::contains)
                .forEach(exposed::add);
        headers.set(HttpHeaders.ACCESS_CONTROL_EXPOSE_HEADERS, String.join(", ", exposed));
    }
}
