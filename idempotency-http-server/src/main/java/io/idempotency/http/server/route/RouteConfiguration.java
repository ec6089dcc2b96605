package io.idempotency.http.server.route;

import io.micronaut.context.annotation.ConfigurationInject;
import io.micronaut.context.annotation.EachProperty;
import io.micronaut.context.annotation.Parameter;
import io.micronaut.core.annotation.Nullable;
import io.micronaut.http.HttpMethod;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;

/** {@code idempotency.http.routes.<operation>.*}: routes that become one operation. */
@EachProperty(RouteConfiguration.PREFIX)
final class RouteConfiguration {

    static final String PREFIX = "idempotency.http.routes";

    private static final Set<HttpMethod> UNSAFE =
            EnumSet.of(HttpMethod.POST, HttpMethod.PUT, HttpMethod.PATCH, HttpMethod.DELETE, HttpMethod.CUSTOM);

    private final String name;
    private final List<String> path;
    private final Set<HttpMethod> methods;
    private final Set<Integer> noEffectStatus;

    /**
     * As written.
     *
     * @param name the operation's name
     * @param path Ant-style patterns, below the server's context path
     * @param methods null for every method that is not safe
     * @param noEffectStatus the statuses by which whatever answers the route says that it did nothing
     */
    @ConfigurationInject
    RouteConfiguration(
            @Parameter String name,
            @Nullable List<String> path,
            @Nullable Set<HttpMethod> methods,
            @Nullable Set<Integer> noEffectStatus) {
        this.name = name;
        this.path = path == null ? List.of() : List.copyOf(path);
        this.methods = methods == null ? UNSAFE : Set.copyOf(methods);
        this.noEffectStatus = noEffectStatus == null ? Set.of() : Set.copyOf(noEffectStatus);
    }

    String name() {
        return name;
    }

    List<String> path() {
        return path;
    }

    Set<HttpMethod> methods() {
        return methods;
    }

    Set<Integer> noEffectStatus() {
        return noEffectStatus;
    }
}
