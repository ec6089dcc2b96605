package io.idempotency.http.client;

import io.micronaut.core.annotation.Order;
import io.micronaut.core.order.Ordered;
import io.micronaut.core.propagation.MutablePropagatedContext;
import io.micronaut.core.propagation.PropagatedContextElement;
import io.micronaut.http.BasicHttpAttributes;
import io.micronaut.http.HttpRequest;
import io.micronaut.http.HttpResponse;
import io.micronaut.http.HttpStatus;
import io.micronaut.http.MutableHttpRequest;
import io.micronaut.http.annotation.ClientFilter;
import io.micronaut.http.annotation.RequestFilter;
import io.micronaut.http.annotation.ResponseFilter;
import io.micronaut.http.client.ClientAttributes;
import io.micronaut.http.client.exceptions.HttpClientResponseException;
import java.net.URI;
import java.util.Arrays;
import java.util.Locale;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Puts the key of a call onto its request. Takes the key before all other filters, so that a request which a filter
 * sends itself (for a token, say) does not carry it. Writes the header after all of them, so that a header which a
 * filter or the application set stays.
 */
@ClientFilter(ClientFilter.MATCH_ALL_PATTERN)
record KeyFilter(ClientPolicies policies) {

    /** Safe methods: RFC 9110, section 9.2.1. */
    static final Set<String> SAFE = Set.of("GET", "HEAD", "OPTIONS", "TRACE");

    private static final String KEY = "io.idempotency.key";
    private static final String CALL = "io.idempotency.call";

    /** What an application's own request last asked for with the key, as the filters left it. */
    private static final String CONTENT = "io.idempotency.content";

    @RequestFilter
    @Order(Ordered.LOWEST_PRECEDENCE) // client filters run in reverse
    void take(MutableHttpRequest<?> request, MutablePropagatedContext propagated) {
        Optional<SentKey> former = propagated.getContext().find(SentKey.class);
        if (isSafe(request)) { // what redirects to a GET has done what it was asked for
            former.map(SentKey::call).ifPresent(call -> call.redirected = true);
        }
        Optional<SentKey> left = former.filter(sent -> sent.isLeftBy(request));
        if (left.isPresent()) {
            left.get().leave(request);
        } else if (!isSafe(request)) {
            Optional<LogicalCall.Scope> scope =
                    propagated.getContext().find(LogicalCall.Scope.class).filter(it -> it.covers(service(request)));
            belongs(request, invoked(request).or(() -> scope.map(LogicalCall.Scope::intent)));
            if (!isSet(request)) {
                Optional<String> key = keyOf(request, scope, propagated);
                key.ifPresent(it -> request.setAttribute(KEY, settings(request).text(it)));
            }
        }
    }

    /** Notes the call of a request. Removes the key that it has from another call, or for other content: it is used again. */
    private void belongs(MutableHttpRequest<?> request, Optional<LogicalCall> call) {
        boolean isOther = call.isPresent() && !call.equals(request.getAttribute(CALL))
                || request.getAttribute(CONTENT).stream().anyMatch(sent -> !sent.equals(content(request)));
        if (isOther) {
            request.removeAttribute(CALL, LogicalCall.class);
            String header = settings(request).header();
            request.removeAttribute(KEY, String.class)
                    .filter(text -> text.equals(request.getHeaders().get(header)))
                    .ifPresent(text -> request.getHeaders().remove(header));
        }
        call.ifPresent(it -> request.setAttribute(CALL, it));
    }

    @RequestFilter
    @Order(Ordered.HIGHEST_PRECEDENCE)
    void write(MutableHttpRequest<?> request, MutablePropagatedContext propagated) {
        String header = settings(request).header();
        Optional<String> taken = request.getAttribute(KEY, String.class);
        taken.filter(text -> !isSet(request)).ifPresent(text -> request.header(header, text));
        if (taken.isPresent() && invoked(request).isEmpty()) {
            request.setAttribute(CONTENT, content(request));
        }
        String sent = request.getHeaders().get(header);
        if (propagated.getContext().find(SentKey.class).isEmpty() && !isSafe(request) && sent != null) {
            Optional<LogicalCall> call = request.getAttribute(CALL, LogicalCall.class);
            call.ifPresent(it -> it.sends(described(request), sent));
            propagated.add(new SentKey(SentKey.origin(request), header, sent, body(request), call.orElse(null)));
        }
    }

    /** Notes an error, since a declarative client answers 404 with null or an empty value. */
    @ResponseFilter
    void answered(HttpRequest<?> request, @Nullable HttpResponse<?> response, @Nullable Throwable failure) {
        HttpResponse<?> answer =
                failure instanceof HttpClientResponseException refused ? refused.getResponse() : response;
        boolean refuses = answer != null && answer.code() >= HttpStatus.BAD_REQUEST.getCode();
        invoked(request).ifPresent(call -> call.refused = refuses ? answer : null);
    }

    /** Returns the call of the declarative client's method that a request is sent for. */
    private static Optional<LogicalCall> invoked(HttpRequest<?> request) {
        return ClientAttributes.getInvocationContext(request).flatMap(KeyInterceptor::intentOf);
    }

    private Optional<String> keyOf(
            MutableHttpRequest<?> request, Optional<LogicalCall.Scope> scope, MutablePropagatedContext propagated) {
        Optional<LogicalCall> invoked = invoked(request);
        if (invoked.isPresent()) {
            return invoked.map(LogicalCall::taken);
        }
        if (scope.isPresent()) {
            propagated.getContext().findAll(LogicalCall.Scope.class).forEach(propagated::remove);
            return scope.map(it -> it.keyFor(described(request), content(request)));
        }
        if (!settings(request).sendsKey() || !policies.carriesKey(request.getMethodName())) {
            return Optional.empty();
        }
        LogicalCall call = LogicalCall.open(described(request), () -> content(request));
        request.setAttribute(CALL, call);
        ClientAttributes.getInvocationContext(request).ifPresent(it -> it.setAttribute(KeyInterceptor.INTENT, call));
        return Optional.of(call.taken());
    }

    private static boolean isSafe(HttpRequest<?> request) {
        return SAFE.contains(request.getMethodName());
    }

    private boolean isSet(HttpRequest<?> request) {
        return request.getHeaders().contains(settings(request).header());
    }

    private ClientPolicies.Service settings(HttpRequest<?> request) {
        return policies.service(service(request));
    }

    private static @Nullable Object body(HttpRequest<?> request) {
        return request.getBody().orElse(null);
    }

    /** Returns what a request asks for. */
    private static LogicalCall.Content content(HttpRequest<?> request) {
        return new LogicalCall.Content(
                Arrays.asList(described(request), request.getUri().getRawQuery(), body(request)));
    }

    /** Describes a request, without the host if a service is known: its next attempt may go to another host. */
    private static String described(HttpRequest<?> request) {
        URI uri = request.getUri();
        String service = service(request);
        return request.getMethodName() + " " + (service.isEmpty() ? uri.getAuthority() : service) + uri.getRawPath();
    }

    private static String service(HttpRequest<?> request) {
        return BasicHttpAttributes.getServiceId(request).orElse("");
    }

    /**
     * Where a request with a key was sent. Micronaut's client follows a redirect with all headers, and after a 307 or
     * 308 with the body, but another system must neither learn the key nor do the work.
     */
    private record SentKey(
            String origin,
            String header,
            String key,
            @Nullable Object body,
            @Nullable LogicalCall call) implements PropagatedContextElement {

        /** The attribute that Micronaut's client, from 4.10.26 on, sets on a request that follows a redirect. */
        private static final String REDIRECTED = "micronaut.http.client.redirect-count";

        /** Tells whether this request is redirected to another system. A filter's own have another key and body. */
        boolean isLeftBy(HttpRequest<?> request) {
            boolean same = key.equals(request.getHeaders().get(header)) // which the client copies
                    || body != null
                            && body == KeyFilter.body(request)
                            && request.getAttribute(REDIRECTED).isPresent();
            return same && !origin.equals(origin(request));
        }

        /** Removes the key from a safe request, and rejects any other request. */
        void leave(MutableHttpRequest<?> request) {
            if (!isSafe(request)) {
                throw new IllegalStateException("A request with an idempotency key to " + origin + " was redirected to "
                        + origin(request)
                        + ". Nothing was sent there: neither the key nor the body is for another"
                        + " system. The system that redirected has not done what was asked for. Send the request to where it belongs,"
                        + " if that is known to be the same system.");
            }
            request.getHeaders().remove(header);
        }

        private static String origin(HttpRequest<?> request) {
            URI uri = request.getUri();
            String scheme = Objects.requireNonNullElse(uri.getScheme(), "http").toLowerCase(Locale.ROOT);
            String host = Objects.requireNonNullElse(uri.getHost(), "").toLowerCase(Locale.ROOT);
            int port = uri.getPort() >= 0 ? uri.getPort() : scheme.equals("https") ? 443 : 80;
            return scheme + "://" + host + ":" + port;
        }
    }
}
