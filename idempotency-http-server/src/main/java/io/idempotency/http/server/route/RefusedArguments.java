package io.idempotency.http.server.route;

import io.micronaut.web.router.MethodBasedRouteMatch;

/** Knows the exceptions by which the arguments of a route are refused before its method is called. */
interface RefusedArguments {

    boolean refused(MethodBasedRouteMatch<?, ?> route, Throwable thrown);
}
