package io.idempotency.http.server;

import io.idempotency.runtime.Outcome;
import io.idempotency.runtime.OutcomeListener;
import io.micronaut.context.annotation.Requires;
import io.micronaut.http.HttpRequest;
import io.micronaut.http.context.ServerRequestContext;
import jakarta.inject.Singleton;
import java.util.Optional;

/** Notes on the current request what became of its idempotent calls, however deep below the controller they are. */
@Singleton
@Requires(classes = HttpRequest.class)
public final class RequestMarks implements OutcomeListener {

    private static final String MARKS = "io.idempotency.marks";

    private final KeyHeaderNames names;

    RequestMarks(KeyHeaderNames names) {
        this.names = names;
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
                        !HttpRequestKey.isSafe(request) || request.getHeaders().contains(names.of(operation)))
                .ifPresent(request -> notedOn(request).addUnprotected(operation));
    }

    /**
     * Whether any idempotent call of a request did something, now or when the request was sent before.
     *
     * @param request the request
     * @return false when every call was refused or had no effect
     */
    public static boolean ran(HttpRequest<?> request) {
        return of(request).filter(CallMarks::ran).isPresent();
    }

    /** What is noted on a request, if anything. */
    static Optional<CallMarks> of(HttpRequest<?> request) {
        return Optional.ofNullable((CallMarks) request.getAttributes().getValue(MARKS)); // get() would convert it
    }

    /** Calls of one request may end on several threads at once. */
    private static CallMarks notedOn(HttpRequest<?> request) {
        synchronized (request) {
            CallMarks marks = of(request).orElseGet(CallMarks::new);
            request.setAttribute(MARKS, marks);
            return marks;
        }
    }
}
