package io.idempotency.http.server.route;

import io.micronaut.core.annotation.AnnotationMetadata;
import io.micronaut.core.util.SupplierUtil;
import io.micronaut.http.HttpMethod;
import io.micronaut.http.annotation.Filter;
import io.micronaut.http.filter.FilterPatternStyle;
import io.micronaut.http.filter.GenericHttpFilter;
import io.micronaut.web.router.FilterRoute;
import java.net.URI;
import java.util.Optional;
import java.util.Set;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** A method of a filter that stands behind the others, for the requests that configured routes cover or for all. */
final class RouteFilterEntry implements FilterRoute {

    private final Supplier<GenericHttpFilter> filter;
    private final @Nullable Routes routes;

    RouteFilterEntry(Supplier<GenericHttpFilter> filter, @Nullable Routes routes) {
        this.filter = SupplierUtil.memoized(filter);
        this.routes = routes;
    }

    @Override
    public GenericHttpFilter getFilter() {
        return filter.get();
    }

    @Override
    public Optional<GenericHttpFilter> match(HttpMethod method, String path) {
        return routes == null || routes.cover(method, path) ? Optional.of(getFilter()) : Optional.empty();
    }

    @Override
    @Deprecated
    public Optional<GenericHttpFilter> match(HttpMethod method, URI uri) {
        return match(method, uri.getPath());
    }

    @Override
    public AnnotationMetadata getAnnotationMetadata() {
        return AnnotationMetadata.EMPTY_METADATA;
    }

    @Override
    public Set<HttpMethod> getFilterMethods() {
        return routes == null ? Set.of() : routes.methods();
    }

    @Override
    public String[] getPatterns() {
        return routes == null
                ? new String[] {Filter.MATCH_ALL_PATTERN}
                : routes.patterns().toArray(String[]::new);
    }

    @Override
    public FilterRoute pattern(String pattern) {
        throw fixed();
    }

    @Override
    public FilterRoute methods(HttpMethod... methods) {
        throw fixed();
    }

    @Override
    public FilterRoute patternStyle(FilterPatternStyle patternStyle) {
        throw fixed();
    }

    private static UnsupportedOperationException fixed() {
        return new UnsupportedOperationException(
                RouteConfiguration.PREFIX + " says which requests are covered, and nothing else does");
    }
}
