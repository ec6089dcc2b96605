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
    private final AnswerRule.Written statuses;
    private final boolean canonicalJson;

    /**
     * As written.
     *
     * @param name the operation's name
     * @param path Ant-style patterns, below the server's context path
     * @param methods the HTTP methods; null for every one that is not safe
     * @param noEffectStatus the statuses by which whatever answers the route says that it did nothing
     * @param unknownStatus the statuses by which it leaves open what it did
     * @param canonicalJson whether two ways to write the same JSON are one request; null for no
     */
    @ConfigurationInject
    RouteConfiguration(
            @Parameter String name,
            @Nullable List<String> path,
            @Nullable Set<HttpMethod> methods,
            @Nullable Set<Integer> noEffectStatus,
            @Nullable Set<Integer> unknownStatus,
            @Nullable Boolean canonicalJson) {
        this.name = name;
        this.path = path == null ? List.of() : List.copyOf(path);
        this.methods = methods == null ? UNSAFE : Set.copyOf(methods);
        this.statuses = new AnswerRule.Written(noEffectStatus, unknownStatus);
        this.canonicalJson = Boolean.TRUE.equals(canonicalJson);
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

    AnswerRule.Written statuses() {
        return statuses;
    }

    boolean canonicalJson() {
        return canonicalJson;
    }
}
