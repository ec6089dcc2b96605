package io.idempotency.http.server.management;

import io.micronaut.http.HttpHeaders;
import io.micronaut.http.HttpRequest;
import io.micronaut.http.HttpStatus;
import io.micronaut.http.MediaType;
import io.micronaut.http.exceptions.HttpStatusException;
import io.micronaut.http.server.util.HttpHostResolver;
import jakarta.inject.Singleton;

/**
 * Refuses what a page of another site makes an operator's browser send. A browser asks the server before it sends JSON to another origin,
 * and does not ask before it sends a form or a body without a content type.
 */
@Singleton
final class OwnSite {

    private static final String FETCH_SITE = "Sec-Fetch-Site";

    private final HttpHostResolver hosts;

    OwnSite(HttpHostResolver hosts) {
        this.hosts = hosts;
    }

    void require(HttpRequest<?> request) {
        HttpHeaders headers = request.getHeaders();
        String site = headers.get(FETCH_SITE);
        String origin = headers.get(HttpHeaders.ORIGIN);
        // where a browser vouches for the page, a proxy that changes the host does not matter
        boolean foreign = origin != null && !origin.equalsIgnoreCase(hosts.resolve(request));
        if ("cross-site".equalsIgnoreCase(site) || foreign && !"same-origin".equalsIgnoreCase(site)) {
            throw new HttpStatusException(
                    HttpStatus.FORBIDDEN, "A page of another origin may not use this endpoint. Nothing was changed.");
        }
        if (request.getContentType()
                .filter(type -> type.matchesExtension(MediaType.EXTENSION_JSON))
                .isEmpty()) {
            throw new HttpStatusException(
                    HttpStatus.UNSUPPORTED_MEDIA_TYPE, "Send application/json. Nothing was changed.");
        }
    }
}
