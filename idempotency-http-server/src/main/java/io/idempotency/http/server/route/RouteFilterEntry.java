package io.idempotency.http.server.route;

import io.micronaut.core.annotation.AnnotationMetadata;
import io.micronaut.core.util.SupplierUtil;
import io.micronaut.http.HttpMethod;
import io.micronaut.http.filter.FilterPatternStyle;
import io.micronaut.http.filter.GenericHttpFilter;
import io.micronaut.web.router.FilterRoute;
import java.net.URI;
import java.util.Optional;
import java.util.Set;
import java.util.function.Supplier;

/** A method of the filter that claims, for the requests that configured routes cover. */
final class RouteFilterEntry implements FilterRoute {

    private final Supplier<GenericHttpFilter> filter;
    private final Routes routes;

    RouteFilterEntry(Supplier<GenericHttpFilter> filter, Routes routes) {
        this.filter = SupplierUtil.memoized(filter);
        this.routes = routes;
    }

    @Override
    public GenericHttpFilter getFilter() {
        return filter.get();
    }

    @Override
    public Optional<GenericHttpFilter> match(HttpMethod method, String path) {
        return routes.cover(method, path) ? Optional.of(getFilter()) : Optional.empty();
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
        return routes.methods();
    }

    @Override
    public String[] getPatterns() {
        return routes.patterns().toArray(String[]::new);
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
