package io.idempotency.benchmarks;

import io.idempotency.benchmarks.RouteController.Answer;
import io.micronaut.context.annotation.Requires;
import io.micronaut.core.annotation.Nullable;
import io.micronaut.core.propagation.MutablePropagatedContext;
import io.micronaut.core.propagation.PropagatedContext;
import io.micronaut.core.propagation.PropagatedContextElement;
import io.micronaut.http.HttpRequest;
import io.micronaut.http.HttpResponse;
import io.micronaut.http.annotation.Body;
import io.micronaut.http.annotation.RequestFilter;
import io.micronaut.http.annotation.ResponseFilter;
import io.micronaut.http.annotation.ServerFilter;
import java.io.IOException;

/** The floors of a configured route: each reads the request's bytes in front of the route, and keeps the answer's behind it. */
@ServerFilter({"/noop/floor-configured", RouteFloorFilter.SAFE})
@Requires(
        property = RouteServer.ROUTE) // a filter for some paths makes the server look for the filters of every request
final class RouteFloorFilter {

    static final String SAFE = "/noop/safe-configured";

    private final RouteFloor floor;
    private final RouteSafeFloor safe;

    RouteFloorFilter(RouteFloor floor, RouteSafeFloor safe) {
        this.floor = floor;
        this.safe = safe;
    }

    private record Claimed(RouteClaim claim) implements PropagatedContextElement {}

    @RequestFilter
    @Nullable
    HttpResponse<?> claim(HttpRequest<?> request, @Body byte[] sent, MutablePropagatedContext context)
            throws IOException {
        RouteClaim claim = request.getPath().equals(SAFE) ? safe.claim(request, sent) : floor.claim(request, sent);
        context.add(new Claimed(claim));
        return claim.replay();
    }

    @ResponseFilter
    @Nullable
    HttpResponse<?> record(HttpResponse<?> response) throws IOException {
        return response.body() instanceof Answer answer
                ? PropagatedContext.get().get(Claimed.class).claim().record(response.code(), answer)
                : null;
    }
}
