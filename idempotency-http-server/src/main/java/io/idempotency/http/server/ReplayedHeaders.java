package io.idempotency.http.server;

import io.micronaut.context.annotation.Context;
import io.micronaut.context.annotation.Requires;
import io.micronaut.context.exceptions.ConfigurationException;
import io.micronaut.http.HttpHeaders;
import io.micronaut.http.HttpResponse;
import io.micronaut.http.MutableHttpHeaders;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Tells which header fields of a response belong to its result. Those that belong to one exchange are
 * never among them: cookies, the connection's own, dates, traces, cross-origin permissions. Created at
 * start-up, so that a wrong name stops the application there.
 */
@Context
@Requires(classes = HttpResponse.class)
final class ReplayedHeaders {

    private static final List<String> STANDARD = List.of(
            HttpHeaders.CONTENT_TYPE,
            HttpHeaders.CONTENT_ENCODING,
            HttpHeaders.CONTENT_LANGUAGE,
            HttpHeaders.CONTENT_LOCATION,
            HttpHeaders.CONTENT_DISPOSITION,
            HttpHeaders.LOCATION,
            HttpHeaders.ETAG,
            HttpHeaders.LAST_MODIFIED,
            HttpHeaders.LINK,
            "Operation-Location");

    /** RFC 9110, section 7.6.1, what the server writes for each exchange, tracing and cross-origin permissions. */
    private static final Pattern OF_ONE_EXCHANGE = Pattern.compile(
            "age|baggage|connection|content-length|date|idempotency-(original|status)|idempotent-replayed|keep-alive"
                    + "|proxy-(authenticate|authentication-info|authorization|connection)|set-cookie2?|te|trailer"
                    + "|transfer-encoding|upgrade|via"
                    + "|(access-control-|b3|grpc-trace-|traceparent|tracestate|traceresponse|uber-trace-|uberctx-|x-amzn-trace-"
                    + "|x-b3-|x-cloud-trace-|x-correlation-id|x-datadog-|x-request-id|x-trace).*",
            Pattern.CASE_INSENSITIVE);

    private final Names all;
    private final Map<String, Names> own = new HashMap<>();

    /**
     * The names of the header fields that are recorded and repeated.
     *
     * @param names sorted without regard to case
     */
    record Names(Set<String> names) {

        static Names of(Collection<String> standard, Collection<String> more) {
            Set<String> names = new TreeSet<>(String.CASE_INSENSITIVE_ORDER);
            names.addAll(standard);
            names.addAll(more);
            return new Names(names);
        }

        /** Returns what is recorded of a response's head. */
        Map<String, List<String>> of(HttpHeaders headers) {
            Map<String, List<String>> recorded = new TreeMap<>(String.CASE_INSENSITIVE_ORDER);
            for (String name : names) {
                if (headers.contains(name)) {
                    recorded.put(name, headers.getAll(name));
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

    ReplayedHeaders(HttpConfiguration configuration, List<OperationHttpConfiguration> operations) {
        this.all = Names.of(
                STANDARD, checked(HttpConfiguration.PREFIX + ".replayed-headers", configuration.getReplayedHeaders()));
        for (OperationHttpConfiguration operation : operations) {
            own.put(
                    operation.name(),
                    Names.of(
                            all.names(), checked(operation.property("replayed-headers"), operation.replayedHeaders())));
        }
    }

    /** Those of one operation. */
    Names of(String operation) {
        return own.getOrDefault(operation, all);
    }

    private static List<String> checked(String property, @Nullable List<String> names) {
        for (String name : names == null ? List.<String>of() : names) {
            require(HttpRequestKey.NAME.matcher(name).matches(), property, name, "is not the name of a header field");
            require(
                    !OF_ONE_EXCHANGE.matcher(name).matches(),
                    property,
                    name,
                    "belongs to one exchange and is never repeated: a duplicate would get another caller's, or an old"
                            + " one");
        }
        return names == null ? List.of() : names;
    }

    private static void require(boolean fulfilled, String property, String name, String problem) {
        if (!fulfilled) {
            throw new ConfigurationException(property + ": '" + name + "' " + problem + ". Remove it from the list.");
        }
    }
}
