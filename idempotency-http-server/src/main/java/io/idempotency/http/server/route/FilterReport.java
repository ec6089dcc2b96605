package io.idempotency.http.server.route;

import io.idempotency.http.server.HttpConfiguration;
import io.micronaut.context.annotation.Requires;
import io.micronaut.context.event.ApplicationEventListener;
import io.micronaut.core.annotation.AnnotationMetadata;
import io.micronaut.core.annotation.Order;
import io.micronaut.core.order.Ordered;
import io.micronaut.http.HttpRequest;
import io.micronaut.http.HttpResponse;
import io.micronaut.http.annotation.Filter;
import io.micronaut.http.annotation.ResponseFilter;
import io.micronaut.http.annotation.ServerFilter;
import io.micronaut.inject.BeanDefinition;
import io.micronaut.inject.ExecutableMethod;
import io.micronaut.runtime.server.event.ServerStartupEvent;
import io.micronaut.web.router.FilterRoute;
import io.micronaut.web.router.RouteBuilder;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Warns at start-up of filters behind the claim: replays bypass them, and their refusals are recorded. Reports a filter
 * in front of the claim that answers a request which should have been protected.
 */
@ServerFilter(Filter.MATCH_ALL_PATTERN)
@Order(Ordered.HIGHEST_PRECEDENCE)
@Requires(beans = Routes.class)
final class FilterReport implements ApplicationEventListener<ServerStartupEvent> {

    private static final Logger LOG = LoggerFactory.getLogger(FilterReport.class);

    private final Routes routes;
    private final int claim;
    private final Set<String> reported = ConcurrentHashMap.newKeySet();

    FilterReport(Routes routes, HttpConfiguration configuration) {
        this.routes = routes;
        this.claim = configuration.filterOrder();
    }

    @Override
    public void onApplicationEvent(ServerStartupEvent event) {
        List<String> behind = event.getSource().getApplicationContext().getBeansOfType(RouteBuilder.class).stream()
                .flatMap(builder -> builder.getFilterRoutes().stream())
                .filter(route -> !route.isPreMatching() && order(route) > claim)
                .map(FilterReport::described)
                .sorted()
                .toList();
        if (!behind.isEmpty()) {
            LOG.warn(
                    "Configured routes ({}) are claimed at the filter order {}, in front of {}. What these filters refuse"
                            + " is recorded, and a replay is sent without asking them. Leave {} out to claim behind"
                            + " every filter.",
                    Route.Configuration.PREFIX,
                    claim,
                    behind,
                    HttpConfiguration.FILTER_ORDER);
        }
    }

    private static int order(FilterRoute route) {
        return route.getFilter() instanceof Ordered ordered ? ordered.getOrder() : 0;
    }

    private static String described(FilterRoute route) {
        AnnotationMetadata annotated = route.getAnnotationMetadata();
        String name = annotated instanceof ExecutableMethod<?, ?> method
                ? method.getDeclaringType().getName() + "#" + method.getMethodName()
                : annotated instanceof BeanDefinition<?> bean
                        ? bean.getBeanType().getName()
                        : "a filter without a name";
        return name + " for " + Arrays.toString(route.getPatterns()) + " (order " + order(route) + ")";
    }

    @ResponseFilter
    void watch(HttpRequest<?> request, HttpResponse<?> response) {
        if (StatusRule.isError(response.code()) || request.getAttributes().contains(RouteFilter.SEEN)) {
            return;
        }
        routes.of(request)
                .map(route -> route.operation().name())
                .filter(reported::add)
                .ifPresent(route -> LOG.error(
                        "A {} was answered {} by a filter in front of the one that protects it: {}.{} is without effect"
                                + " for it. Set {} below the order of that filter.",
                        request.getMethodName(),
                        response.code(),
                        Route.Configuration.PREFIX,
                        route,
                        HttpConfiguration.FILTER_ORDER));
    }
}
