package io.idempotency.http.client;

import io.micronaut.http.client.exceptions.HttpClientException;

/** The last attempt could not be sent, but one before it was, and nobody knows what became of that. */
final class LostAttemptException extends HttpClientException {

    private static final long serialVersionUID = 1L;

    LostAttemptException(HttpClientException last) {
        super(last.getMessage() + " (an attempt before was sent, and its outcome is not known)", last);
    }
}
