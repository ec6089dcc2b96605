package io.idempotency.http.server;

import io.idempotency.runtime.Outcome;
import io.idempotency.runtime.OutcomeListener;
import io.idempotency.runtime.http.IdempotencyHeaders;
import io.micronaut.context.annotation.Requires;
import io.micronaut.core.annotation.Internal;
import io.micronaut.core.order.Ordered;
import io.micronaut.http.HttpHeaders;
import io.micronaut.http.HttpRequest;
import io.micronaut.http.MutableHttpHeaders;
import io.micronaut.http.MutableHttpResponse;
import io.micronaut.http.annotation.Filter;
import io.micronaut.http.annotation.ResponseFilter;
import io.micronaut.http.annotation.ServerFilter;
import io.micronaut.http.context.ServerRequestContext;
import io.micronaut.http.filter.ServerFilterPhase;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * Notes on the current request what became of its idempotent calls, however deep below the controller
 * they are, and puts these marks onto its response, on error paths too.
 */
@Internal
@ServerFilter(Filter.MATCH_ALL_PATTERN)
@Requires(classes = ServerFilter.class)
public final class RequestStatuses implements OutcomeListener, Ordered {

    private static final String NOTED = "io.idempotency.marks";

    private static final List<String> MARKS = List.of(
            IdempotencyHeaders.IDEMPOTENT_REPLAYED,
            IdempotencyHeaders.IDEMPOTENCY_ORIGINAL,
            IdempotencyHeaders.IDEMPOTENCY_STATUS);

    /** Of a refusal. */
    private static final List<String> WITH_MARKS = List.of(HttpHeaders.RETRY_AFTER, HttpHeaders.LINK);

    private final HttpRequestKey keys;
    private final boolean original;

    RequestStatuses(HttpRequestKey keys, HttpConfiguration configuration) {
        this.keys = keys;
        this.original = configuration.isOriginal();
    }

    @Override
    public void onOutcome(Call call, Outcome outcome) {
        HttpRequest<?> request = ServerRequestContext.currentRequest().orElse(null);
        if (request != null) {
            notedOn(request).add(call.operation(), outcome, call.id());
        }
    }

    @Override
    public void onUnprotected(String operation) {
        ServerRequestContext.currentRequest()
                .filter(request ->
                        !HttpRequestKey.isSafe(request) || request.getHeaders().contains(keys.header(operation)))
                .ifPresent(request -> notedOn(request).addUnprotected(operation));
    }

    /**
     * Whether any idempotent call of a request did something, now or when the request was sent before.
     *
     * @param request the request
     * @return false when every call was refused or had no effect
     */
    public static boolean ran(HttpRequest<?> request) {
        return of(request).filter(CallStatuses::ran).isPresent();
    }

    /** What is noted on a request, if anything. */
    static Optional<CallStatuses> of(HttpRequest<?> request) {
        return Optional.ofNullable((CallStatuses) request.getAttributes().getValue(NOTED)); // get() would convert it
    }

    /** Calls of one request may end on several threads at once. */
    private static CallStatuses notedOn(HttpRequest<?> request) {
        synchronized (request) {
            CallStatuses marks = of(request).orElseGet(CallStatuses::new);
            request.setAttribute(NOTED, marks);
            return marks;
        }
    }

    /** Around every filter that may make an idempotent call or answer for one. */
    @Override
    public int getOrder() {
        return ServerFilterPhase.FIRST.before();
    }

    @ResponseFilter
    void mark(HttpRequest<?> request, MutableHttpResponse<?> response) {
        MutableHttpHeaders headers = response.getHeaders();
        of(request).ifPresent(marks -> {
            // a call that is refused for its key is no mark, and is the whole answer all the same
            boolean refused = headers.contains(IdempotencyHeaders.IDEMPOTENCY_STATUS);
            if (marks.replayed() && !refused) {
                headers.set(IdempotencyHeaders.IDEMPOTENT_REPLAYED, "true");
                marks.original()
                        .filter(calls -> original)
                        .ifPresent(calls -> headers.set(IdempotencyHeaders.IDEMPOTENCY_ORIGINAL, calls));
                if (!headers.contains(HttpHeaders.CACHE_CONTROL)) {
                    headers.set(HttpHeaders.CACHE_CONTROL, "no-store");
                }
            }
            if (!refused || !marks.answeredOnce()) {
                marks.status().ifPresent(status -> addStatus(headers, status));
            }
        });
        expose(headers);
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
