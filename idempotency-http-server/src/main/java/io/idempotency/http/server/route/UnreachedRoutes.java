package io.idempotency.http.server.route;

import io.micronaut.context.annotation.Requires;
import io.micronaut.core.annotation.Nullable;
import io.micronaut.core.convert.exceptions.ConversionErrorException;
import io.micronaut.core.type.Argument;
import io.micronaut.http.exceptions.HttpStatusException;
import io.micronaut.web.router.MethodBasedRouteInfo;
import io.micronaut.web.router.MethodBasedRouteMatch;
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

/** Recognizes exceptions that prove that the method of a route was not called. */
@Singleton
record UnreachedRoutes(@Nullable ViolatedArguments arguments) {

    /** Tells whether no controller was found, or its arguments could not be read from the request or are not valid. */
    boolean refused(@Nullable RouteMatch<?> match, Throwable thrown, boolean innermost) {
        if (match == null) {
            return thrown instanceof UnsatisfiedRouteException // of a method that answers 404 or 405
                    || thrown instanceof HttpStatusException
                            && thrown.getClass().getPackageName().equals("io.micronaut.http.server.exceptions");
        }
        if (!(match instanceof MethodBasedRouteMatch<?, ?> method)) {
            return false;
        }
        // a method for the status of the body's answer may lack one too, and a body reads an asynchronous one itself
        Argument<?> lacking = thrown instanceof UnsatisfiedRouteException unsatisfied
                ? unsatisfied.getArgument()
                : thrown instanceof ConversionErrorException conversion ? conversion.getArgument() : null;
        return innermost && lacksAnArgument(method)
                || arguments != null && arguments.refused(method, thrown)
                || Arrays.stream(method.getArguments()).anyMatch(own -> own == lacking && !own.isAsyncOrReactive());
    }

    /** Tells whether a required argument has no value. A name that two arguments share proves nothing. */
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

    /** Recognizes violated constraints of a route's own arguments, and not those of its result or of other beans. */
    @Singleton
    @Requires(classes = ConstraintViolationException.class)
    static final class ViolatedArguments {

        boolean refused(MethodBasedRouteMatch<?, ?> route, Throwable thrown) {
            String type = route.getDeclaringType().getName();
            // the route's method among the frames has begun, and called itself with other arguments
            return thrown instanceof ConstraintViolationException violated
                    && !violated.getConstraintViolations().isEmpty()
                    && violated.getConstraintViolations().stream().allMatch(each -> isArgumentOf(route, each))
                    && Arrays.stream(thrown.getStackTrace())
                            .noneMatch(frame -> frame.getClassName().equals(type)
                                    && (frame.getMethodName().equals(route.getMethodName())
                                            || frame.getMethodName()
                                                    .startsWith("lambda$" + route.getMethodName() + "$")));
        }

        private static boolean isArgumentOf(MethodBasedRouteMatch<?, ?> route, ConstraintViolation<?> violation) {
            Iterator<Path.Node> path = violation.getPropertyPath().iterator();
            Path.Node method = path.hasNext() ? path.next() : null;
            Path.Node argument = path.hasNext() ? path.next() : null;
            Argument<?>[] own = route.getArguments();
            return route.getDeclaringType().isInstance(violation.getRootBean())
                    && method != null
                    && method.getKind() == ElementKind.METHOD
                    && route.getMethodName().equals(method.getName())
                    && method.as(Path.MethodNode.class).getParameterTypes().equals(List.of(Argument.toClassArray(own)))
                    && argument != null
                    && argument.getKind() == ElementKind.PARAMETER // a node may implement every kind's interface
                    && !own[argument.as(Path.ParameterNode.class).getParameterIndex()].isAsyncOrReactive();
        }
    }
}
