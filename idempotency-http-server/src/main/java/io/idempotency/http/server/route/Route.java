package io.idempotency.http.server.route;

import io.idempotency.runtime.call.Operation;
import io.idempotency.runtime.config.KeyPolicy;
import io.micronaut.core.util.PathMatcher;
import io.micronaut.http.HttpMethod;
import io.micronaut.http.HttpRequest;
import java.util.List;
import java.util.Set;

/**
 * A protected route with everything decided.
 *
 * @param operation the operation that its requests call
 * @param keys the policy of their keys
 * @param methods the methods that are protected
 * @param patterns the paths, with the server's context path
 * @param rule what the status of its answer says
 * @param canonicalJson whether two ways to write the same JSON are one request
 */
record Route(
        Operation operation,
        KeyPolicy keys,
        Set<HttpMethod> methods,
        List<String> patterns,
        StatusRule rule,
        boolean canonicalJson) {

    /** Methods that Micronaut does not know and the registry of HTTP methods calls safe. */
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

    /** Whether this very path is configured, not a pattern that it matches. */
    boolean names(String path) {
        return patterns.contains(path);
    }

    /** The router takes a path with a slash at its end for the same as without. */
    private static boolean matches(String pattern, String path) {
        return pattern.equals(path) // the matcher may read past odd characters
                || PathMatcher.ANT.matches(pattern, path)
                || path.endsWith("/") && PathMatcher.ANT.matches(pattern, path.substring(0, path.length() - 1));
    }
}
