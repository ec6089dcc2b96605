package io.idempotency.http.server.route;

import io.idempotency.OnFailure;
import io.micronaut.core.convert.exceptions.ConversionErrorException;
import io.micronaut.core.type.Argument;
import io.micronaut.http.HttpRequest;
import io.micronaut.http.HttpResponse;
import io.micronaut.http.codec.CodecException;
import io.micronaut.http.exceptions.HttpStatusException;
import io.micronaut.json.JsonSyntaxException;
import io.micronaut.web.router.MethodBasedRouteInfo;
import io.micronaut.web.router.MethodBasedRouteMatch;
import io.micronaut.web.router.RouteAttributes;
import io.micronaut.web.router.RouteMatch;
import io.micronaut.web.router.exceptions.UnsatisfiedRouteException;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

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
     * The answer stands for an exception, which is asked first what it means.
     *
     * @param cause what was thrown
     */
    record Thrown(Throwable cause) implements RouteVerdict {}

    /**
     * Nobody can tell what was done.
     *
     * @param status that of the answer
     */
    record Undecided(int status) implements RouteVerdict {}

    static RouteVerdict of(
            HttpRequest<?> request,
            HttpResponse<?> response,
            Route route,
            @Nullable RefusedArguments arguments,
            boolean innermost) {
        Throwable thrown = RouteAttributes.getException(response).orElse(null);
        if (thrown != null) {
            return beforeTheRoute(request, thrown, arguments, innermost) ? new NoEffect() : new Thrown(thrown);
        }
        boolean released = AnswerRule.isError(response.code())
                && route.operation().policy().onFailure() == OnFailure.RELEASE;
        return switch (route.rule().effect(response.code())) {
            case NONE -> new NoEffect();
            case UNKNOWN -> new Undecided(response.code());
            case FINAL -> released ? new NoEffect() : new Final();
        };
    }

    /** No controller was found, or the arguments of the one that was found could not be made of the request, or are not valid. */
    private static boolean beforeTheRoute(
            HttpRequest<?> request, Throwable thrown, @Nullable RefusedArguments arguments, boolean innermost) {
        if (thrown instanceof UnsatisfiedRouteException) {
            return true;
        }
        RouteMatch<?> match = RouteAttributes.getRouteMatch(request).orElse(null);
        if (match == null) {
            return thrown instanceof HttpStatusException
                    && thrown.getClass().getPackageName().equals("io.micronaut.http.server.exceptions");
        }
        if (!(match instanceof MethodBasedRouteMatch<?, ?> method)) {
            return false;
        }
        return innermost && unreadable(thrown) && lacksAnArgument(method)
                || arguments != null && arguments.refused(method, thrown)
                || thrown instanceof ConversionErrorException conversion
                        && Arrays.stream(method.getArguments()).anyMatch(own -> own == conversion.getArgument());
    }

    private static boolean unreadable(Throwable thrown) {
        return thrown instanceof JsonSyntaxException || thrown instanceof CodecException;
    }

    /**
     * A method is invoked when each of its arguments that may not be missing has a value. What reads the body has failed, and
     * nothing will give it that value any more: so it was not invoked, and will not be. Behind another exception the value may still
     * come, and a filter between the claim and the method may have done anything. Names that two arguments share prove nothing of either.
     */
    private static boolean lacksAnArgument(MethodBasedRouteMatch<?, ?> match) {
        if (!(match.getRouteInfo() instanceof MethodBasedRouteInfo<?, ?> route) || route.isErrorRoute()) {
            return false;
        }
        Argument<?>[] arguments = match.getArguments();
        List<String> names = List.of(route.getArgumentNames());
        return IntStream.range(0, arguments.length)
                .filter(i -> !arguments[i].isNullable() && !arguments[i].isOptional())
                .filter(i -> names.indexOf(names.get(i)) == names.lastIndexOf(names.get(i)))
                .anyMatch(i -> !match.isSatisfied(names.get(i)));
    }
}
