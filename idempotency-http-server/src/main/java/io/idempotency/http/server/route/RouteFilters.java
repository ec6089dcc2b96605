package io.idempotency.http.server.route;

import io.micronaut.context.ApplicationContext;
import io.micronaut.core.annotation.AnnotationMetadata;
import io.micronaut.core.annotation.Nullable;
import io.micronaut.core.annotation.Order;
import io.micronaut.core.order.Ordered;
import io.micronaut.http.annotation.ServerFilter;
import io.micronaut.http.filter.BaseFilterProcessor;
import io.micronaut.http.filter.GenericHttpFilter;
import io.micronaut.inject.BeanDefinition;
import io.micronaut.web.router.DefaultRouteBuilder;
import io.micronaut.web.router.FilterRoute;
import jakarta.inject.Singleton;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;

/**
 * Registers the filters that claim and record, behind all others of their order. An annotated filter would share the order that filter
 * methods have by nature, the last, with those of the application, and which of them comes first would be chance.
 */
@Singleton
@Order(Ordered.LOWEST_PRECEDENCE)
final class RouteFilters extends DefaultRouteBuilder implements Ordered {

    private final List<FilterRoute> filters = new ArrayList<>();

    RouteFilters(ApplicationContext context, @Nullable Routes routes) {
        super(context);
        if (routes != null) {
            add(context, RouteFilter.class, routes);
        }
        add(context, AnswerFilter.class, null);
    }

    private void add(ApplicationContext context, Class<?> type, @Nullable Routes routes) {
        BeanDefinition<?> definition = context.getBeanDefinition(type);
        BaseFilterProcessor<ServerFilter> methods = new BaseFilterProcessor<>(context, ServerFilter.class) {
            @Override
            protected void addFilter(
                    Supplier<GenericHttpFilter> filter, AnnotationMetadata method, FilterMetadata metadata) {
                filters.add(new RouteFilterEntry(filter, routes));
            }
        };
        definition.getExecutableMethods().forEach(method -> methods.process(definition, method));
    }

    /** The router takes the filters of one order in the order of those who register them. */
    @Override
    public int getOrder() {
        return LOWEST_PRECEDENCE;
    }

    @Override
    public List<FilterRoute> getFilterRoutes() {
        return List.copyOf(filters);
    }
}
