package io.idempotency.http.server.route;

import io.micronaut.context.annotation.Requires;
import io.micronaut.context.event.ApplicationEventListener;
import io.micronaut.core.annotation.AnnotationMetadata;
import io.micronaut.core.order.Ordered;
import io.micronaut.inject.BeanDefinition;
import io.micronaut.inject.ExecutableMethod;
import io.micronaut.runtime.server.event.ServerStartupEvent;
import io.micronaut.web.router.FilterRoute;
import io.micronaut.web.router.RouteBuilder;
import jakarta.inject.Singleton;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Says at start-up which filters come after the claim: a replay passes them by, and what they refuse is recorded. Where
 * nothing is configured there are none.
 */
@Singleton
@Requires(beans = Routes.class)
final class FilterReport implements ApplicationEventListener<ServerStartupEvent> {

    private static final Logger LOG = LoggerFactory.getLogger(FilterReport.class);

    private final Collection<RouteBuilder> registered;
    private final FilterOrderConfiguration configuration;

    FilterReport(Collection<RouteBuilder> registered, FilterOrderConfiguration configuration) {
        this.registered = registered;
        this.configuration = configuration;
    }

    @Override
    public void onApplicationEvent(ServerStartupEvent event) {
        List<String> behind = registered.stream()
                .flatMap(builder -> builder.getFilterRoutes().stream())
                .filter(route -> !route.isPreMatching() && order(route) > configuration.getFilterOrder())
                .map(FilterReport::described)
                .sorted()
                .toList();
        if (!behind.isEmpty()) {
            LOG.warn(
                    "Configured routes ({}) are claimed at the filter order {}, in front of {}. What these filters refuse"
                            + " is recorded, and a replay is sent without asking them. Leave {} out to claim behind"
                            + " every filter.",
                    RouteConfiguration.PREFIX,
                    configuration.getFilterOrder(),
                    behind,
                    FilterOrderConfiguration.PROPERTY);
        }
    }

    private static int order(FilterRoute route) {
        return route.getFilter() instanceof Ordered ordered ? ordered.getOrder() : 0;
    }

    private static String described(FilterRoute route) {
        return named(route.getAnnotationMetadata()) + " for " + Arrays.toString(route.getPatterns()) + " (order "
                + order(route) + ")";
    }

    /** Micronaut hands on the definition as the annotations. */
    private static String named(AnnotationMetadata annotated) {
        if (annotated instanceof ExecutableMethod<?, ?> method) {
            return method.getDeclaringType().getName() + "#" + method.getMethodName();
        }
        return annotated instanceof BeanDefinition<?> bean ? bean.getBeanType().getName() : "a filter without a name";
    }
}
