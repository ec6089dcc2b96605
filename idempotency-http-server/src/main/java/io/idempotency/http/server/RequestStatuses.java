package io.idempotency.http.server;

import io.idempotency.runtime.Outcome;
import io.idempotency.runtime.OutcomeListener;
import io.idempotency.runtime.http.IdempotencyHeaders;
import io.micronaut.core.annotation.Internal;
import io.micronaut.core.order.Ordered;
import io.micronaut.http.HttpHeaders;
import io.micronaut.http.HttpRequest;
import io.micronaut.http.HttpStatus;
import io.micronaut.http.MutableHttpHeaders;
import io.micronaut.http.MutableHttpResponse;
import io.micronaut.http.annotation.Filter;
import io.micronaut.http.annotation.ResponseFilter;
import io.micronaut.http.annotation.ServerFilter;
import io.micronaut.http.context.ServerRequestContext;
import io.micronaut.http.filter.ServerFilterPhase;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Collects the outcomes of a request's idempotent calls, and reports them in headers of the response. */
@Internal
@ServerFilter(Filter.MATCH_ALL_PATTERN)
public record RequestStatuses(HttpRequestKey keys, HttpConfiguration configuration)
        implements OutcomeListener, Ordered {

    private static final String NOTED = "io.idempotency.marks";
    private static final String REFUSED = "io.idempotency.refused";

    private static final List<String> MARKS = List.of(
            IdempotencyHeaders.IDEMPOTENT_REPLAYED,
            IdempotencyHeaders.IDEMPOTENCY_ORIGINAL,
            IdempotencyHeaders.IDEMPOTENCY_STATUS);

    @Override
    public void onOutcome(Call call, Outcome outcome) {
        ServerRequestContext.currentRequest()
                .ifPresent(request -> notedOn(request).add(call.operation(), outcome, call.id()));
    }

    @Override
    public void onUnprotected(String operation) {
        ServerRequestContext.currentRequest()
                .filter(request ->
                        !HttpRequestKey.isSafe(request) || request.getHeaders().contains(keys.header(operation)))
                .ifPresent(request -> notedOn(request).addUnprotected(operation));
    }

    /** Notes that the answer to a request is a refusal of this application's, with its header. */
    public static void refuse(HttpRequest<?> request) {
        request.setAttribute(REFUSED, true);
    }

    /**
     * Notes that the body of a request's call begins. Until its outcome completes the end, after the listeners, the key
     * is in doubt for an answer that is sent, and no refusal asks for a new key.
     */
    public static void begin(HttpRequest<?> request, CompletableFuture<? extends @Nullable Outcome> end) {
        notedOn(request).begin(end);
    }

    /** Tells whether a call of a request may have had an effect, now or earlier; {@code orRuns}: or if it runs. */
    public static boolean ran(HttpRequest<?> request, boolean orRuns) {
        return of(request).filter(calls -> calls.ran(orRuns)).isPresent();
    }

    static Optional<CallStatuses> of(HttpRequest<?> request) {
        return Optional.ofNullable((CallStatuses) request.getAttributes().getValue(NOTED)); // get() would convert it
    }

    private static CallStatuses notedOn(HttpRequest<?> request) {
        synchronized (request) {
            CallStatuses marks = of(request).orElseGet(CallStatuses::new);
            request.setAttribute(NOTED, marks);
            return marks;
        }
    }

    /** Runs outside every filter that may make an idempotent call or answer for one. */
    @Override
    public int getOrder() {
        return ServerFilterPhase.FIRST.before();
    }

    @ResponseFilter
    void mark(HttpRequest<?> request, MutableHttpResponse<?> response) {
        MutableHttpHeaders headers = response.getHeaders();
        of(request).ifPresent(marks -> {
            // a call that is refused for its key is not collected, but its refusal is the whole answer
            if (request.getAttribute(REFUSED).isEmpty()) {
                MARKS.forEach(headers::remove); // those of a system that the request was passed on to
            }
            boolean refused = headers.contains(IdempotencyHeaders.IDEMPOTENCY_STATUS);
            if (marks.replayed() && !refused) {
                headers.set(IdempotencyHeaders.IDEMPOTENT_REPLAYED, "true");
                marks.original()
                        .filter(calls -> configuration.original())
                        .ifPresent(calls -> headers.set(IdempotencyHeaders.IDEMPOTENCY_ORIGINAL, calls));
                if (!headers.contains(HttpHeaders.CACHE_CONTROL)) {
                    headers.set(HttpHeaders.CACHE_CONTROL, "no-store");
                }
            }
            if (!refused || !marks.refusalSaysAll()) {
                String others = headers.get(IdempotencyHeaders.IDEMPOTENCY_STATUS);
                marks.status(response.code() >= HttpStatus.BAD_REQUEST.getCode())
                        .map(status -> others == null ? status : others + ", " + status)
                        .ifPresent(status -> headers.set(IdempotencyHeaders.IDEMPOTENCY_STATUS, status));
            }
        });
        expose(headers);
    }

    /** Lets scripts of a permitted origin read the idempotency headers of the response. */
    private static void expose(MutableHttpHeaders headers) {
        if (headers.contains(HttpHeaders.ACCESS_CONTROL_ALLOW_ORIGIN)
                && MARKS.stream().anyMatch(headers::contains)) {
            Stream<String> present = Stream.concat(MARKS.stream(), Stream.of(HttpHeaders.RETRY_AFTER, HttpHeaders.LINK))
                    .filter(headers::contains);
            String exposed = Stream.concat(headers.getAll(HttpHeaders.ACCESS_CONTROL_EXPOSE_HEADERS).stream(), present)
                    .collect(Collectors.joining(", "));
            headers.set(HttpHeaders.ACCESS_CONTROL_EXPOSE_HEADERS, exposed);
        }
    }
}
