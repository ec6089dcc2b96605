package io.idempotency.http.server.route;

import io.idempotency.IdempotencyException;
import io.micronaut.core.convert.exceptions.ConversionErrorException;
import io.micronaut.http.HttpRequest;
import io.micronaut.http.HttpResponse;
import io.micronaut.http.exceptions.HttpStatusException;
import io.micronaut.web.router.MethodBasedRouteMatch;
import io.micronaut.web.router.RouteAttributes;
import io.micronaut.web.router.RouteMatch;
import io.micronaut.web.router.exceptions.UnsatisfiedRouteException;
import java.util.Arrays;
import java.util.Set;

/**
 * What an answer says about the effect of a request. Nothing that the application did not declare is ever forgotten: what
 * may have had an effect is final or unknown.
 */
sealed interface RouteVerdict {

    /** The answer is the outcome, whatever its status. */
    record Final() implements RouteVerdict {}

    /** Nothing was done: the next request with the key is passed on again. */
    record NoEffect() implements RouteVerdict {}

    /**
     * The answer stands for an exception, which says what it means.
     *
     * @param cause as it is recorded
     */
    record Failed(Throwable cause) implements RouteVerdict {}

    /** Somebody between here and the work did not get an answer, or not in time. */
    Set<Integer> UNDECIDED = Set.of(502, 503, 504);

    static RouteVerdict of(HttpRequest<?> request, HttpResponse<?> response, Route route) {
        if (route.noEffectStatus().contains(response.code())) {
            return new NoEffect();
        }
        Throwable thrown = RouteAttributes.getException(response).orElse(null);
        if (thrown != null && beforeTheRoute(request, thrown)) {
            return new NoEffect();
        }
        if (thrown != null && response.code() >= 500 && !(thrown instanceof HttpStatusException)) {
            return new Failed(thrown);
        }
        if (thrown instanceof IdempotencyException refusal
                && refusal.executed() == IdempotencyException.Executed.UNKNOWN) {
            return new Failed(thrown); // of another operation: an answer for now, and not for as long as keys are kept
        }
        return UNDECIDED.contains(response.code())
                ? new Failed(new UndecidedAnswerException(response.code()))
                : new Final();
    }

    /** No controller was found, or the arguments of the one that was found could not be made of the request. */
    private static boolean beforeTheRoute(HttpRequest<?> request, Throwable thrown) {
        if (thrown instanceof UnsatisfiedRouteException) {
            return true;
        }
        RouteMatch<?> match = RouteAttributes.getRouteMatch(request).orElse(null);
        if (match == null) {
            return thrown instanceof HttpStatusException
                    && thrown.getClass().getPackageName().equals("io.micronaut.http.server.exceptions");
        }
        return thrown instanceof ConversionErrorException conversion
                && match instanceof MethodBasedRouteMatch<?, ?> method
                && Arrays.stream(method.getArguments()).anyMatch(own -> own == conversion.getArgument());
    }
}
