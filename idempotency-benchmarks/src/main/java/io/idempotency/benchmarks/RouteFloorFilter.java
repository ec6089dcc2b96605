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

/** The floor of a configured route: it reads the request's bytes in front of the route, and keeps the answer's behind it. */
@ServerFilter("/noop/floor-configured")
@Requires(
        property = RouteServer.ROUTE) // a filter for some paths makes the server look for the filters of every request
final class RouteFloorFilter {

    private final RouteFloor floor;

    RouteFloorFilter(RouteFloor floor) {
        this.floor = floor;
    }

    private record Claimed(RouteFloor.Claim claim) implements PropagatedContextElement {}

    @RequestFilter
    @Nullable
    HttpResponse<?> claim(HttpRequest<?> request, @Body byte[] sent, MutablePropagatedContext context) {
        RouteFloor.Claim claim = floor.claim(request, sent);
        context.add(new Claimed(claim));
        return claim.replay();
    }

    @ResponseFilter
    @Nullable
    HttpResponse<?> record(HttpResponse<?> response) throws IOException {
        return response.body() instanceof Answer answer
                ? floor.record(PropagatedContext.get().get(Claimed.class).claim(), response.code(), answer)
                : null;
    }
}
