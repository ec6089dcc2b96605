package io.idempotency.http.server.route;

import io.micronaut.context.annotation.Requires;
import io.micronaut.core.order.Ordered;
import io.micronaut.http.HttpRequest;
import io.micronaut.http.HttpResponse;
import io.micronaut.http.annotation.Filter;
import io.micronaut.http.annotation.ResponseFilter;
import io.micronaut.http.annotation.ServerFilter;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Says so when a filter in front answered a request that should have been protected: silence would be a false promise. */
@ServerFilter(Filter.MATCH_ALL_PATTERN)
@Requires(beans = Routes.class)
final class RouteWatch implements Ordered {

    private static final Logger LOG = LoggerFactory.getLogger(RouteWatch.class);
    private static final int FIRST_ERROR = 400;

    private final Routes routes;
    private final Set<String> said = ConcurrentHashMap.newKeySet();

    RouteWatch(Routes routes) {
        this.routes = routes;
    }

    /** Around every other filter. */
    @Override
    public int getOrder() {
        return Ordered.HIGHEST_PRECEDENCE;
    }

    @ResponseFilter
    void watch(HttpRequest<?> request, HttpResponse<?> response) {
        if (response.code() >= FIRST_ERROR
                || request.getAttributes().getValue(RouteFilter.SEEN) != null) { // get() would convert it
            return;
        }
        routes.of(request).map(route -> route.operation().name()).ifPresent(route -> say(route, request, response));
    }

    private void say(String route, HttpRequest<?> request, HttpResponse<?> response) {
        if (said.add(route)) {
            LOG.error(
                    "A {} was answered {} by a filter in front of the one that protects it: {}.{} is without effect for"
                            + " it. Set {} below the order of that filter.",
                    request.getMethodName(),
                    response.code(),
                    RouteConfiguration.PREFIX,
                    route,
                    FilterOrderConfiguration.PROPERTY);
        }
    }
}
