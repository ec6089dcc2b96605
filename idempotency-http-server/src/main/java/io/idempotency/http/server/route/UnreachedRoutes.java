package io.idempotency.http.server.route;

import io.micronaut.core.annotation.Nullable;
import io.micronaut.core.convert.exceptions.ConversionErrorException;
import io.micronaut.core.type.Argument;
import io.micronaut.http.HttpRequest;
import io.micronaut.http.codec.CodecException;
import io.micronaut.http.exceptions.HttpStatusException;
import io.micronaut.json.JsonSyntaxException;
import io.micronaut.web.router.MethodBasedRouteInfo;
import io.micronaut.web.router.MethodBasedRouteMatch;
import io.micronaut.web.router.RouteAttributes;
import io.micronaut.web.router.RouteMatch;
import io.micronaut.web.router.exceptions.UnsatisfiedRouteException;
import jakarta.inject.Singleton;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;

/** Knows the exceptions that prove that the method of a route was not called. */
@Singleton
final class UnreachedRoutes {

    private final @Nullable RefusedArguments arguments;

    UnreachedRoutes(@Nullable RefusedArguments arguments) {
        this.arguments = arguments;
    }

    /**
     * Whether no controller was found, or the arguments of the one that was found could not be made of the request, or are not valid.
     *
     * @param innermost whether no filter stands between the claim and the route
     */
    boolean refused(HttpRequest<?> request, Throwable thrown, boolean innermost) {
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
     * Whether an argument that may not be missing has no value. Where reading the body has failed, it does not get one any more, so that
     * the method was not called. Behind another exception the value may still come, and a filter between the claim and the method may have
     * done anything. A name that two arguments share proves nothing of either.
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
