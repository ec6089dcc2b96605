package io.idempotency.http.server.problem;

import io.idempotency.IdempotencyException;
import io.idempotency.IdempotencyException.Retry;
import io.idempotency.PreviousAttemptFailedException;
import io.idempotency.Refusal;
import io.idempotency.http.server.RequestStatuses;
import io.idempotency.runtime.http.IdempotencyHeaders;
import io.idempotency.runtime.http.RemoteRefusal;
import io.micronaut.context.BeanContext;
import io.micronaut.context.annotation.Requires;
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
import jakarta.inject.Singleton;
import java.time.Duration;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.event.Level;

/** Answers a refusal with a problem that says whether the body ran and what to do next. */
@Singleton
@Requires(classes = ExceptionHandler.class)
final class ProblemHandler implements ExceptionHandler<IdempotencyException, HttpResponse<?>> {

    private static final Logger LOG = LoggerFactory.getLogger(ProblemHandler.class);

    private static final int MOST_CAUSES = 8;

    private final BeanContext context;
    private final ProblemTypes types;
    private final ProblemBody body;
    private final @Nullable RemoteRefusal called;
    private final RefusalLogLimiter repeated = new RefusalLogLimiter(System::nanoTime);

    ProblemHandler(BeanContext context, ProblemTypes types, ProblemBody body, @Nullable RemoteRefusal called) {
        this.context = context;
        this.types = types;
        this.body = body;
        this.called = called;
    }

    @Override
    @SuppressWarnings("rawtypes") // as the interface declares it
    public HttpResponse<?> handle(HttpRequest request, IdempotencyException refusal) {
        HttpRequest<?> asked = request;
        if (called != null && called.isRemote(refusal)) {
            return badGateway(asked, refusal);
        }
        Problem problem = Problem.of(refusal, types, RequestStatuses.ran(asked));
        MutableHttpResponse<?> response = again(asked, refusal)
                .orElseGet(() -> body.write(asked, refusal, problem, HttpResponse.status(problem.status())));
        complete(response.getHeaders(), refusal, problem);
        log(asked, refusal);
        return response;
    }

    /**
     * Logs the operator's message and the causes, of which callers get the public detail only. No
     * other code sees the exception, so that an outage of the store would not be logged.
     */
    private void log(HttpRequest<?> request, IdempotencyException refusal) {
        Level level = refusal.refusal() == Refusal.STORE_UNAVAILABLE
                ? Level.WARN
                : refusal.retry() == Retry.NEVER ? Level.INFO : Level.DEBUG;
        String code = refusal.code();
        log(request, level, refusal, code, "was refused as " + code, refusal.getMessage() + causes(refusal));
    }

    /** The path is left out, because it may name a customer. */
    private void log(
            HttpRequest<?> request, Level level, IdempotencyException refusal, String kind, String what, String why) {
        OptionalInt hidden = level == Level.DEBUG ? OptionalInt.empty() : repeated.shows(refusal.operation(), kind);
        LOG.atLevel(hidden.isPresent() ? level : Level.DEBUG)
                .log(
                        "{} {} {}{}: {}",
                        request.getMethodName(),
                        BasicHttpAttributes.getUriTemplate(request).orElse("(a path without a route)"),
                        what,
                        hidden.orElse(0) == 0 ? "" : " (and " + hidden.getAsInt() + " more since the last such line)",
                        why);
    }

    /** What a store says of a claim names no customer, nor does a refusal; what an application's exceptions say may. */
    private static String causes(IdempotencyException refusal) {
        boolean withTexts = refusal.refusal() == Refusal.STORE_UNAVAILABLE;
        return Stream.iterate(refusal.getCause(), Objects::nonNull, Throwable::getCause)
                .limit(MOST_CAUSES)
                .map(cause -> " Because of "
                        + (withTexts || cause instanceof IdempotencyException
                                ? cause
                                : cause.getClass().getName())
                        + ".")
                .collect(Collectors.joining());
    }

    /** A refusal by a system behind this one says nothing about the request's own key. */
    private HttpResponse<?> badGateway(HttpRequest<?> request, IdempotencyException refusal) {
        log(request, Level.INFO, refusal, "remote", "is answered 502", String.valueOf(refusal.getMessage()));
        String message = "A call to another system was refused";
        return handled(request, new HttpStatusException(HttpStatus.BAD_GATEWAY, message))
                .orElseGet(() -> HttpResponse.status(HttpStatus.BAD_GATEWAY, message));
    }

    /** Answers a status that the body threw with the first answer, byte for byte, through the same handler. */
    private Optional<MutableHttpResponse<?>> again(HttpRequest<?> request, IdempotencyException refusal) {
        if (!(refusal instanceof PreviousAttemptFailedException failed)) {
            return Optional.empty();
        }
        Optional<MutableHttpResponse<?>> answer =
                HttpStatusClassifier.thrownAs(failed).flatMap(thrown -> handled(request, thrown));
        answer.ifPresent(response -> response.getHeaders().set(IdempotencyHeaders.IDEMPOTENT_REPLAYED, "true"));
        return answer;
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

    /** The headers repeat what the problem says, because not every form of the body can carry it. */
    private void complete(MutableHttpHeaders headers, IdempotencyException refusal, Problem problem) {
        headers.set(HttpHeaders.CACHE_CONTROL, "no-store");
        headers.set(IdempotencyHeaders.IDEMPOTENCY_STATUS, problem.header());
        headers.add(HttpHeaders.LINK, types.link(refusal.refusal()));
        if (refusal.retry() == Retry.SAME_KEY) {
            headers.set(HttpHeaders.RETRY_AFTER, seconds(refusal.retryAfter()));
        }
    }

    /** Whole seconds, rounded up: HTTP knows no smaller unit here. */
    private static String seconds(Duration duration) {
        return Long.toString(Math.max(1, duration.plusMillis(999).toSeconds()));
    }
}
