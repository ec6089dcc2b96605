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
 * @param operation what its requests are
 * @param keys about their keys
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

    /** Whatever its path is. */
    boolean covers(HttpRequest<?> request) {
        return methods.contains(request.getMethod()) && !SAFE_CUSTOM.contains(request.getMethodName());
    }

    boolean covers(HttpMethod method, String path) {
        return methods.contains(method) && length(path) >= 0;
    }

    /** How long the pattern is that matches: the longest is the most specific. */
    int length(String path) {
        int longest = -1;
        for (String pattern : patterns) { // asked several times with every request
            if (pattern.length() > longest && matches(pattern, path)) {
                longest = pattern.length();
            }
        }
        return longest;
    }

    /** Whether this very path is configured, not a pattern that it matches. */
    boolean names(String path) {
        return patterns.contains(path);
    }

    /** The router takes a path with a slash at its end for the same as without. */
    private static boolean matches(String pattern, String path) {
        return pattern.equals(path) // what is nearly always so, and costs nothing
                || mayMatch(pattern, path)
                        && (PathMatcher.ANT.matches(pattern, path)
                                || path.endsWith("/")
                                        && PathMatcher.ANT.matches(pattern, path.substring(0, path.length() - 1)));
    }

    /** The requests that no route is meant for cost little: most begin otherwise. The matcher may read past odd characters. */
    private static boolean mayMatch(String pattern, String path) {
        for (int i = 0; i < pattern.length() && i < path.length(); i++) {
            char c = pattern.charAt(i);
            if (c == '*' || c == '?') {
                return true;
            }
            if (c != path.charAt(i)) {
                return isOdd(path);
            }
        }
        return true;
    }

    private static boolean isOdd(String path) {
        return path.contains("//") || path.chars().anyMatch(c -> c <= ' ');
    }
}
