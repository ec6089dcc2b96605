package io.idempotency.http.client;

import io.micronaut.aop.MethodInvocationContext;
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
import java.util.List;
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
            invoked(request).or(() -> scope.map(LogicalCall.Scope::intent)).ifPresent(call -> belongs(request, call));
            if (!isSet(request)) {
                keyOf(request, scope, propagated).ifPresent(key -> request.setAttribute(KEY, key));
            }
        }
    }

    /** Notes the call of a request, and removes the key of a former one: an application may send its request again. */
    private void belongs(MutableHttpRequest<?> request, LogicalCall call) {
        LogicalCall former = request.getAttribute(CALL, LogicalCall.class).orElse(call);
        request.setAttribute(CALL, call);
        if (former != call) {
            ClientPolicies.Service settings = policies.service(service(request));
            request.removeAttribute(KEY, String.class)
                    .filter(key ->
                            settings.text(key).equals(request.getHeaders().get(settings.header())))
                    .ifPresent(key -> request.getHeaders().remove(settings.header()));
        }
    }

    @RequestFilter
    @Order(Ordered.HIGHEST_PRECEDENCE)
    void write(MutableHttpRequest<?> request, MutablePropagatedContext propagated) {
        ClientPolicies.Service settings = policies.service(service(request));
        String header = settings.header();
        request.getAttribute(KEY, String.class)
                .filter(key -> !isSet(request))
                .ifPresent(key -> request.header(header, settings.text(key)));
        String sent = request.getHeaders().get(header);
        if (propagated.getContext().find(SentKey.class).isEmpty() && !isSafe(request) && sent != null) {
            LogicalCall call = request.getAttribute(CALL, LogicalCall.class).orElse(null);
            if (call != null) {
                call.sends(described(request, service(request)), sent);
            }
            propagated.add(new SentKey(SentKey.origin(request), header, sent, body(request), call));
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
        String described = described(request, service(request));
        List<@Nullable Object> rest = Arrays.asList(request.getUri().getRawQuery(), body(request));
        if (scope.isPresent()) {
            propagated.getContext().findAll(LogicalCall.Scope.class).forEach(propagated::remove);
            return scope.map(it -> it.keyFor(described, LogicalCall.Content.of(rest)));
        }
        if (!policies.service(service(request)).sendsKey() || !policies.carriesKey(request.getMethodName())) {
            return Optional.empty();
        }
        Optional<MethodInvocationContext<?, ?>> invocation = ClientAttributes.getInvocationContext(request);
        LogicalCall call = invocation
                .flatMap(it -> it.getAttribute(CALL, LogicalCall.class)) // of the attempt before
                .orElseGet(() -> LogicalCall.open(described, () -> LogicalCall.Content.of(rest)));
        invocation.ifPresent(it -> it.setAttribute(CALL, call));
        return Optional.of(call.key.get());
    }

    private static boolean isSafe(HttpRequest<?> request) {
        return SAFE.contains(request.getMethodName());
    }

    private boolean isSet(HttpRequest<?> request) {
        return request.getHeaders().contains(policies.service(service(request)).header());
    }

    private static @Nullable Object body(HttpRequest<?> request) {
        return request.getBody().orElse(null);
    }

    /** Describes a request, without the host if a service is known: its next attempt may go to another host. */
    private static String described(HttpRequest<?> request, String service) {
        URI uri = request.getUri();
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
