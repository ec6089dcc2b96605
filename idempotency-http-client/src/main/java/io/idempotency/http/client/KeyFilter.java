package io.idempotency.http.client;

import io.micronaut.context.annotation.Requires;
import io.micronaut.core.annotation.Order;
import io.micronaut.core.order.Ordered;
import io.micronaut.core.propagation.MutablePropagatedContext;
import io.micronaut.core.propagation.PropagatedContextElement;
import io.micronaut.http.BasicHttpAttributes;
import io.micronaut.http.HttpHeaders;
import io.micronaut.http.HttpRequest;
import io.micronaut.http.MutableHttpRequest;
import io.micronaut.http.annotation.ClientFilter;
import io.micronaut.http.annotation.RequestFilter;
import io.micronaut.http.client.ClientAttributes;
import io.micronaut.http.client.HttpClient;
import java.net.URI;
import java.util.Locale;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Puts the key of a call onto its request: taken before any other filter runs, so that a request which one of those
 * sends on its own (for a token, say) does not carry it; written after all of them, so that a header which one of them
 * or the application sets stays.
 */
@ClientFilter(ClientFilter.MATCH_ALL_PATTERN)
@Requires(classes = HttpClient.class)
final class KeyFilter {

    private static final String KEY = "io.idempotency.key";

    private final ClientPolicies policies;

    KeyFilter(ClientPolicies policies) {
        this.policies = policies;
    }

    @RequestFilter
    @Order(Ordered.LOWEST_PRECEDENCE) // client filters run in reverse
    void take(MutableHttpRequest<?> request, MutablePropagatedContext propagated) {
        String service = service(request);
        Optional<SentKey> left = propagated.getContext().find(SentKey.class).filter(sent -> sent.isLeftBy(request));
        if (left.isPresent()) {
            left.get().leave(request);
            return;
        }
        if (KeyedMethods.SAFE.contains(request.getMethodName()) || isSet(request, service)) {
            return;
        }
        String key = keyOf(request, service, propagated);
        if (key != null) {
            request.setAttribute(KEY, key);
        }
    }

    @RequestFilter
    @Order(Ordered.HIGHEST_PRECEDENCE)
    void write(MutableHttpRequest<?> request, MutablePropagatedContext propagated) {
        Optional<String> key = request.getAttribute(KEY, String.class);
        String service = service(request);
        if (key.isPresent() && !isSet(request, service)) {
            ClientPolicies.Service settings = policies.service(service);
            request.header(settings.header(), settings.text(key.get()));
        }
        boolean first = propagated.getContext().find(SentKey.class).isEmpty();
        if (first && !KeyedMethods.SAFE.contains(request.getMethodName()) && isSet(request, service)) {
            propagated.add(SentKey.of(request, policies.service(service).header()));
        }
    }

    private @Nullable String keyOf(MutableHttpRequest<?> request, String service, MutablePropagatedContext propagated) {
        Optional<LogicalCall> invoked =
                ClientAttributes.getInvocationContext(request).flatMap(KeyInterceptor::intentOf);
        if (invoked.isPresent()) {
            return invoked.get().key();
        }
        Optional<LogicalCall.Scope> scope =
                propagated.getContext().find(LogicalCall.Scope.class).filter(it -> it.covers(service));
        if (scope.isPresent()) {
            String key = scope.get().keyFor(described(request, service));
            propagated.getContext().findAll(LogicalCall.Scope.class).forEach(propagated::remove);
            return key;
        }
        return policies.service(service).sendsKey() && policies.carriesKey(request.getMethodName())
                ? LogicalCall.open(
                                described(request, service),
                                Optional.ofNullable(request.getBody().orElse(null)))
                        .key()
                : null;
    }

    private boolean isSet(MutableHttpRequest<?> request, String service) {
        return request.getHeaders().contains(policies.service(service).header());
    }

    /** Without the host where there is a service: the next attempt may go to another one. */
    private static String described(MutableHttpRequest<?> request, String service) {
        URI uri = request.getUri();
        return request.getMethodName() + " " + (service.isEmpty() ? uri.getAuthority() : service) + uri.getRawPath();
    }

    private static String service(MutableHttpRequest<?> request) {
        return BasicHttpAttributes.getServiceId(request).orElse("");
    }

    /**
     * The place to which a request with a key was sent. Micronaut's client sends a redirected request on with all headers, and with
     * its body after a 307 or 308; another system answers there, which must neither know the key nor do the work.
     *
     * @param origin scheme, host and port
     * @param header the header that carries the key
     * @param key the header's value
     * @param body what was sent
     */
    record SentKey(
            String origin,
            String header,
            @Nullable String key,
            @Nullable Object body) implements PropagatedContextElement {

        /** The attribute of a request of Micronaut's client that follows a redirect. */
        private static final String REDIRECTED = "micronaut.http.client.redirect-count";

        static SentKey of(HttpRequest<?> request, String header) {
            return new SentKey(
                    origin(request.getUri()),
                    header,
                    request.getHeaders().get(header),
                    request.getBody().orElse(null));
        }

        /** Requests that a filter makes on its own are no redirects, and redirected ones of those carry something else. */
        boolean isLeftBy(MutableHttpRequest<?> request) {
            HttpHeaders headers = request.getHeaders();
            boolean same = key != null && key.equals(headers.get(header))
                    || body != null && body == request.getBody().orElse(null);
            return same && request.getAttribute(REDIRECTED).isPresent() && !origin.equals(origin(request.getUri()));
        }

        /** Lets a safe request go there without the key, and no other request. */
        void leave(MutableHttpRequest<?> request) {
            if (!KeyedMethods.SAFE.contains(request.getMethodName())) {
                throw new IllegalStateException("A request with an idempotency key to " + origin + " was redirected to "
                        + origin(request.getUri())
                        + ". Nothing was sent there: neither the key nor the body is for another"
                        + " system. The system that redirected has not done what was asked for. Send the request to where it belongs,"
                        + " if that is known to be the same system.");
            }
            request.getHeaders().remove(header);
        }

        private static String origin(URI uri) {
            String scheme = Objects.requireNonNullElse(uri.getScheme(), "http").toLowerCase(Locale.ROOT);
            String host = Objects.requireNonNullElse(uri.getHost(), "").toLowerCase(Locale.ROOT);
            int port = uri.getPort() >= 0 ? uri.getPort() : scheme.equals("https") ? 443 : 80;
            return scheme + "://" + host + ":" + port;
        }
    }
}
