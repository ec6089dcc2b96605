package io.idempotency.http.server;

import io.micronaut.context.annotation.Context;
import io.micronaut.context.exceptions.ConfigurationException;
import io.micronaut.http.HttpHeaders;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Tells which header fields of responses are recorded. Created at start-up, where a wrong name stops the start. */
@Context
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

    /** Fields of one exchange: RFC 9110, section 7.6.1, the server's own, tracing, and cross-origin permissions. */
    private static final Pattern OF_ONE_EXCHANGE = Pattern.compile(
            "age|baggage|connection|content-length|date|idempotency-(original|status)|idempotent-replayed|keep-alive"
                    + "|proxy-(authenticate|authentication-info|authorization|connection)|set-cookie2?|te|trailer"
                    + "|transfer-encoding|upgrade|via"
                    + "|(access-control-|b3|grpc-trace-|traceparent|tracestate|traceresponse|uber-trace-|uberctx-|x-amzn-trace-"
                    + "|x-b3-|x-cloud-trace-|x-correlation-id|x-datadog-|x-request-id|x-trace).*",
            Pattern.CASE_INSENSITIVE);

    private final Set<String> all;
    private final Map<String, Set<String>> own = new HashMap<>();

    ReplayedHeaders(HttpConfiguration configuration, List<HttpConfiguration.OfOperation> operations) {
        this.all = with(STANDARD, HttpConfiguration.PREFIX + ".replayed-headers", configuration.replayedHeaders());
        operations.forEach(operation -> own.put(
                operation.name(), with(all, operation.property("replayed-headers"), operation.replayedHeaders())));
    }

    /** Returns the names of an operation's recorded header fields, without regard to case. */
    Set<String> of(String operation) {
        return own.getOrDefault(operation, all);
    }

    private static Set<String> with(Collection<String> standard, String property, @Nullable List<String> more) {
        Set<String> names = new TreeSet<>(String.CASE_INSENSITIVE_ORDER);
        names.addAll(standard);
        for (String name : more == null ? List.<String>of() : more) {
            boolean valid = HttpRequestKey.NAME.matcher(name).matches();
            if (!valid || OF_ONE_EXCHANGE.matcher(name).matches()) {
                String problem = valid
                        ? "belongs to one exchange and is never repeated: a duplicate would get another caller's, or an"
                                + " old one"
                        : "is not the name of a header field";
                throw new ConfigurationException(
                        property + ": '" + name + "' " + problem + ". Remove it from the list.");
            }
            names.add(name);
        }
        return names;
    }
}
