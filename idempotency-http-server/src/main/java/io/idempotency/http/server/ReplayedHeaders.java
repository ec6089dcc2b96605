package io.idempotency.http.server;

import io.micronaut.context.annotation.Context;
import io.micronaut.context.annotation.Requires;
import io.micronaut.context.exceptions.ConfigurationException;
import io.micronaut.http.HttpHeaders;
import io.micronaut.http.HttpResponse;
import io.micronaut.http.MutableHttpHeaders;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;

/**
 * Which header fields of a response belong to its result. Those that belong to one exchange are never among them: cookies,
 * the connection's own, dates, traces, cross-origin permissions. Made while the application starts, so that a wrong name
 * stops it there.
 */
@Context
@Requires(classes = HttpResponse.class)
final class ReplayedHeaders {

    private static final String PROPERTY = "idempotency.http.replayed-headers";

    private static final List<String> STANDARD = List.of(
            HttpHeaders.CONTENT_ENCODING,
            HttpHeaders.CONTENT_LANGUAGE,
            HttpHeaders.CONTENT_LOCATION,
            HttpHeaders.CONTENT_DISPOSITION,
            HttpHeaders.LOCATION,
            HttpHeaders.ETAG,
            HttpHeaders.LAST_MODIFIED,
            HttpHeaders.LINK,
            "Operation-Location");

    private static final Pattern NAME = Pattern.compile("[A-Za-z0-9!#$%&'*+.^_`|~-]+");

    /** RFC 9110, section 7.6.1, and what the server writes itself for each exchange. */
    private static final Set<String> OF_ONE_EXCHANGE = Set.of(
            "age",
            "baggage",
            "connection",
            "content-length",
            "date",
            "idempotency-status",
            "idempotent-replayed",
            "keep-alive",
            "proxy-authenticate",
            "proxy-authentication-info",
            "proxy-authorization",
            "proxy-connection",
            "set-cookie",
            "set-cookie2",
            "te",
            "trailer",
            "transfer-encoding",
            "upgrade",
            "via");

    /** Beginnings of the names that tracing systems use, and of cross-origin permissions. */
    private static final List<String> PREFIXES = List.of(
            "access-control-",
            "b3",
            "grpc-trace-",
            "traceparent",
            "tracestate",
            "traceresponse",
            "uber-trace-",
            "uberctx-",
            "x-amzn-trace-",
            "x-b3-",
            "x-cloud-trace-",
            "x-correlation-id",
            "x-datadog-",
            "x-request-id",
            "x-trace");

    private final Set<String> names = new TreeSet<>(String.CASE_INSENSITIVE_ORDER);

    ReplayedHeaders(ReplayConfiguration configuration) {
        List<String> configured = configuration.getReplayedHeaders();
        names.add(HttpHeaders.CONTENT_TYPE);
        names.addAll(STANDARD);
        for (String name : configured == null ? List.<String>of() : configured) {
            require(NAME.matcher(name).matches(), name, "is not the name of a header field");
            require(
                    !ofOneExchange(name),
                    name,
                    "belongs to one exchange and is never repeated: a duplicate would get another caller's, or an old"
                            + " one");
            names.add(name);
        }
    }

    private static void require(boolean fulfilled, String name, String problem) {
        if (!fulfilled) {
            throw new ConfigurationException(PROPERTY + ": '" + name + "' " + problem + ". Remove it from the list.");
        }
    }

    private static boolean ofOneExchange(String name) {
        String lower = name.toLowerCase(Locale.ROOT);
        return OF_ONE_EXCHANGE.contains(lower) || PREFIXES.stream().anyMatch(lower::startsWith);
    }

    /** What is recorded of a response's head. */
    Map<String, List<String>> of(HttpHeaders headers) {
        Map<String, List<String>> recorded = new LinkedHashMap<>();
        for (String name : names) {
            List<String> values = headers.getAll(name);
            if (!values.isEmpty()) {
                recorded.put(name, values);
            }
        }
        return recorded;
    }

    /** Repeats what is recorded, as far as it may still be: the list can have changed since. */
    void onto(MutableHttpHeaders headers, Map<String, List<String>> recorded) {
        recorded.forEach((name, values) -> {
            if (names.contains(name)) {
                headers.remove(name);
                values.forEach(value -> headers.add(name, value));
            }
        });
    }
}
