package io.idempotency.http.server.route;

import io.idempotency.OnAbandoned;
import io.idempotency.definition.FingerprintWriter;
import io.idempotency.definition.KeySource;
import io.idempotency.definition.OperationDefinition;
import io.idempotency.http.server.HttpConfiguration;
import io.idempotency.http.server.ResponseCodecs;
import io.idempotency.runtime.call.Operation;
import io.idempotency.runtime.config.IdempotencyConfiguration;
import io.idempotency.runtime.config.OperationBinder;
import io.idempotency.runtime.config.PropertyValidator;
import io.micronaut.context.annotation.Requires;
import io.micronaut.context.exceptions.ConfigurationException;
import io.micronaut.core.annotation.Nullable;
import io.micronaut.core.reflect.ClassUtils;
import io.micronaut.core.type.Argument;
import io.micronaut.http.HttpMethod;
import io.micronaut.http.HttpRequest;
import io.micronaut.http.HttpResponse;
import io.micronaut.http.context.ServerContextPathProvider;
import jakarta.inject.Singleton;
import java.util.Collection;
import java.util.Collections;
import java.util.Comparator;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** The configured routes. */
@Singleton
@Requires(beans = Route.Configuration.class)
final class Routes implements OperationBinder.Configured {

    /** On the class path with Micronaut's JSON up to version 4. */
    private static final String JSON_PARSER = "com.fasterxml.jackson.core.JsonFactory";

    private final Map<String, Route> routes = new TreeMap<>();
    private final OperationBinder binder;
    private final ResponseCodecs codecs;
    private final String contextPath;

    Routes(
            List<Route.Configuration> configured,
            IdempotencyConfiguration all,
            PropertyValidator written,
            OperationBinder binder,
            ResponseCodecs codecs,
            @Nullable ServerContextPathProvider contextPath) {
        this.binder = binder;
        this.codecs = codecs;
        String prefix = contextPath == null ? null : contextPath.getContextPath();
        String path = prefix == null ? "" : prefix.replaceAll("^/+|/+$", "");
        this.contextPath = path.isEmpty() ? "" : "/" + path;
        if (all.isEnabled()) {
            configured.stream()
                    .filter(route -> written.isNamed(Route.Configuration.PREFIX, route.name()))
                    .forEach(route -> routes.put(route.name(), bound(route)));
        }
    }

    private Route bound(Route.Configuration route) {
        String property = Route.Configuration.PREFIX + "." + route.name();
        List<String> paths = Objects.requireNonNullElse(route.path(), List.of());
        require(!paths.isEmpty(), property + ".path", "it is missing. Write a pattern like /orders/**");
        for (String path : paths) {
            require(path.startsWith("/"), property + ".path", "'" + path + "' does not start with a slash");
            require(
                    path.indexOf('{') < 0,
                    property + ".path",
                    "'" + path + "' has a variable in braces, which no path would match. Write * for one part of a path"
                            + " and ** for several");
        }
        Set<HttpMethod> methods = Objects.requireNonNullElse(
                route.methods(), EnumSet.complementOf(EnumSet.copyOf(HttpConfiguration.SAFE)));
        require(!methods.isEmpty(), property + ".methods", "it is empty");
        require(
                Collections.disjoint(methods, HttpConfiguration.SAFE),
                property + ".methods",
                "a safe method has no effect to protect. Leave out " + new TreeSet<>(HttpConfiguration.SAFE));
        boolean canonicalJson = Boolean.TRUE.equals(route.canonicalJson());
        require(
                !canonicalJson || ClassUtils.isPresent(JSON_PARSER, Routes.class.getClassLoader()),
                property + ".canonical-json",
                "it needs com.fasterxml.jackson.core:jackson-core on the class path. Add that dependency, or leave the"
                        + " property out");
        OperationBinder.Bound bound = binder.bind(new Definition(route.name()), codecs.of(route.name()));
        require(
                bound.operation().policy().onAbandoned() != OnAbandoned.RECONCILE,
                property,
                "onAbandoned is RECONCILE, and a request has no @Reconciles method. Set idempotency.operations."
                        + route.name() + ".on-abandoned: REFUSE");
        return new Route(
                bound.operation(),
                bound.keys(),
                methods,
                paths.stream().flatMap(this::patterns).toList(),
                StatusRule.of(property, route.noEffectStatus(), route.unknownStatus()),
                canonicalJson);
    }

    /** Returns a pattern below the context path, and also as written where it already begins with that path. */
    private Stream<String> patterns(String written) {
        String path = written.endsWith("/") ? written.substring(0, written.length() - 1) : written;
        boolean withContext = !contextPath.isEmpty() && (path + "/").startsWith(contextPath + "/");
        return (withContext ? Stream.of(path, contextPath + path) : Stream.of(contextPath + path))
                .map(pattern -> pattern.isEmpty() ? "/" : pattern);
    }

    private static void require(boolean fulfilled, String property, String problem) {
        if (!fulfilled) {
            throw new ConfigurationException(property + ": " + problem + ".");
        }
    }

    @Override
    public Collection<Operation> operations() {
        return routes.values().stream().map(Route::operation).toList();
    }

    /** Returns the route that matches a request with the longest pattern. */
    Optional<Route> of(HttpRequest<?> request) {
        return routes.values().stream()
                .filter(route -> route.match(request) >= 0)
                .max(Comparator.comparingInt(route -> route.match(request)));
    }

    Set<HttpMethod> methods() {
        return routes.values().stream()
                .flatMap(route -> route.methods().stream())
                .collect(Collectors.toSet());
    }

    List<String> patterns() {
        return routes.values().stream()
                .flatMap(route -> route.patterns().stream())
                .flatMap(pattern -> pattern.endsWith("/**") ? Stream.of(pattern) : Stream.of(pattern, pattern + "/"))
                .toList();
    }

    private record Definition(String name) implements OperationDefinition {

        @Override
        public String origin() {
            return Route.Configuration.PREFIX + "." + name;
        }

        @Override
        public KeySource keySource() {
            return KeySource.HEADER;
        }

        @Override
        public void fingerprint(@Nullable Object[] arguments, FingerprintWriter writer) {
            throw new UnsupportedOperationException("A route has a request and no arguments");
        }

        @Override
        public Argument<?> resultType() {
            return Argument.of(HttpResponse.class, byte[].class);
        }
    }
}
