package io.idempotency.http.server.route;

import io.micronaut.context.ApplicationContext;
import io.micronaut.context.annotation.Requires;
import io.micronaut.core.annotation.Order;
import io.micronaut.core.order.Ordered;
import io.micronaut.http.HttpMethod;
import io.micronaut.web.router.DefaultRouteBuilder;
import io.micronaut.web.router.FilterRoute;
import jakarta.inject.Singleton;
import java.util.List;

/**
 * Registers the filter of configured routes behind all others of its order: the router takes the filters of one order in the order of
 * the builders that register them. An annotated filter would share the order that filter methods have by default, the last, with those
 * of the application, and which of them comes first would be chance.
 */
@Singleton
@Order(Ordered.LOWEST_PRECEDENCE)
@Requires(beans = Routes.class)
final class RouteFilters extends DefaultRouteBuilder implements Ordered {

    RouteFilters(ApplicationContext context, Routes routes) {
        super(context);
        List<String> patterns = routes.patterns();
        if (!patterns.isEmpty()) {
            FilterRoute filter = addFilter(patterns.get(0), context, context.getBeanDefinition(RouteFilter.class));
            patterns.forEach(filter::pattern);
            filter.methods(routes.methods().toArray(HttpMethod[]::new));
        }
    }

    @Override
    public int getOrder() {
        return LOWEST_PRECEDENCE;
    }
}
