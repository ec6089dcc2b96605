package io.idempotency.http.server.route;

import io.micronaut.context.annotation.Requires;
import io.micronaut.web.router.MethodBasedRouteMatch;
import jakarta.inject.Singleton;
import jakarta.validation.ConstraintViolation;
import jakarta.validation.ConstraintViolationException;
import jakarta.validation.ElementKind;
import jakarta.validation.Path;
import java.util.Arrays;
import java.util.Iterator;

/**
 * The violated constraints of a route's own arguments. Those of its result, and those of beans that its body calls, come
 * after the body began and prove nothing.
 */
@Singleton
@Requires(classes = ConstraintViolationException.class)
final class ViolatedArguments implements RefusedArguments {

    @Override
    public boolean refused(MethodBasedRouteMatch<?, ?> route, Throwable thrown) {
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
