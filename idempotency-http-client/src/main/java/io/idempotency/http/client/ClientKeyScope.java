package io.idempotency.http.client;

import io.micronaut.core.propagation.PropagatedContextElement;
import java.util.concurrent.atomic.AtomicReference;

/** The key of the one request that a method sends through a low-level client. */
final class ClientKeyScope implements PropagatedContextElement {

    private final Intent intent;
    private final String service;
    private final AtomicReference<String> target = new AtomicReference<>();

    ClientKeyScope(Intent intent, String service) {
        this.intent = intent;
        this.service = service;
    }

    boolean covers(String serviceId) {
        return service.isEmpty() || service.equals(serviceId);
    }

    /** The key for a request. Every attempt goes to the same place; a request to another one is another intent. */
    String keyFor(String request) {
        String first = target.compareAndExchange(null, request);
        if (first != null && !first.equals(request)) {
            throw new IllegalStateException(
                    "'" + intent.name() + "' sends one idempotency key, which went with " + first
                            + ", and now sends another request, " + request
                            + ". That one was not sent, since it would share the key. Give each request a method of its own, or name"
                            + " the client whose requests carry the key: @SendsIdempotencyKey(service = …).");
        }
        return intent.key();
    }
}
