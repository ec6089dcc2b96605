package io.idempotency.http.server.problem;

import io.micronaut.http.HttpRequest;

/** Knows what became of the idempotent calls of a request. */
public interface OtherCalls {

    /**
     * Whether any of them did something, now or when the request was sent before.
     *
     * @param request the request
     * @return false when every call was refused or had no effect
     */
    boolean ran(HttpRequest<?> request);
}
