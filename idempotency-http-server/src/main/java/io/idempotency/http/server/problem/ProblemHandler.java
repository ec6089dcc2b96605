package io.idempotency.http.server.problem;

import io.idempotency.IdempotencyException;
import io.idempotency.IdempotencyException.Retry;
import io.idempotency.Refusal;
import io.idempotency.definition.FingerprintWriter.TooDeepException;
import io.idempotency.http.server.RequestStatuses;
import io.idempotency.runtime.failure.KnownFailures;
import io.idempotency.runtime.failure.LogText;
import io.idempotency.runtime.http.IdempotencyHeaders;
import io.idempotency.runtime.http.RemoteRefusal;
import io.micronaut.context.BeanContext;
import io.micronaut.core.annotation.Nullable;
import io.micronaut.http.BasicHttpAttributes;
import io.micronaut.http.HttpHeaders;
import io.micronaut.http.HttpRequest;
import io.micronaut.http.HttpResponse;
import io.micronaut.http.HttpStatus;
import io.micronaut.http.MutableHttpHeaders;
import io.micronaut.http.MutableHttpResponse;
import io.micronaut.http.exceptions.HttpStatusException;
import io.micronaut.http.server.exceptions.ExceptionHandler;
import io.micronaut.inject.qualifiers.Qualifiers;
import io.micronaut.web.router.RouteAttributes;
import io.micronaut.web.router.Router;
import jakarta.inject.Singleton;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.event.Level;

/** Answers a refusal with a problem that says whether the body ran and what to do next. */
@Singleton
record ProblemHandler(
        BeanContext context,
        Router router,
        ProblemTypes types,
        ProblemBody body,
        @Nullable RemoteRefusal called,
        LogLimiter repeated)
        implements ExceptionHandler<IdempotencyException, HttpResponse<?>> {

    private static final Logger LOG = LoggerFactory.getLogger(ProblemHandler.class);

    @Override
    @SuppressWarnings("rawtypes") // as the interface declares it
    public HttpResponse<?> handle(HttpRequest request, IdempotencyException refusal) {
        if (called != null && called.isRemote(refusal)) { // which says nothing about the request's own key
            log(request, Level.INFO, "remote", "remote", "is answered 502", called.described(refusal));
            return answer(request, HttpStatus.BAD_GATEWAY, "A call to another system was refused");
        }
        Problem problem = Problem.of(refusal, types, RequestStatuses.ran(request, refusal.retry() == Retry.NEW_KEY));
        MutableHttpResponse<?> response = again(request, refusal)
                .orElseGet(() -> body.write(request, refusal, problem, HttpResponse.status(problem.status())));
        RequestStatuses.refuse(request);
        complete(response.getHeaders(), refusal, problem);
        Level level = refusal.refusal() == Refusal.STORE_UNAVAILABLE ? Level.WARN : Level.INFO;
        String what = "was refused as " + refusal.code();
        log(request, level, refusal.operation(), refusal.code(), what, refusal.getMessage() + causes(refusal));
        return response;
    }

    /** Logs what callers do not get, with the route's template in place of the path, which may name a customer. */
    private void log(HttpRequest<?> request, Level level, String operation, String kind, String what, String why) {
        int hidden = repeated.shows(operation, kind, System.nanoTime());
        LOG.atLevel(hidden < 0 ? Level.DEBUG : level)
                .log(
                        "{} {} {}{}: {}",
                        request.getMethodName(),
                        BasicHttpAttributes.getUriTemplate(request).orElse("(a path without a route)"),
                        what,
                        hidden <= 0 ? "" : " (and " + hidden + " more since the last such line)",
                        LogText.oneLine(why)); // clients and other systems chose words of it
    }

    /** Lists the causes without the texts of an application's exceptions, which may name a customer. */
    private static String causes(IdempotencyException refusal) {
        boolean withTexts = refusal.refusal() == Refusal.STORE_UNAVAILABLE;
        return KnownFailures.causes(refusal)
                .skip(1)
                .map(cause -> " Because of "
                        + (withTexts || cause instanceof IdempotencyException
                                ? cause
                                : cause.getClass().getName())
                        + ".")
                .collect(Collectors.joining());
    }

    private HttpResponse<?> answer(HttpRequest<?> request, HttpStatus status, String message) {
        return handled(request, new HttpStatusException(status, message))
                .orElseGet(() -> HttpResponse.status(status, message));
    }

    /** Repeats the first answer to a status that the body threw, byte for byte, if it came from the same handler. */
    private Optional<MutableHttpResponse<?>> again(HttpRequest<?> request, IdempotencyException refusal) {
        return HttpStatusClassifier.thrownAs(refusal)
                .filter(thrown -> !hasErrorMethod(request, thrown))
                .flatMap(thrown -> handled(request, thrown))
                .map(response -> response.header(IdempotencyHeaders.IDEMPOTENT_REPLAYED, "true"));
    }

    /** Tells whether an {@code @Error} method, which Micronaut asks before handlers, answered the exception. */
    private boolean hasErrorMethod(HttpRequest<?> request, HttpStatusException thrown) {
        Optional<Class<?>> controller = RouteAttributes.getRouteInfo(request).map(route -> route.getDeclaringType());
        return router.findErrorRoute(thrown, request)
                .or(() -> router.findStatusRoute(thrown.getStatus(), request))
                .or(() -> controller.flatMap(type -> router.findErrorRoute(type, thrown, request)))
                .or(() -> controller.flatMap(type -> router.findStatusRoute(type, thrown.getStatus(), request)))
                .isPresent();
    }

    @SuppressWarnings("unchecked") // the bean is chosen by its type argument
    private Optional<MutableHttpResponse<?>> handled(HttpRequest<?> request, HttpStatusException thrown) {
        return context.findBean(
                        ExceptionHandler.class,
                        Qualifiers.byTypeArgumentsClosest(HttpStatusException.class, Object.class))
                .map(handler -> ((ExceptionHandler<HttpStatusException, ?>) handler).handle(request, thrown))
                .filter(HttpResponse.class::isInstance)
                .map(response -> ((HttpResponse<?>) response).toMutableResponse());
    }

    private void complete(MutableHttpHeaders headers, IdempotencyException refusal, Problem problem) {
        headers.set(HttpHeaders.CACHE_CONTROL, "no-store");
        headers.set(IdempotencyHeaders.IDEMPOTENCY_STATUS, problem.header());
        headers.add(HttpHeaders.LINK, "<" + problem.type() + ">; rel=\"describedby\""); // RFC 8288
        if (refusal.retry() == Retry.SAME_KEY) {
            long seconds = refusal.retryAfter().plusMillis(999).toSeconds(); // rounded up
            headers.set(HttpHeaders.RETRY_AFTER, Long.toString(Math.max(1, seconds)));
        }
    }

    /** Answers 400 where a request nests too deep to be compared. */
    @Singleton
    record TooDeep(ProblemHandler problems) implements ExceptionHandler<TooDeepException, HttpResponse<?>> {

        @Override
        @SuppressWarnings("rawtypes") // as the interface declares it
        public HttpResponse<?> handle(HttpRequest request, TooDeepException exception) {
            String message = "The request nests deeper than this server compares. Nothing was done.";
            return problems.answer(request, HttpStatus.BAD_REQUEST, message);
        }
    }

    /** Limits logged refusals to one a minute for each operation and code, since clients can cause any number. */
    @Singleton
    static final class LogLimiter {

        private final Map<List<String>, Shown> last = new ConcurrentHashMap<>();

        private record Shown(long at, int since, int before) {}

        /** Returns how many refusals were hidden since the last one shown; negative when this one is hidden. */
        int shows(String operation, String code, long nanoTime) {
            Shown now = last.merge(
                    List.of(operation, code),
                    new Shown(nanoTime, 0, 0),
                    (shown, next) -> nanoTime - shown.at() < TimeUnit.MINUTES.toNanos(1)
                            ? new Shown(shown.at(), shown.since() + 1, -1)
                            : new Shown(nanoTime, 0, shown.since()));
            return now.before();
        }
    }
}
