package io.idempotency.http.client;

/** The cause of a refusal that stopped a call to another system before it was sent. */
final class UnsentCallException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    UnsentCallException() {
        super("the call to the other system was not sent", null, false, false);
    }
}
