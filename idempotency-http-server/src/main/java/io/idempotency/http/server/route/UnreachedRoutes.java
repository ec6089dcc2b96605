package io.idempotency.http.server.route;

import io.micronaut.context.annotation.Requires;
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
import jakarta.validation.ConstraintViolation;
import jakarta.validation.ConstraintViolationException;
import jakarta.validation.ElementKind;
import jakarta.validation.Path;
import java.util.Arrays;
import java.util.Iterator;
import java.util.List;
import java.util.stream.IntStream;

/** Knows the exceptions that prove that the method of a route was not called. */
@Singleton
final class UnreachedRoutes {

    private final @Nullable ViolatedArguments arguments;

    UnreachedRoutes(@Nullable ViolatedArguments arguments) {
        this.arguments = arguments;
    }

    /**
     * Whether no controller was found, or the arguments of the one that was found could not be made
     * of the request, or are not valid.
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
        boolean unreadable = thrown instanceof JsonSyntaxException || thrown instanceof CodecException;
        return innermost && unreadable && lacksAnArgument(method)
                || arguments != null && arguments.refused(method, thrown)
                || thrown instanceof ConversionErrorException conversion
                        && Arrays.stream(method.getArguments()).anyMatch(own -> own == conversion.getArgument());
    }

    /**
     * Whether an argument that may not be missing has no value. Where reading the body has failed, it
     * does not get one any more, so that the method was not called. After another exception the value
     * may still come, and a filter between the claim and the method may have done anything. A name
     * that two arguments share proves nothing of either.
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

    /**
     * Recognizes violated constraints of a route's own arguments. Those of its result, and those of
     * beans that its body calls, come after the body began and prove nothing.
     */
    @Singleton
    @Requires(classes = ConstraintViolationException.class)
    static final class ViolatedArguments {

        boolean refused(MethodBasedRouteMatch<?, ?> route, Throwable thrown) {
            return thrown instanceof ConstraintViolationException violated
                    && !violated.getConstraintViolations().isEmpty()
                    && violated.getConstraintViolations().stream().allMatch(each -> isArgumentOf(route, each))
                    && Arrays.stream(thrown.getStackTrace()).noneMatch(frame -> isBodyOf(route, frame));
        }

        private static boolean isArgumentOf(MethodBasedRouteMatch<?, ?> route, ConstraintViolation<?> violation) {
            Iterator<Path.Node> path = violation.getPropertyPath().iterator();
            if (!route.getDeclaringType().isInstance(violation.getRootBean()) || !path.hasNext()) {
                return false;
            }
            Path.Node method = path.next();
            return method.getKind() == ElementKind.METHOD
                    && route.getMethodName().equals(method.getName())
                    && path.hasNext()
                    && path.next().getKind() == ElementKind.PARAMETER;
        }

        /** A body that calls itself with other arguments has begun. */
        private static boolean isBodyOf(MethodBasedRouteMatch<?, ?> route, StackTraceElement frame) {
            return frame.getMethodName().equals(route.getMethodName())
                    && frame.getClassName().equals(route.getDeclaringType().getName());
        }
    }
}
