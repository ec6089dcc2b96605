package io.idempotency.http.server.route;

import io.micronaut.context.annotation.EachProperty;
import io.micronaut.context.annotation.Parameter;
import io.micronaut.core.annotation.Nullable;
import io.micronaut.http.HttpMethod;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;

/**
 * {@code idempotency.http.routes.<operation>.*}: routes that become one operation.
 *
 * @param name the operation's name
 * @param path Ant-style patterns, below the server's context path
 * @param methods the HTTP methods; null for every one that is not safe
 * @param noEffectStatus the statuses by which whatever answers the route says that it did nothing
 * @param unknownStatus the statuses by which it leaves open what it did
 * @param canonicalJson whether two ways to write the same JSON are one request; null for no
 */
@EachProperty(RouteConfiguration.PREFIX)
record RouteConfiguration(
        @Parameter String name,
        @Nullable List<String> path,
        @Nullable Set<HttpMethod> methods,
        @Nullable Set<Integer> noEffectStatus,
        @Nullable Set<Integer> unknownStatus,
        @Nullable Boolean canonicalJson) {

    static final String PREFIX = "idempotency.http.routes";

    private static final Set<HttpMethod> UNSAFE =
            EnumSet.of(HttpMethod.POST, HttpMethod.PUT, HttpMethod.PATCH, HttpMethod.DELETE, HttpMethod.CUSTOM);

    List<String> paths() {
        return path == null ? List.of() : path;
    }

    Set<HttpMethod> protectedMethods() {
        return methods == null ? UNSAFE : methods;
    }
}
