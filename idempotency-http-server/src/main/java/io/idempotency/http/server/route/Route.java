package io.idempotency.http.server.route;

import io.idempotency.runtime.call.Operation;
import io.idempotency.runtime.config.KeyPolicy;
import io.micronaut.context.annotation.EachProperty;
import io.micronaut.context.annotation.Parameter;
import io.micronaut.core.annotation.Nullable;
import io.micronaut.core.util.PathMatcher;
import io.micronaut.http.HttpMethod;
import io.micronaut.http.HttpRequest;
import java.util.List;
import java.util.Set;

/** A protected route. Its patterns begin with the server's context path. */
record Route(
        Operation operation,
        KeyPolicy keys,
        Set<HttpMethod> methods,
        List<String> patterns,
        StatusRule rule,
        boolean canonicalJson) {

    /** Safe methods that Micronaut does not know. */
    private static final Set<String> SAFE_CUSTOM = Set.of("PROPFIND", "QUERY", "REPORT", "SEARCH");

    /** Returns the length of the longest pattern that matches, which is the most specific one; -1 for no match. */
    int match(HttpRequest<?> request) {
        return methods.contains(request.getMethod()) && !SAFE_CUSTOM.contains(request.getMethodName())
                ? patterns.stream()
                        .filter(pattern -> matches(pattern, request.getPath()))
                        .mapToInt(String::length)
                        .max()
                        .orElse(-1)
                : -1;
    }

    /** Matches a path with a trailing slash like one without, as the router does. */
    private static boolean matches(String pattern, String path) {
        return pattern.equals(path) // the matcher may ignore unusual characters
                || PathMatcher.ANT.matches(pattern, path)
                || path.endsWith("/") && PathMatcher.ANT.matches(pattern, path.substring(0, path.length() - 1));
    }

    /**
     * {@code idempotency.http.routes.<operation>.*}: routes that become one operation.
     *
     * @param path Ant-style patterns, below the server's context path
     * @param methods the HTTP methods; null for every one that is not safe
     * @param noEffectStatus the statuses by which whatever answers the route says that it did nothing
     * @param unknownStatus the statuses by which it leaves open what it did
     * @param canonicalJson whether two ways to write the same JSON are one request; null for no
     */
    @EachProperty(Configuration.PREFIX)
    record Configuration(
            @Parameter String name,
            @Nullable List<String> path,
            @Nullable Set<HttpMethod> methods,
            @Nullable Set<Integer> noEffectStatus,
            @Nullable Set<Integer> unknownStatus,
            @Nullable Boolean canonicalJson) {

        static final String PREFIX = "idempotency.http.routes";
    }
}
