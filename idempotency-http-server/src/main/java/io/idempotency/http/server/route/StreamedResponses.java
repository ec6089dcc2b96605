package io.idempotency.http.server.route;

import io.micronaut.http.HttpResponse;
import java.util.Optional;
import org.reactivestreams.Publisher;

/** Knows responses whose body is not there yet: those of a proxy. */
interface StreamedResponses {

    /**
     * The bytes as they come.
     *
     * @param response a response without a body of its own
     * @return empty when it has none at all
     */
    Optional<Publisher<byte[]>> contentOf(HttpResponse<?> response);
}
