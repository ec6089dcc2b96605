package io.idempotency.http.client;

import io.micronaut.core.propagation.PropagatedContextElement;
import io.micronaut.http.HttpHeaders;
import io.micronaut.http.HttpRequest;
import io.micronaut.http.MutableHttpRequest;
import java.net.URI;
import java.util.Locale;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

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
                    + origin(request.getUri()) + ". Nothing was sent there: neither the key nor the body is for another"
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
